// The range asymmetric numeral system of ENTROPY: four interleaved 32-bit states, probabilities in units of 1/4096,
// 16-bit words. Bins here, numbers elsewhere.

const PROBABILITY_BITS = 12;
export const PROBABILITY_ONE = 1 << PROBABILITY_BITS;
export const LANES = 4;
/** Every state is at least this between two steps, and exactly this where encoding starts and decoding ends. */
export const LOWEST_STATE = 1 << 16;

export interface Coded {
  readonly states: Uint32Array;
  readonly stream: Uint16Array;
}

/**
 * Encodes symbols (numbers of bins), the last one first. Every symbol's frequency is at least 1; all add up to 4096.
 */
export function encodeSymbols(symbols: Uint16Array, frequencies: Uint32Array): Coded {
  const starts = startsOf(frequencies);
  // Above its limit the next state would not fit in 32 bits: its low half goes to the stream.
  const limits = Float64Array.from(frequencies, (frequency) => frequency * 2 ** (32 - PROBABILITY_BITS));
  const states = new Float64Array(LANES).fill(LOWEST_STATE);
  const words = new Uint16Array(symbols.length);
  let count = 0;
  for (let i = symbols.length - 1; i >= 0; i--) {
    const symbol = symbols[i] as number;
    let state = states[i & 3] as number;
    if (state >= (limits[symbol] as number)) {
      words[count++] = state;
      state >>>= 16;
    }
    const frequency = frequencies[symbol] as number;
    const quotient = Math.trunc(state / frequency);
    // quotient * 4096 + rest, and the rest is state - quotient * frequency.
    states[i & 3] = state + quotient * (PROBABILITY_ONE - frequency) + (starts[symbol] as number);
  }
  return { states: Uint32Array.from(states), stream: words.subarray(0, count).reverse() };
}

function startsOf(frequencies: Uint32Array): Uint32Array {
  const starts = new Uint32Array(frequencies.length);
  for (let symbol = 1; symbol < frequencies.length; symbol++)
    starts[symbol] = (starts[symbol - 1] as number) + (frequencies[symbol - 1] as number);
  return starts;
}

/** For each of 4096 slots: its symbol, and frequency << 16 | index inside the symbol's slots. */
interface SlotTable {
  readonly symbols: Uint16Array;
  readonly steps: Uint32Array;
}

export function slotTable(frequencies: Uint32Array): SlotTable {
  const symbols = new Uint16Array(PROBABILITY_ONE);
  const steps = new Uint32Array(PROBABILITY_ONE);
  let slot = 0;
  for (let symbol = 0; symbol < frequencies.length; symbol++) {
    const frequency = frequencies[symbol] as number;
    for (let inside = 0; inside < frequency; inside++, slot++) {
      symbols[slot] = symbol;
      steps[slot] = (frequency << 16) | inside;
    }
  }
  return { symbols, steps };
}

/**
 * Decodes `count` values: out[i] = table[slot of value i] (a table of 4096 numbers: the symbol, or what stands for it).
 * Returns whether the stream ended as it should, all words used and all states back at the lowest. Relies on the
 * caller: initial states of at least 65536; `stream` may be of any length.
 */
export function decodeSlotsUnchecked(
  states: Uint32Array,
  stream: Uint16Array,
  steps: Uint32Array,
  table: Uint32Array,
  count: number,
  out: Uint32Array,
): boolean {
  // States as signed integers: only their bits count. Whether one takes a word is close to a coin toss, so it is
  // arithmetic and not a branch: `take` is -1 or 0.
  let a = (states[0] as number) | 0;
  let b = (states[1] as number) | 0;
  let c = (states[2] as number) | 0;
  let d = (states[3] as number) | 0;
  const surely = stream.length - LANES;
  const whole = count & ~3;
  let next = 0;
  let i = 0;
  for (; i < whole && next <= surely; i += 4) {
    const slotA = a & 4095;
    const slotB = b & 4095;
    const slotC = c & 4095;
    const slotD = d & 4095;
    const stepA = steps[slotA] as number;
    const stepB = steps[slotB] as number;
    const stepC = steps[slotC] as number;
    const stepD = steps[slotD] as number;
    out[i] = table[slotA] as number;
    out[i + 1] = table[slotB] as number;
    out[i + 2] = table[slotC] as number;
    out[i + 3] = table[slotD] as number;
    a = (Math.imul(a >>> 12, stepA >>> 16) + (stepA & 0xffff)) | 0;
    b = (Math.imul(b >>> 12, stepB >>> 16) + (stepB & 0xffff)) | 0;
    c = (Math.imul(c >>> 12, stepC >>> 16) + (stepC & 0xffff)) | 0;
    d = (Math.imul(d >>> 12, stepD >>> 16) + (stepD & 0xffff)) | 0;
    let take = ((a >>> 16) - 1) >> 31;
    a = (a << (take & 16)) | ((stream[next] as number) & take);
    next -= take;
    take = ((b >>> 16) - 1) >> 31;
    b = (b << (take & 16)) | ((stream[next] as number) & take);
    next -= take;
    take = ((c >>> 16) - 1) >> 31;
    c = (c << (take & 16)) | ((stream[next] as number) & take);
    next -= take;
    take = ((d >>> 16) - 1) >> 31;
    d = (d << (take & 16)) | ((stream[next] as number) & take);
    next -= take;
  }
  return finishSlots(Int32Array.of(a, b, c, d), stream, next, steps, table, i, count, out);
}

/** The last values, with a look at the stream's end for every one. */
function finishSlots(
  states: Int32Array,
  stream: Uint16Array,
  next: number,
  steps: Uint32Array,
  table: Uint32Array,
  start: number,
  count: number,
  out: Uint32Array,
): boolean {
  for (let i = start; i < count; i++) {
    const state = states[i & 3] as number;
    const step = steps[state & 4095] as number;
    out[i] = table[state & 4095] as number;
    let following = (Math.imul(state >>> 12, step >>> 16) + (step & 0xffff)) | 0;
    if (following >>> 16 === 0) {
      if (next === stream.length) return false;
      following = (following << 16) | (stream[next++] as number);
    }
    states[i & 3] = following;
  }
  return next === stream.length && states.every((state) => state === LOWEST_STATE);
}
