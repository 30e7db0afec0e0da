// Sampled columns as JSON in the page, for its predicate: never more than a fixed size, of fewer rows or columns where
// they are too long.
import type { DType } from '@colkit/io';
import { toBase64 } from '@colkit/table';
import type { Sample, SampledColumn } from './sample.ts';

const MOST_BYTES = 120_000;
const FEWEST_ROWS = 50;
/** A column with a longer text or value is left out. */
const LONGEST_VALUE = 8_000;

export interface EmbeddedColumn {
  readonly name: string;
  readonly dtype: DType;
  readonly nullable: boolean;
  /** Items as stored, base64; of text and bytes null. */
  readonly items: string | null;
  /** Distinct texts, or values of bytes in base64, and which of them each row has; of other columns null. */
  readonly distinct: readonly string[] | null;
  readonly codes: readonly number[] | null;
  /** One byte a row, base64, 1 = not null; null where no row is null. */
  readonly valid: string | null;
}

export interface EmbeddedSample {
  /** Row numbers of the table. */
  readonly rows: readonly number[];
  readonly rowCount: number;
  readonly columns: readonly EmbeddedColumn[];
  /** Columns of the file that are not in it. */
  readonly omitted: number;
}

/** Whether the page can carry a column. */
export function isShort({ values }: SampledColumn): boolean {
  if (ArrayBuffer.isView(values)) return true;
  return !Array.from(values).some((value) => (value as string | Uint8Array).length > LONGEST_VALUE);
}

/** @param columns that are short. */
export function embeddedSample(sample: Sample, columns: readonly SampledColumn[], columnCount: number): EmbeddedSample {
  let places = sample.rows.map((_, place) => place);
  let embedded = columns.map((column) => embeddedColumn(column, places));
  while (sizeOf(embedded) > MOST_BYTES && places.length / 2 >= FEWEST_ROWS) {
    places = places.filter((_, index) => index % 2 === 0);
    embedded = columns.map((column) => embeddedColumn(column, places));
  }
  while (sizeOf(embedded) > MOST_BYTES) {
    const largest = embedded.reduce((most, column) => (sizeOf([column]) > sizeOf([most]) ? column : most));
    embedded = embedded.filter((column) => column !== largest);
  }
  return {
    rows: places.map((place) => sample.rows[place] as number),
    rowCount: sample.rowCount,
    columns: embedded,
    omitted: columnCount - embedded.length,
  };
}

const sizeOf = (columns: readonly EmbeddedColumn[]): number =>
  columns.reduce(
    (sum, { name, items, distinct, codes }) =>
      sum +
      name.length +
      (items?.length ?? 0) +
      4 * (codes?.length ?? 0) +
      (distinct?.reduce((texts, text) => texts + text.length + 3, 0) ?? 0),
    100,
  );

function embeddedColumn(column: SampledColumn, places: readonly number[]): EmbeddedColumn {
  const { name, dtype, nullable, values, validity } = column;
  const valid = validity === null ? null : toBase64(Uint8Array.from(places, (place) => bit(validity, place)));
  if (!ArrayBuffer.isView(values)) {
    const numbers = new Map<string | Uint8Array, number>();
    const codes = places.map((place) => {
      const value = values[place] as string | Uint8Array;
      const known = numbers.get(value) ?? numbers.size;
      numbers.set(value, known);
      return known;
    });
    const distinct = [...numbers.keys()].map((value) => (typeof value === 'string' ? value : toBase64(value)));
    return { name, dtype, nullable, items: null, distinct, codes, valid };
  }
  const all = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const itemBytes = values.byteLength / Math.max(1, values.length);
  const items = new Uint8Array(places.length * itemBytes);
  for (const [index, place] of places.entries())
    items.set(all.subarray(place * itemBytes, (place + 1) * itemBytes), index * itemBytes);
  return { name, dtype, nullable, items: toBase64(items), distinct: null, codes: null, valid };
}

const bit = (validity: Uint8Array, row: number): number => ((validity[row >> 3] ?? 0) >> (row & 7)) & 1;
