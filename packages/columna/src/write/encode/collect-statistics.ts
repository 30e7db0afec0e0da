// Values of a page -> its statistics. Integers come with their range already; floats are scanned for NaN and zeros;
// strings are cut to bounds.
import type { ColumnType } from '../../layout/column-type.ts';
import { lowerBound, upperBound } from '../../layout/statistics.ts';
import type { Bound, Statistics } from '../../layout/statistics.ts';
import type { Source } from '../../columns/chooser.ts';
import { wordAt } from '../../columns/vector.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import { compareAt, stringAt } from '../../columns/byte-strings.ts';
import { writeKernels } from '../../columns/kernels/write-kernels.ts';

/** Of rows that are all null. */
export function nullStatistics(nullCount: number): Statistics {
  return { nullCount, nanCount: 0, min: null, max: null };
}

export function integerStatistics(type: ColumnType, source: Source, nullCount: number): Statistics {
  const asValue = (word: bigint) => (type.signed ? BigInt.asIntN(64, word) : BigInt.asUintN(64, word));
  if (source.kind === 'narrow') {
    const { base, step, below, values } = source;
    let [min, max] = [asValue(base), asValue(base + step * BigInt(below - 1))];
    // A narrow source may run over the end of its type and on from the other: its first value is then not its least.
    if (max < min) {
      [min, max] = [max, min];
      for (const value of values) {
        const each = asValue(base + step * BigInt(value));
        if (each < min) min = each;
        if (each > max) max = each;
      }
    }
    return { nullCount, nanCount: 0, min: { value: min, exact: true }, max: { value: max, exact: true } };
  }
  const flip = type.signed ? 0x80000000 : 0;
  const { words, count } = source;
  let [least, most] = [0, 0];
  for (let i = 1; i < count; i++) {
    if (compareHalves(words, i, least, flip) < 0) least = i;
    if (compareHalves(words, i, most, flip) > 0) most = i;
  }
  return {
    nullCount,
    nanCount: 0,
    min: { value: asValue(wordAt(source, least)), exact: true },
    max: { value: asValue(wordAt(source, most)), exact: true },
  };
}

function compareHalves(words: Uint32Array, a: number, b: number, flip: number): number {
  const [highA, highB] = [((words[2 * a + 1] as number) ^ flip) >>> 0, ((words[2 * b + 1] as number) ^ flip) >>> 0];
  return highA !== highB ? highA - highB : (words[2 * a] as number) - (words[2 * b] as number);
}

/** Over values that are not NaN; a zero bound widens to the zero that both signs lie within. */
export function floatStatistics(values: Float32Array | Float64Array, nullCount: number): Statistics {
  const [min, max, nanCount] = rangeOf(values);
  if (nanCount === values.length) return { nullCount, nanCount, min: null, max: null };
  return {
    nullCount,
    nanCount,
    min: { value: min === 0 ? -0 : min, exact: true },
    max: { value: max === 0 ? 0 : max, exact: true },
  };
}

/** Least and largest value that is not NaN, and how many are NaN. */
function rangeOf(values: Float32Array | Float64Array): readonly [number, number, number] {
  const kernels = writeKernels(values.length);
  if (kernels !== null) {
    const facts = new Float64Array(3);
    kernels.floatRange(values, facts);
    const [least = 0, most = 0, nans = 0] = facts;
    return [least, most, nans];
  }
  let [min, max, nanCount] = [Infinity, -Infinity, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
    if (value !== value) nanCount++;
  }
  return [min, max, nanCount];
}

/** Where the least string is, and the largest one. */
function extremesOf(strings: ByteStrings): readonly [number, number] {
  const { bytes, start, ends, count } = strings;
  const kernels = writeKernels(count);
  if (kernels !== null) {
    const best = new Uint32Array(2);
    const own = ends.subarray(0, count);
    for (const most of [0, 1]) kernels.bestTexts(bytes, start, own, null, null, most, best.subarray(most, most + 1));
    return [best[0] as number, best[1] as number];
  }
  let [least, most] = [0, 0];
  for (let i = 1; i < count; i++) {
    if (compareAt(strings, i, least) < 0) least = i;
    else if (compareAt(strings, i, most) > 0) most = i;
  }
  return [least, most];
}

/** Strings in any order, or ascending ones of which those at the indexes `used`, ascending too, occur. */
export function stringStatistics(
  type: ColumnType,
  strings: ByteStrings,
  used: Uint32Array | null,
  nullCount: number,
): Statistics {
  const [least, most] = used === null ? extremesOf(strings) : [used[0] ?? 0, used.at(-1) ?? 0];
  const { isText } = type;
  const [min, max]: [Bound, Bound | null] = [
    lowerBound(stringAt(strings, least), isText),
    upperBound(stringAt(strings, most), isText),
  ];
  return { nullCount, nanCount: 0, min, max };
}
