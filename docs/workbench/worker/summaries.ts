// A column as a chart: bins of numbers and times, the most frequent values of others. Memory is one batch of the column
// and the bins, or the groups that a table can count.
import { isColkitError } from '@colkit/io';
import type { DType } from '@colkit/io';
import { toDate, toISO } from '@colkit/table';
import type { Table } from '@colkit/table';
import type { Bin, Cell, ColumnSummary } from '../protocol.ts';
import { shown } from './questions.ts';

const BINS = 40;
const TOP = 12;
/** Rows of a column with more different values than groups can be counted of. */
const SAMPLED_ROWS = 50_000;
/** No column has this name. */
const COUNT = 'rows of the group';

export async function summarize(table: Table, column: string, signal: AbortSignal): Promise<ColumnSummary> {
  const field = table.schema.find(({ name }) => name === column);
  if (field === undefined) throw new RangeError(`no column ${column}`);
  const rowCount = await table.count({ signal });
  const { count } = await table.agg({ count: { count: column } }, { signal });
  const summary = { column, count, nulls: rowCount - count, least: null, most: null };
  const kind = kindOf(field.dtype);
  if (kind === 'bytes') return { ...summary, chart: { kind: 'none', why: 'bytes have no order that says something' } };
  const ends =
    kind === 'flags'
      ? { least: null, most: null }
      : await table.agg({ least: { min: column }, most: { max: column } }, { signal });
  const isTime = kind === 'times';
  const endOf = (end: unknown): Cell => (isTime ? isoOf(end, field.dtype) : cellOf(end));
  const [least, most] = [endOf(ends.least), endOf(ends.most)];
  if (kind !== 'numbers' && !isTime) return { ...summary, least, most, chart: await topOf(table, column, signal) };
  const bins = await binsOf(table, column, numberOf(ends.least), numberOf(ends.most), signal);
  return { ...summary, least, most, chart: chartOf(bins, least, isTime ? field.dtype : null) };
}

/** @param timeType of moments. */
function chartOf(bins: readonly Bin[] | null, least: Cell, timeType: DType | null): ColumnSummary['chart'] {
  if (bins === null) {
    const hasNumbers = typeof least === 'number' && !Number.isNaN(least);
    if (!hasNumbers) return { kind: 'none', why: 'no value is a number' };
    return { kind: 'none', why: 'some values are infinite, or further apart than the largest number' };
  }
  if (timeType === null) return { kind: 'bins', isTime: false, bins };
  try {
    return { kind: 'bins', isTime: true, bins: bins.map((bin) => timesOf(bin, timeType)) };
  } catch (error) {
    if (!isColkitError(error)) throw error;
    return { kind: 'none', why: 'some moments are beyond the years that a calendar of browsers has' };
  }
}

function kindOf(dtype: string): 'numbers' | 'times' | 'flags' | 'bytes' | 'texts' {
  if (/^(u?int|float)\d+$/.test(dtype)) return 'numbers';
  // Ticks without a unit are no moments.
  if (/^datetime64\[/.test(dtype)) return 'times';
  if (dtype === 'bool') return 'flags';
  return dtype === 'binary' ? 'bytes' : 'texts';
}

/** As rows have it. */
function isoOf(ticks: unknown, dtype: DType): Cell {
  if (typeof ticks !== 'bigint') return null;
  const text = toISO(ticks, dtype);
  return text.includes('T') ? `${text}Z` : text;
}

/** Ticks, some of them between two, as milliseconds: months and years are of different lengths. */
function timesOf({ from, to, count }: Bin, dtype: DType): Bin {
  const at = (tick: number): number => toDate(BigInt(tick), dtype, { truncate: true }).getTime();
  const between = (ticks: number): number => {
    const before = Math.floor(ticks);
    return ticks === before ? at(before) : at(before) + (ticks - before) * (at(before + 1) - at(before));
  };
  return { from: between(from), to: between(to), count };
}

function numberOf(value: unknown): number {
  return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : NaN;
}

export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return shown(value);
  return value instanceof Date ? value.toISOString() : `${String((value as Uint8Array).length)} bytes`;
}

/** Null where no number says how far the column's extremes are apart. */
async function binsOf(
  table: Table,
  column: string,
  least: number,
  most: number,
  signal: AbortSignal,
): Promise<Bin[] | null> {
  if (!Number.isFinite(most - least)) return null;
  const width = (most - least) / BINS || 1;
  const counts = new Float64Array(BINS);
  for await (const batch of table.select(column).batches({ nulls: 'nan', signal })) {
    const values = (batch as Record<string, ArrayLike<number | bigint>>)[column] ?? [];
    for (let row = 0; row < values.length; row += 1) {
      const value = Number(values[row]);
      // NaN and infinities are in no bin.
      if (value >= least && value <= most) {
        const bin = Math.min(BINS - 1, Math.floor((value - least) / width));
        counts[bin] = (counts[bin] as number) + 1;
      }
    }
  }
  return Array.from(counts, (count, bin) => ({ from: least + bin * width, to: least + (bin + 1) * width, count }));
}

/** Of columns with more different values than groups are counted of: of the first rows. */
async function topOf(table: Table, column: string, signal: AbortSignal): Promise<ColumnSummary['chart']> {
  try {
    return await countedTop(table, column, false, signal);
  } catch (error) {
    if (!isColkitError(error) || error.code !== 'ERR_LIMIT') throw error;
    return countedTop(table.head(SAMPLED_ROWS), column, true, signal);
  }
}

async function countedTop(
  table: Table,
  column: string,
  isSampled: boolean,
  signal: AbortSignal,
): Promise<ColumnSummary['chart']> {
  const groups = await table.groupBy(column).agg({ [COUNT]: 'count' }, { signal });
  const top = await groups.table.orderBy({ column: COUNT, descending: true }).head(TOP).toRows({ json: true });
  return {
    kind: 'top',
    distinct: groups.rowCount,
    sampledRows: isSampled ? SAMPLED_ROWS : null,
    top: top.map((row) => ({ value: String(shown(row[column] as Cell)), count: Number(row[COUNT]) })),
  };
}
