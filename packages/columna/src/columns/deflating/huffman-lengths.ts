// How often symbols occur -> the lengths of their codes, and the codes, as DEFLATE (RFC 1951) wants them. By integers
// alone: native/src/encode/huffman_lengths.cc finds the same.

const MOST_BITS = 15;

/**
 * Lengths of at most `longest` bits for the symbols that occur, 0 for the others. Where fewer than two occur, the first
 * symbols count as though they did: the code is complete then. There are 2 to 288 symbols.
 */
export function huffmanLengths(times: Uint32Array, longest: number): Uint8Array {
  const weights = times.slice();
  const missing = Math.max(0, 2 - weights.filter((weight) => weight !== 0).length);
  for (let symbol = 0, left = missing; left > 0; symbol++) {
    if (weights[symbol] !== 0) continue;
    weights[symbol] = 1;
    left--;
  }
  const lengths = new Uint8Array(weights.length);
  for (;;) {
    const order = symbolsByWeight(weights);
    const depths = depthsOf(order.map((symbol) => weights[symbol] as number));
    // The first one is the deepest. Where that is too deep, weights that differ less make the tree flatter.
    if ((depths[0] as number) <= longest) {
      for (let i = 0; i < order.length; i++) lengths[order[i] as number] = depths[i] as number;
      return lengths;
    }
    for (let symbol = 0; symbol < weights.length; symbol++) weights[symbol] = ((weights[symbol] as number) + 1) >>> 1;
  }
}

/** Symbols that occur, the rarest first, of equal ones the lowest. Weights are below 2^20. */
function symbolsByWeight(weights: Uint32Array): Uint32Array {
  const keys = new Float64Array(weights.length);
  let count = 0;
  for (let symbol = 0; symbol < weights.length; symbol++)
    if (weights[symbol] !== 0) keys[count++] = (weights[symbol] as number) * 512 + symbol;
  return Uint32Array.from(keys.subarray(0, count).sort(), (key) => key % 512);
}

/** A tree over two and more leaves of ascending weights: how deep each of them is. */
function depthsOf(weights: Uint32Array): Uint16Array {
  const leaves = weights.length;
  const sums = new Uint32Array(leaves);
  // Inner node n is number leaves + n.
  const parents = new Uint16Array(2 * leaves);
  let [leaf, inner] = [0, 0];
  for (let made = 0; made + 1 < leaves; made++) {
    let sum = 0;
    for (let child = 0; child < 2; child++) {
      // Of equal weights a leaf goes first.
      if (leaf < leaves && (inner === made || (weights[leaf] as number) <= (sums[inner] as number))) {
        sum += weights[leaf] as number;
        parents[leaf++] = made;
      } else {
        sum += sums[inner] as number;
        parents[leaves + inner++] = made;
      }
    }
    sums[made] = sum;
  }
  const inners = new Uint16Array(leaves);
  for (let node = leaves - 3; node >= 0; node--)
    inners[node] = (inners[parents[leaves + node] as number] as number) + 1;
  return Uint16Array.from({ length: leaves }, (_, i) => (inners[parents[i] as number] as number) + 1);
}

/** The code of each symbol, its first bit the lowest. */
export function huffmanCodes(lengths: Uint8Array): Uint16Array {
  const next = new Uint16Array(MOST_BITS + 2);
  for (const length of lengths) next[length + 1] = (next[length + 1] as number) + 1;
  next[1] = 0;
  for (let length = 1; length <= MOST_BITS; length++)
    next[length + 1] = ((next[length] as number) + (next[length + 1] as number)) << 1;
  return Uint16Array.from(lengths, (length) => {
    if (length === 0) return 0;
    const code = next[length] as number;
    next[length] = code + 1;
    let reversed = 0;
    for (let bit = 0; bit < length; bit++) reversed = (reversed << 1) | ((code >>> bit) & 1);
    return reversed;
  });
}
