// Arrays of any element type -> the integers that encodings are sized on: narrow in normal form where the values allow
// it, 64-bit patterns where not.
import { isExactResult } from '@colkit/io';
import type { EncodeKernels } from '@colkit/io';
import type { Source } from './chooser.ts';
import { giveBack, lentWords } from './kernels/lent-words.ts';
import { writeKernels } from './kernels/write-kernels.ts';
import type { Narrow } from './vector.ts';

const TWO_32 = 2 ** 32;

/** base + step * values[i], brought to normal form: new values where they change, else the same memory. */
export function narrowSource(values: Uint32Array, base = 0n, step = 1n): Narrow {
  const count = values.length;
  if (count === 0) return { kind: 'narrow', count, base, step, values, below: 1 };
  const kernels = writeKernels(count);
  if (kernels !== null) {
    const facts = new Float64Array(3);
    kernels.normalizeItems(values, null, facts);
    const [least = 0, most = 0, divisor = 1] = facts;
    if (least === 0 && divisor === 1) return { kind: 'narrow', count, base, step, values, below: most + 1 };
    const normal = new Uint32Array(count);
    kernels.normalizeItems(values, normal, facts);
    return normalForm(normal, facts, base, step);
  }
  let min = TWO_32;
  let max = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min === 0 && hasStepOne(values)) return { kind: 'narrow', count, base, step, values, below: max + 1 };
  const normal = new Uint32Array(count);
  let divisor = stepOfSample(values, min);
  // A value between two steps makes the step smaller, and what was divided by the larger one wrong: that happens a few
  // times at most.
  for (let i = 0; i < count; i++) {
    const offset = (values[i] as number) - min;
    if (divisor === 1) normal[i] = offset;
    else {
      const quotient = offset / divisor;
      normal[i] = quotient;
      if (quotient !== Math.floor(quotient)) {
        divisor = greatestCommonDivisor(divisor, offset);
        i = -1;
      }
    }
  }
  return {
    kind: 'narrow',
    count,
    base: base + step * BigInt(min),
    step: step * BigInt(divisor),
    values: normal,
    below: (max - min) / divisor + 1,
  };
}

/** What the addon made of values that are `base + step * value`. */
export function normalForm(values: Uint32Array, facts: Float64Array, base = 0n, step = 1n): Narrow {
  const [least = 0, most = 0, divisor = 1] = facts;
  return {
    kind: 'narrow',
    count: values.length,
    base: base + step * BigInt(least),
    step: step * BigInt(divisor),
    values,
    below: (most - least) / divisor + 1,
  };
}

/** Values that are looked at before a step above one is believed in. */
const SAMPLE = 64;

/** The greatest number that divides the first values less `min`; 1 where all of them are equal. */
function stepOfSample(values: Uint32Array | Float64Array, min: number): number {
  let divisor = 0;
  for (let i = 0; i < values.length && (i < SAMPLE || divisor === 0) && divisor !== 1; i++)
    divisor = greatestCommonDivisor(divisor, (values[i] as number) - min);
  return divisor === 0 ? 1 : divisor;
}

/** Whether values of which the smallest is 0 have no common divisor but 1. */
function hasStepOne(values: Uint32Array): boolean {
  let divisor = stepOfSample(values, 0);
  for (let i = SAMPLE; i < values.length && divisor !== 1; i++) {
    const quotient = (values[i] as number) / divisor;
    if (quotient !== Math.floor(quotient)) divisor = greatestCommonDivisor(divisor, values[i] as number);
  }
  return divisor === 1;
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

export type NumberArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/**
 * Whole numbers within ±2^53 as a source, or null where they span too much for 32 bits after division by their common
 * step.
 */
export function sourceOfNumbers(values: NumberArray): Narrow | null {
  const kernels = writeKernels(values.length);
  if (kernels !== null) return normalized(values, kernels);
  // One kind of array for the loops: those that see many kinds are several times slower.
  if (values instanceof Float64Array) return sourceOfDoubles(values);
  const doubles = new Float64Array(values.length);
  doubles.set(values);
  return sourceOfDoubles(doubles);
}

function normalized(values: NumberArray | BigInt64Array | BigUint64Array, kernels: EncodeKernels): Narrow | null {
  const [normal, facts] = [lentWords(values.length), new Float64Array(3)];
  if (kernels.normalizeItems(values, normal, facts)) return normalForm(normal, facts);
  giveBack(normal);
  return null;
}

function sourceOfDoubles(values: Float64Array): Narrow | null {
  const count = values.length;
  if (count === 0) return narrowSource(new Uint32Array(0));
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (!isExactResult(max - min)) return null;
  let divisor = stepOfSample(values, min);
  if (divisor === 1 && max - min >= TWO_32) return null;
  const normal = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const offset = (values[i] as number) - min;
    if (divisor === 1) normal[i] = offset;
    else {
      // A quotient of two integers below 2^53 is a whole double only where the division is exact.
      const quotient = offset / divisor;
      normal[i] = quotient;
      if (quotient !== Math.floor(quotient)) {
        divisor = greatestCommonDivisor(divisor, offset);
        if (divisor === 1 && max - min >= TWO_32) return null;
        i = -1;
      }
    }
  }
  if ((max - min) / divisor >= TWO_32) return null;
  return {
    kind: 'narrow',
    count,
    base: BigInt(min),
    step: BigInt(divisor),
    values: normal,
    below: (max - min) / divisor + 1,
  };
}

/** Nobody looks at a source any more that was made of items: its memory is the next one's, where it is not theirs. */
export function giveBackSource(source: Source, items: ArrayBufferView): void {
  if (source.kind === 'narrow' && source.values.buffer !== items.buffer) giveBack(source.values);
}

/** 64-bit patterns as a source; `signed` says in which order they are close together. */
export function sourceOfWords(words: Uint32Array, signed: boolean): Source {
  const count = words.length >>> 1;
  if (count === 0) return narrowSource(new Uint32Array(0));
  const kernels = words.byteOffset % 8 === 0 ? writeKernels(count) : null;
  if (kernels !== null) {
    const { buffer, byteOffset } = words;
    const narrow = normalized(
      signed ? new BigInt64Array(buffer, byteOffset, count) : new BigUint64Array(buffer, byteOffset, count),
      kernels,
    );
    // Numbers that are no exact doubles may still lie close together; others were found out.
    return narrow ?? nearSource(words) ?? { kind: 'wide', count, words };
  }
  const numbers = safeNumbers(words, signed);
  return (numbers === null ? nearSource(words) : sourceOfDoubles(numbers)) ?? { kind: 'wide', count, words };
}

/** The patterns as doubles, or null where one is beyond ±2^53. */
function safeNumbers(words: Uint32Array, signed: boolean): Float64Array | null {
  const count = words.length >>> 1;
  const unsafe = 2 ** 21;
  // Where it is not, the first one usually says so: before memory is taken for all.
  if (isUnsafe(words[1] as number, signed, unsafe)) return null;
  const numbers = new Float64Array(count);
  if (signed) {
    for (let i = 0, word = 0; i < count; i++, word += 2) {
      const high = (words[word + 1] as number) | 0;
      if (high >= unsafe || high < -unsafe) return null;
      numbers[i] = high * TWO_32 + (words[word] as number);
    }
    return numbers;
  }
  for (let i = 0, word = 0; i < count; i++, word += 2) {
    const high = words[word + 1] as number;
    if (high >= unsafe) return null;
    numbers[i] = high * TWO_32 + (words[word] as number);
  }
  return numbers;
}

function isUnsafe(high: number, signed: boolean, unsafe: number): boolean {
  return signed ? (high | 0) >= unsafe || (high | 0) < -unsafe : high >= unsafe;
}

/** Large patterns within 2^32 of each other (modulo 2^64) around the first, or null. */
function nearSource(words: Uint32Array): Narrow | null {
  const count = words.length >>> 1;
  const firstLow = words[0] as number;
  const firstHigh = words[1] as number;
  // Distances to the first, as signed numbers: within ±2^31 the high half is the sign of the low one.
  const distances = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const low = words[2 * i] as number;
    const distance = (low - firstLow) | 0;
    const high = ((words[2 * i + 1] as number) - firstHigh - (low < firstLow ? 1 : 0)) | 0;
    if (high !== distance >> 31) return null;
    distances[i] = distance;
  }
  const near = sourceOfNumbers(distances);
  return near === null
    ? null
    : { ...near, base: BigInt.asIntN(64, near.base + ((BigInt(firstHigh) << 32n) | BigInt(firstLow))) };
}

/** The values of a source at some positions, as a source. */
export function pickSource(source: Source, positions: Uint32Array): Source {
  if (source.kind === 'narrow') {
    const values = new Uint32Array(positions.length);
    const kernels = writeKernels(positions.length);
    if (kernels !== null) kernels.mapCodes(positions, source.values, values);
    else for (let i = 0; i < positions.length; i++) values[i] = source.values[positions[i] as number] as number;
    return narrowSource(values, source.base, source.step);
  }
  const words = new Uint32Array(2 * positions.length);
  for (let i = 0; i < positions.length; i++) {
    words[2 * i] = source.words[2 * (positions[i] as number)] as number;
    words[2 * i + 1] = source.words[2 * (positions[i] as number) + 1] as number;
  }
  return sourceOfWords(words, true);
}
