// The embedded sample and a predicate -> which of its rows match, by the code that evaluates predicates everywhere.
import { isColkitError, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { bindPredicate, evaluateBatch } from '@colkit/table';
import type { BoundPredicate, Chunk } from '@colkit/table';
import type { PushdownOutcome } from 'columna/inspect';
import { valueText } from '../../show/bound-text.ts';
import type { EmbeddedColumn, EmbeddedSample } from '../values/embedded-sample.ts';

export class SampledRows {
  readonly #sample: EmbeddedSample;
  readonly #chunks: ReadonlyMap<number, Chunk>;

  constructor(sample: EmbeddedSample) {
    this.#sample = sample;
    this.#chunks = new Map(sample.columns.map((column, number) => [number, chunkOf(column, sample.rows.length)]));
  }

  get rowCount(): number {
    return this.#sample.rows.length;
  }

  get names(): readonly string[] {
    return this.#sample.columns.map(({ name }) => name);
  }

  /** Null for a predicate; never throws for what somebody types. */
  check(text: string): Extract<PushdownOutcome, { kind: 'error' }> | null {
    try {
      if (text.trim() !== '') bindPredicate(text, this.#sample.columns);
      return null;
    } catch (error) {
      if (!isColkitError(error)) throw error;
      const position = 'position' in error && typeof error.position === 'number' ? error.position : null;
      const omitted =
        this.#sample.omitted > 0 ? ` (this page has not the rows of ${this.#sample.omitted} columns)` : '';
      return { kind: 'error', message: `${error.message}${omitted}`, position };
    }
  }

  /** Places in the sample, ascending; all for an empty text. @throws errors of the family. */
  matching(text: string): readonly number[] {
    const all = this.#sample.rows.map((_, place) => place);
    if (text.trim() === '') return all;
    const predicate: BoundPredicate = bindPredicate(text, this.#sample.columns);
    const mask = evaluateBatch(predicate, { rowCount: this.rowCount, columns: this.#chunks });
    return all.filter((place) => mask[place] === 1);
  }

  /** The row's number in the table, and its cells; 'null' is a cell without a value. */
  row(place: number): { readonly number: number; readonly cells: readonly string[] } {
    const cells = this.#sample.columns.map((column, number) =>
      cellText(column, this.#chunks.get(number) as Chunk, place),
    );
    return { number: this.#sample.rows[place] as number, cells };
  }
}

function chunkOf({ dtype, items, distinct, codes, valid }: EmbeddedColumn, rowCount: number): Chunk {
  const validity = valid === null ? null : bitsOf(bytesOf(valid));
  if (items !== null) return { kind: 'fixed', rowCount, validity, bytes: bytesOf(items) };
  const known = (distinct ?? []).map((text) => (dtype === 'binary' ? bytesOf(text) : text));
  return { kind: 'values', rowCount, validity, values: (codes ?? []).map((code) => known[code] ?? '') };
}

function cellText({ dtype }: EmbeddedColumn, chunk: Chunk, place: number): string {
  const { validity } = chunk;
  if (validity !== null && (((validity[place >> 3] ?? 0) >> (place & 7)) & 1) === 0) return 'null';
  if (chunk.kind === 'values') return valueText({ dtype }, chunk.values[place] ?? '');
  if (chunk.kind !== 'fixed') return '';
  return valueText({ dtype }, itemOf(dtype, chunk.bytes, place));
}

function itemOf(dtype: DType, bytes: Uint8Array, place: number): number | bigint | boolean {
  const { itemBytes } = parseDType(dtype);
  const view = new DataView(bytes.buffer, bytes.byteOffset + place * itemBytes, itemBytes);
  if (dtype === 'bool') return view.getUint8(0) !== 0;
  if (dtype === 'float64') return view.getFloat64(0, true);
  if (dtype === 'float32') return view.getFloat32(0, true);
  if (dtype === 'float16') return half(view.getUint16(0, true));
  if (itemBytes === 8) return dtype === 'uint64' ? view.getBigUint64(0, true) : view.getBigInt64(0, true);
  const isUnsigned = dtype.startsWith('u');
  if (itemBytes === 4) return isUnsigned ? view.getUint32(0, true) : view.getInt32(0, true);
  if (itemBytes === 2) return isUnsigned ? view.getUint16(0, true) : view.getInt16(0, true);
  return isUnsigned ? view.getUint8(0) : view.getInt8(0);
}

function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

function bitsOf(valid: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(valid.length / 8));
  for (const [row, is] of valid.entries()) if (is === 1) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  return bits;
}
