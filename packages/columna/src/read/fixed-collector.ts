// Pages of a fixed-width column -> packed items where the caller wants them: straight into the output where rows follow each other and none is null, else through a small buffer.
import type { GatherOutput } from '@colkit/io';
import type { ColumnData } from '@colkit/table';
import { emit, itemTarget } from '../columns/emit.ts';
import type { ItemTarget } from '../columns/emit.ts';
import type { ColumnType } from '../layout/column-type.ts';
import type { ColumnPage } from './column-page.ts';
import { ResultValidity, RowRank, isPresent } from './rank.ts';
import type { Session } from './session.ts';
import type { Span } from './spans.ts';

/** Takes the spans of one column. */
export interface Collector {
  add(page: ColumnPage, span: Span): void;
  finish(): ColumnData;
}

export class FixedCollector implements Collector {
  readonly #type: ColumnType;
  readonly #session: Session;
  readonly #output: GatherOutput;
  readonly #validity: ResultValidity;
  /** The output as items, where it is packed and aligned. */
  readonly #packed: ItemTarget | null;

  /** @param output room for `count` items. */
  constructor(type: ColumnType, session: Session, output: GatherOutput, count: number) {
    this.#type = type;
    this.#session = session;
    this.#output = output;
    this.#validity = new ResultValidity(count);
    const { bytes, byteOffset, byteStride } = output;
    const aligned = (bytes.byteOffset + byteOffset) % Math.min(8, type.itemBytes) === 0;
    this.#packed = byteStride === type.itemBytes && aligned ? itemTarget(type, bytes.subarray(byteOffset, byteOffset + count * type.itemBytes)) : null;
  }

  add(page: ColumnPage, span: Span): void {
    const { start, end, picks, to } = span;
    if (page.valueCount === 0) {
      this.#addNulls(span);
    } else if (picks === null && page.validity === null && this.#packed !== null) {
      emit(page.vector(start, end), this.#packed, to);
    } else {
      this.#addThrough(page, page.validity === null ? null : new RowRank(page.validity, page.rowCount), span);
    }
  }

  finish(): ColumnData {
    return { kind: 'fixed', validity: this.#validity.finish() };
  }

  #addNulls({ picks, start, end, to, positions }: Span): void {
    const count = picks === null ? end - start : picks.length;
    if (positions === null && this.#packed !== null) {
      const { bytes, byteOffset, byteStride } = this.#output;
      bytes.fill(0, byteOffset + to * byteStride, byteOffset + (to + count) * byteStride);
      for (let row = to; row < to + count; row++) this.#validity.setNull(row);
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

  /** Values of the rows [start, end), dense, then each to its place. */
  #addThrough(page: ColumnPage, rank: RowRank | null, { start, end, picks, to, positions }: Span): void {
    const [first, last] = rank === null ? [start, end] : [rank.before(start), rank.before(end)];
    const { itemBytes } = this.#type;
    const byteLength = (last - first) * itemBytes;
    const dense = new Uint8Array(this.#session.items(byteLength), 0, byteLength);
    const items = itemTarget(this.#type, dense);
    if (last > first) emit(page.vector(first, last), items, 0);
    const { validity } = page;
    if (validity === null && picks !== null && this.#packed !== null) {
      gather(items.items, picks, start, itemBytes, this.#packed.items, to, positions);
      return;
    }
    if (validity !== null && picks === null && this.#packed !== null) {
      spread(items.items, validity, start, end, itemBytes, this.#packed.items, to);
      this.#validity.copy(validity, start, end, to);
      return;
    }
    const count = picks === null ? end - start : picks.length;
    for (let i = 0; i < count; i++) {
      const row = picks === null ? start + i : (picks[i] as number);
      const position = positions === null ? to + i : (positions[i] as number);
      if (validity !== null && !isPresent(validity, row)) {
        this.#putNull(position);
        continue;
      }
      const from = ((rank === null ? row : rank.before(row)) - first) * itemBytes;
      const { bytes, byteOffset, byteStride } = this.#output;
      const at = byteOffset + position * byteStride;
      for (let byte = 0; byte < itemBytes; byte++) bytes[at + byte] = dense[from + byte] as number;
    }
  }
}

type Items = Uint8Array | Uint16Array | Uint32Array;

/** Items of the picked rows; eight-byte items as two halves. */
function gather(from: Items, picks: Uint32Array, start: number, itemBytes: number, out: Items, to: number, positions: Uint32Array | Float64Array | null): void {
  if (itemBytes === 8) {
    for (let i = 0; i < picks.length; i++) {
      const at = 2 * ((picks[i] as number) - start);
      const position = 2 * (positions === null ? to + i : (positions[i] as number));
      out[position] = from[at] as number;
      out[position + 1] = from[at + 1] as number;
    }
    return;
  }
  for (let i = 0; i < picks.length; i++) out[positions === null ? to + i : (positions[i] as number)] = from[(picks[i] as number) - start] as number;
}

/** Items without the nulls to the rows that have one; zeros to the others. */
function spread(from: Items, validity: Uint8Array, start: number, end: number, itemBytes: number, out: Items, to: number): void {
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
  for (let row = start, at = to; row < end; row++, at++) out[at] = isPresent(validity, row) ? (from[value++] as number) : 0;
}
