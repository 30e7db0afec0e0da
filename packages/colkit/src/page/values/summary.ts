// The sampled values of a column -> what is drawn of it: a histogram of numbers and moments, the most frequent of texts
// and of numbers that are few.
import { isBool, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { NAT, isValid } from '@colkit/table';
import { valueText } from '../../show/bound-text.ts';
import type { SampledColumn } from './sample.ts';

const BINS = 20;
/** Numbers of fewer distinct values are listed rather than drawn. */
const FEW = 7;
/** Values that are listed. */
const MOST_LISTED = 5;
/** A value is told from another by so many of its first characters or bytes. */
const TOLD_APART = 4096;

export interface Histogram {
  readonly kind: 'histogram';
  /** How many values lie in each of equal parts from `low` to `high`. */
  readonly bins: readonly number[];
  readonly low: string;
  readonly high: string;
}

export interface TopValues {
  readonly kind: 'top';
  readonly distinct: number;
  /** The most frequent first; with how many rows each. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
}

export interface ColumnSummary {
  readonly name: string;
  readonly dtype: string;
  readonly rows: number;
  readonly nulls: number;
  /** Rows that are NaN or not-a-time. */
  readonly nans: number;
  /** Null where no row has a value. */
  readonly drawn: Histogram | TopValues | null;
}

export function summaryOf(column: SampledColumn, storedDType: string): ColumnSummary {
  const { name, values, validity, dtype } = column;
  const present: (number | bigint | string | Uint8Array)[] = [];
  let nulls = 0;
  let nans = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as (typeof present)[number];
    if (!isValid(validity, row)) nulls++;
    else if (Number.isNaN(value) || (value === NAT && dtype.startsWith('datetime'))) nans++;
    else present.push(value);
  }
  return { name, dtype: storedDType, rows: values.length, nulls, nans, drawn: drawnOf(present, dtype) };
}

function drawnOf(values: readonly (number | bigint | string | Uint8Array)[], dtype: DType): ColumnSummary['drawn'] {
  const [first] = values;
  if (first === undefined) return null;
  const counts = new Map<string | number | bigint, { readonly value: typeof first; count: number }>();
  for (const value of values) {
    const key =
      value instanceof Uint8Array ? value.subarray(0, TOLD_APART).join() : typeof value === 'string' ? value : value;
    const found = counts.get(key);
    if (found === undefined) counts.set(key, { value, count: 1 });
    else found.count++;
  }
  const isNumber = typeof first === 'number' || typeof first === 'bigint';
  if (isNumber && counts.size >= FEW) {
    const histogram = histogramOf(values as readonly (number | bigint)[], dtype);
    if (histogram !== null) return histogram;
  }
  const top = [...counts.values()].sort((a, b) => b.count - a.count).slice(0, MOST_LISTED);
  const shown = (value: typeof first) => valueText({ dtype }, isBool(parseDType(dtype)) ? Boolean(value) : value);
  return {
    kind: 'top',
    distinct: counts.size,
    values: top.map(({ value, count }) => ({ text: shown(value), count })),
  };
}

/** Null where no two values are finite. */
function histogramOf(values: readonly (number | bigint)[], dtype: DType): Histogram | null {
  const finite = values.filter((value) => typeof value === 'bigint' || Number.isFinite(value));
  const low = finite.reduce((least, value) => (value < least ? value : least), finite[0] ?? 0);
  const high = finite.reduce((most, value) => (value > most ? value : most), finite[0] ?? 0);
  // Halves, so that the width of the largest range is a number too.
  const width = Number(high) / 2 - Number(low) / 2;
  if (!(width > 0)) return null;
  const bins = new Array<number>(BINS).fill(0);
  for (const value of finite) {
    const part = (Number(value) / 2 - Number(low) / 2) / width;
    const bin = Math.min(BINS - 1, Math.floor(part * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return { kind: 'histogram', bins, low: valueText({ dtype }, low), high: valueText({ dtype }, high) };
}
