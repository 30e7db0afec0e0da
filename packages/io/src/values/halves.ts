// IEEE halves, as stored -> floats, which hold all of them exactly.

export function floatsOfHalves(bytes: Uint8Array): Float32Array {
  const out = new Float32Array(bytes.length >>> 1);
  for (let item = 0; item < out.length; item += 1) {
    const bits = (bytes[2 * item] as number) | ((bytes[2 * item + 1] as number) << 8);
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    const inSteps = exponent === 0 ? 2 * fraction : (1024 + fraction) * (1 << exponent);
    const size = exponent < 31 ? inSteps * 2 ** -25 : fraction === 0 ? Infinity : Number.NaN;
    out[item] = bits > 0x7fff ? -size : size;
  }
  return out;
}
