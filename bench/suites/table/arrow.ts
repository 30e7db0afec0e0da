// Tables of Apache Arrow JS: raw columns into one, and the values out of one again.
import type * as Arrow from 'apache-arrow';
import { textsOf } from './files.ts';
import type { RawColumn, TableInputs } from './files.ts';
import type { Coded, Found } from './outputs.ts';

export type ArrowLibrary = typeof Arrow;

/** Numbers as they are, moments as milliseconds, texts through a dictionary of 16-bit codes. */
export function arrowTableOf(arrow: ArrowLibrary, columns: readonly RawColumn[]): Arrow.Table {
  return new arrow.Table(
    Object.fromEntries(
      columns.map((raw) => {
        const { name, dtype } = raw.column;
        switch (dtype) {
          case 'string':
            return [
              name,
              arrow.vectorFromArray(textsOf(raw), new arrow.Dictionary(new arrow.Utf8(), new arrow.Int16())),
            ];
          case 'datetime64[ms]':
            return [
              name,
              arrow.makeVector({
                type: new arrow.TimestampMillisecond(),
                length: raw.values.length,
                nullCount: 0,
                data: raw.values as BigInt64Array,
              } as never) as Arrow.Vector,
            ];
          default:
            return [name, arrow.makeVector(raw.values as Float64Array)];
        }
      }),
    ) as Record<string, Arrow.Vector>,
  );
}

/** A column as a typed array, moments as ticks. */
export function numbersOf(table: Arrow.Table, name: string): ArrayLike<number | bigint> {
  const vector = vectorOf(table, name);
  // A timestamp's own toArray makes numbers of milliseconds one by one; its data is the ticks.
  const parts = vector.data.map((data) => (data.values as Float64Array).subarray(0, data.length));
  const [first] = parts;
  if (first === undefined) return [];
  if (parts.length === 1) return first;
  const out = new (first.constructor as Float64ArrayConstructor)(vector.length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A text column as strings and nulls. */
export function stringsOf(table: Arrow.Table, name: string): (string | null)[] {
  return [...(vectorOf(table, name) as Arrow.Vector<Arrow.Utf8>)];
}

/**
 * A dictionary column's codes, -1 for null; of several batches those of the first one's dictionary, which they share.
 */
export function codedOf(table: Arrow.Table, name: string): Coded {
  const vector = vectorOf(table, name) as Arrow.Vector<Arrow.Dictionary<Arrow.Utf8>>;
  const [data] = vector.data;
  if (data === undefined) return { codes: [], dictionary: [] };
  const codes = Int32Array.from(data.values);
  if (data.nullCount > 0)
    for (let i = 0; i < codes.length; i++)
      if (((data.nullBitmap[i >> 3] as number) & (1 << (i & 7))) === 0) codes[i] = -1;
  return { codes, dictionary: [...(data.dictionary as Arrow.Vector<Arrow.Utf8>)].map(String) };
}

/** All columns as values: typed arrays and strings. */
export function valuesOf(table: Arrow.Table, { question }: TableInputs): Record<string, Found> {
  return Object.fromEntries(
    table.schema.fields.map(({ name }) => [
      name,
      question.columns.find((column) => column.name === name)?.dtype === 'string'
        ? stringsOf(table, name)
        : numbersOf(table, name),
    ]),
  );
}

function vectorOf(table: Arrow.Table, name: string): Arrow.Vector {
  const vector = table.getChild(name);
  if (vector === null) throw new Error(`no column ${name}`);
  return vector;
}
