// Pages of a fixed-width column -> packed items where the caller wants them: straight into the output where rows follow
// each other and none is null, else through a small buffer.
import type { GatherOutput } from '@colkit/io';
import { ValidityBuilder, writtenChunk } from '@colkit/table';
import type { Chunk } from '@colkit/table';
import { emit, itemTarget } from '../../columns/emit.ts';
import type { ItemTarget } from '../../columns/emit.ts';
import { numbersFrom } from '../../columns/vector.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { ColumnPage } from './opened-page.ts';
import type { DecodedPage } from './decoded-page.ts';
import { RowRank, isPresent } from '../file/rank.ts';
import type { Session } from '../file/session.ts';
import type { Span } from '../file/spans.ts';

/** Takes the spans of one column. */
export interface Collector {
  add(page: ColumnPage, span: Span): void;
  finish(): Chunk;
}

export class FixedCollector implements Collector {
  readonly #type: ColumnType;
  readonly #session: Session;
  readonly #output: GatherOutput;
  readonly #count: number;
  readonly #validity: ValidityBuilder;
  /** The output as items, where it is packed and aligned. */
  readonly #packed: ItemTarget | null;

  /** @param output room for `count` items. */
  constructor(type: ColumnType, session: Session, output: GatherOutput, count: number) {
    this.#type = type;
    this.#session = session;
    this.#output = output;
    this.#count = count;
    this.#validity = new ValidityBuilder(count);
    const { bytes, byteOffset, byteStride } = output;
    const aligned = (bytes.byteOffset + byteOffset) % Math.min(8, type.itemBytes) === 0;
    this.#packed =
      byteStride === type.itemBytes && aligned
        ? itemTarget(type, bytes.subarray(byteOffset, byteOffset + count * type.itemBytes))
        : null;
  }

  add(page: ColumnPage, span: Span): void {
    const { start, end, picks, to } = span;
    if (page.valueCount === 0) {
      this.#addNulls(span);
    } else if (picks === null && page.validity === null && this.#packed !== null) {
      emit(page.vector(start, end), this.#packed, to);
    } else if (picks !== null) {
      this.#addPicks(page, picks, span);
    } else {
      this.#addThrough(page, page.validity === null ? null : new RowRank(page.validity, page.rowCount), span);
    }
  }

  /**
   * Memory for the rows of a span, for somebody else to fill with items and zeros for nulls; null where they do not lie
   * one after another.
   */
  destinationOf({ positions, to }: Span): { readonly bytes: Uint8Array; readonly byteOffset: number } | null {
    if (positions !== null || this.#packed === null) return null;
    const { bytes, byteOffset, byteStride } = this.#output;
    return { bytes, byteOffset: byteOffset + to * byteStride };
  }

  /** The rows of a span were filled. Of picked rows, the page is what was made of these alone. */
  accept({ start, end, picks, to }: Span, { valueCount, validity }: DecodedPage): void {
    const [first, last] = picks === null ? [start, end] : [0, picks.length];
    if (validity !== null) this.#validity.copy(validity, first, last, to);
    else if (valueCount === 0) this.#validity.setNulls(to, to + last - first);
  }

  /** Rows behind each other, from one of the result on, with zeros for nulls, where the output is packed. */
  put(to: number, { rowCount, valueCount, validity }: DecodedPage, items: Uint8Array): void {
    const { bytes, byteOffset, byteStride } = this.#output;
    bytes.set(items, byteOffset + to * byteStride);
    if (validity !== null) this.#validity.copy(validity, 0, rowCount, to);
    else if (valueCount === 0) this.#validity.setNulls(to, to + rowCount);
  }

  /** The picked rows of a span whose rows go to places apart: `items` has them one behind the other. */
  place({ picks, positions, to }: Span, { valueCount, validity }: DecodedPage, items: Uint8Array): void {
    const count = picks === null ? 0 : picks.length;
    const places = positions ?? numbersFrom(to, count);
    const from = itemTarget(this.#type, items).items;
    if (this.#packed !== null) scatter(from, places, count, this.#type.itemBytes, this.#packed.items);
    else for (let i = 0; i < count; i++) this.#putItem(items, i, places[i] as number);
    if (valueCount === count) return;
    for (let i = 0; i < count; i++)
      if (validity === null || !isPresent(validity, i)) this.#validity.setNull(places[i] as number);
  }

  finish(): Chunk {
    return writtenChunk(this.#output, this.#count, this.#validity.finish());
  }

  #addNulls({ picks, start, end, to, positions }: Span): void {
    const count = picks === null ? end - start : picks.length;
    if (positions === null && this.#packed !== null) {
      const { bytes, byteOffset, byteStride } = this.#output;
      bytes.fill(0, byteOffset + to * byteStride, byteOffset + (to + count) * byteStride);
      this.#validity.setNulls(to, to + count);
      return;
    }
    for (let i = 0; i < count; i++) this.#putNull(positions === null ? to + i : (positions[i] as number));
  }

  #putNull(position: number): void {
    const { bytes, byteOffset, byteStride } = this.#output;
    const at = byteOffset + position * byteStride;
    bytes.fill(0, at, at + this.#type.itemBytes);
    this.#validity.setNull(position);
  }

  /** Picked rows: their values, dense, then each to its row. */
  #addPicks(page: ColumnPage, picks: Uint32Array, { to, positions }: Span): void {
    const { validity } = page;
    if (validity === null && positions === null && this.#packed !== null) {
      emit(page.pick(picks), this.#packed, to);
      return;
    }
    const rank = validity === null ? null : new RowRank(validity, page.rowCount);
    const values = rank === null ? picks : new Uint32Array(picks.length);
    const indexes = new Float64Array(picks.length);
    let count = 0;
    for (let i = 0; i < picks.length; i++) {
      const row = picks[i] as number;
      const position = positions === null ? to + i : (positions[i] as number);
      if (validity !== null && !isPresent(validity, row)) {
        this.#putNull(position);
        continue;
      }
      if (rank !== null) values[count] = rank.before(row);
      indexes[count++] = position;
    }
    if (count === 0) return;
    const { itemBytes } = this.#type;
    const dense = new Uint8Array(this.#session.items(count * itemBytes), 0, count * itemBytes);
    const items = itemTarget(this.#type, dense);
    emit(page.pick(values.subarray(0, count)), items, 0);
    if (this.#packed !== null) {
      scatter(items.items, indexes, count, itemBytes, this.#packed.items);
      return;
    }
    for (let i = 0; i < count; i++) this.#putItem(dense, i, indexes[i] as number);
  }

  /** Values of the rows [start, end), dense, then each to its row. */
  #addThrough(page: ColumnPage, rank: RowRank | null, { start, end, to }: Span): void {
    const [first, last] = rank === null ? [start, end] : [rank.before(start), rank.before(end)];
    const { itemBytes } = this.#type;
    const byteLength = (last - first) * itemBytes;
    const dense = new Uint8Array(this.#session.items(byteLength), 0, byteLength);
    const items = itemTarget(this.#type, dense);
    if (last > first) emit(page.vector(first, last), items, 0);
    const { validity } = page;
    if (validity !== null && this.#packed !== null) {
      spread(items.items, validity, start, end, itemBytes, this.#packed.items, to);
      this.#validity.copy(validity, start, end, to);
      return;
    }
    for (let row = start, position = to; row < end; row++, position++) {
      if (validity !== null && !isPresent(validity, row)) this.#putNull(position);
      else this.#putItem(dense, (rank === null ? row : rank.before(row)) - first, position);
    }
  }

  #putItem(dense: Uint8Array, item: number, position: number): void {
    const { itemBytes } = this.#type;
    const { bytes, byteOffset, byteStride } = this.#output;
    const at = byteOffset + position * byteStride;
    for (let byte = 0; byte < itemBytes; byte++) bytes[at + byte] = dense[item * itemBytes + byte] as number;
  }
}

type Items = Uint8Array | Uint16Array | Uint32Array;

/** Items to their indexes; eight-byte items as two halves. */
function scatter(from: Items, indexes: Float64Array | Uint32Array, count: number, itemBytes: number, out: Items): void {
  if (itemBytes === 8) {
    for (let i = 0; i < count; i++) {
      const index = 2 * (indexes[i] as number);
      out[index] = from[2 * i] as number;
      out[index + 1] = from[2 * i + 1] as number;
    }
    return;
  }
  for (let i = 0; i < count; i++) out[indexes[i] as number] = from[i] as number;
}

/** Items without the nulls to the rows that have one; zeros to the others. */
function spread(
  from: Items,
  validity: Uint8Array,
  start: number,
  end: number,
  itemBytes: number,
  out: Items,
  to: number,
): void {
  let value = 0;
  if (itemBytes === 8) {
    for (let row = start, at = 2 * to; row < end; row++, at += 2) {
      if (isPresent(validity, row)) {
        out[at] = from[value] as number;
        out[at + 1] = from[value + 1] as number;
        value += 2;
      } else {
        out[at] = 0;
        out[at + 1] = 0;
      }
    }
    return;
  }
  for (let row = start, at = to; row < end; row++, at++)
    out[at] = isPresent(validity, row) ? (from[value++] as number) : 0;
}
