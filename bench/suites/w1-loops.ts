// The loops of plain JavaScript over typed arrays, one for each type: a function that sees one type only is what V8
// compiles best.

export function takeFloat64(from: Float64Array, rows: Int32Array, out: Float64Array): Float64Array {
  for (let i = 0; i < rows.length; i++) out[i] = from[rows[i] as number] as number;
  return out;
}

export function takeFloat32(from: Float32Array, rows: Int32Array, out: Float32Array): Float32Array {
  for (let i = 0; i < rows.length; i++) out[i] = from[rows[i] as number] as number;
  return out;
}

export function takeInt32(from: Int32Array, rows: Int32Array, out: Int32Array): Int32Array {
  for (let i = 0; i < rows.length; i++) out[i] = from[rows[i] as number] as number;
  return out;
}

export function takeInt64(from: BigInt64Array, rows: Int32Array, out: BigInt64Array): BigInt64Array {
  for (let i = 0; i < rows.length; i++) out[i] = from[rows[i] as number] as bigint;
  return out;
}

export function takeUint8(from: Uint8Array, rows: Int32Array, out: Uint8Array): Uint8Array {
  for (let i = 0; i < rows.length; i++) out[i] = from[rows[i] as number] as number;
  return out;
}

/** The rows whose mask byte is not 0, of two columns in one pass over the mask (after one that counts). */
export function copyRows(
  price: Float64Array,
  qty: Int32Array,
  mask: Uint8Array,
): { price: Float64Array; qty: Int32Array } {
  let count = 0;
  for (let row = 0; row < mask.length; row++) if (mask[row] !== 0) count++;
  const out = { price: new Float64Array(count), qty: new Int32Array(count) };
  for (let row = 0, i = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    out.price[i] = price[row] as number;
    out.qty[i++] = qty[row] as number;
  }
  return out;
}
