// The records of a block -> a row of cells for each that can be taken, as CSV has them: where its values are among the
// bytes, without their quotes; empty cells without quotes are null. Values that a scan leaves are written behind the
// block's bytes.
import { textInputKernels } from '@colkit/io';
import type { TextInputKernels } from '@colkit/io';
import { WORTH_A_CALL } from '../text-input/cells/addon-columns.ts';
import { PLAIN, QUOTED } from '../text-input/cells/cell-flags.ts';
import { doubleText } from '../values/floats/short-floats.ts';
import { isUtf8 } from '../values/utf8.ts';
import { formOf } from './cell-forms.ts';
import { cellScalar } from './cell-scalars.ts';
import type { Records } from './find-records.ts';
import type { NameTable } from './name-table.ts';
import type { JsonScalar, Members } from './parse-record.ts';
import { RecordScan } from './scan-records.ts';
import type { Nested } from './scan-records.ts';

/** More are no one block: where records have few of many names. */
const MOST_CELLS = 1 << 21;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The numbers that the addon has for them. */
const NESTED_NUMBERS: readonly Nested[] = ['refuse', 'text', 'single'];

/** What parses a record that a scan leaves. @returns null where its row cannot be taken. */
export type ParseRecord = (text: string | null, record: number) => Members | null;

export class RecordCells {
  /** The block, and values that were written behind it. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  flags = new Uint8Array(0);
  /** Cells of a row: at least as many as there are columns. */
  stride = 0;
  rowCount = 0;
  /** The record of each row. */
  rowRecords = new Int32Array(0);
  /** For each column how many cells are not null, and their forms. */
  facts = new Uint32Array(0);
  readonly #names: NameTable;
  readonly #skipsOthers: boolean;
  readonly #nested: Nested;
  readonly #scan = new RecordScan();
  #used = 0;
  /** Whether all bytes are known to be text. */
  #isText = false;
  #bounds = new Int32Array(0);
  #mostRows = 0;
  #mostCells = 0;

  /** @param names of columns; where `skipsOthers` is false, parsing a record that is left adds those that are new. */
  constructor(names: NameTable, skipsOthers: boolean, nested: Nested) {
    this.#nested = nested;
    this.#names = names;
    this.#skipsOthers = skipsOthers;
  }

  /**
   * Takes records from `first` on. @param bytes changed.
   * @param isWhole whether all of them are wanted, however many cells that makes.
   * @returns the record behind them.
   */
  read(bytes: Uint8Array<ArrayBuffer>, records: Records, first: number, isWhole: boolean, parse: ParseRecord): number {
    const count = records.starts.length;
    this.bytes = bytes;
    this.#used = bytes.length;
    this.rowCount = 0;
    this.#setBounds(records);
    this.#isText = isUtf8(bytes.subarray(this.#bounds[2 * first], this.#bounds[2 * count - 1]));
    if (this.rowRecords.length < count) this.rowRecords = new Int32Array(count);
    this.stride = Math.max(1, this.#names.columns);
    this.facts.fill(0);
    this.#mostRows = count - first;
    this.#mostCells = isWhole ? Infinity : MOST_CELLS;
    let record = first;
    while (record < count) {
      const rows = this.#makeRoom();
      if (rows === 0) break;
      const end = Math.min(count, record + rows);
      const left = this.#scanned(record, end);
      for (; record < left; record += 1) this.#addRow(record);
      if (record === end) continue;
      const members = parse(this.#textOf(record), record);
      if (members !== null) this.#put(members, record);
      record += 1;
    }
    return record;
  }

  /** Of a column: how many cells are not null. */
  countOf(column: number): number {
    return this.facts[2 * column] as number;
  }

  formsOf(column: number): number {
    return this.facts[2 * column + 1] as number;
  }

  /** Leaves rows out. @param isTaken by row. */
  keep(isTaken: Uint8Array): void {
    const { starts, ends, flags, stride } = this;
    let to = 0;
    for (let row = 0; row < this.rowCount; row += 1) {
      if (isTaken[row] === 0) continue;
      for (const cells of [starts, ends, flags]) cells.copyWithin(to * stride, row * stride, (row + 1) * stride);
      this.rowRecords[to] = this.rowRecords[row] as number;
      to += 1;
    }
    this.rowCount = to;
    this.facts.fill(0);
    for (let row = 0; row < to; row += 1)
      for (let column = 0; column < this.#names.columns; column += 1) this.#count(row * stride + column, column);
  }

  /** A cell that its record has. */
  #count(cell: number, column: number): void {
    if (this.ends[cell] !== 0) this.#addFacts(column, cellScalar(this, cell));
  }

  #addFacts(column: number, value: JsonScalar): void {
    this.facts[2 * column + 1] = (this.facts[2 * column + 1] as number) | formOf(value);
    if (value !== null) this.facts[2 * column] = (this.facts[2 * column] as number) + 1;
  }

  #setBounds({ starts, ends }: Records): void {
    if (this.#bounds.length < 2 * starts.length) this.#bounds = new Int32Array(2 * starts.length);
    for (let record = 0; record < starts.length; record += 1) {
      this.#bounds[2 * record] = starts[record] as number;
      this.#bounds[2 * record + 1] = ends[record] as number;
    }
  }

  /** The first record from `record` on that is left. */
  #scanned(record: number, end: number): number {
    if (this.#isText) return this.#scannedText(record, end);
    let next = record;
    // One by one, since what is no UTF-8 is left.
    while (next < end) {
      const bytes = this.bytes.subarray(this.#bounds[2 * next], this.#bounds[2 * next + 1]);
      if (!isUtf8(bytes) || this.#scannedText(next, next + 1, this.rowCount + next - record) === next) break;
      next += 1;
    }
    return next;
  }

  #scannedText(record: number, end: number, row = this.rowCount): number {
    const byteLength = (this.#bounds[2 * end - 1] as number) - (this.#bounds[2 * record] as number);
    const kernels = byteLength < WORTH_A_CALL ? null : textInputKernels();
    if (kernels !== null) return this.#scannedInAddon(kernels, record, end, row);
    return this.#scan.scan(
      this.bytes,
      this.#bounds,
      record,
      end,
      this.#names,
      this.#skipsOthers,
      this.#nested,
      row,
      this,
    );
  }

  #scannedInAddon(kernels: TextInputKernels, record: number, end: number, row: number): number {
    const { bytes, numbers, slotCount, count, columns } = this.#names;
    const [others, nested] = [this.#skipsOthers ? 1 : 0, NESTED_NUMBERS.indexOf(this.#nested)];
    const settings = Int32Array.of(record, end, row, this.stride, columns, others, nested, count, slotCount);
    const { starts, ends, flags, facts } = this;
    return kernels.findJsonMembers(this.bytes, this.#bounds, settings, bytes, numbers, starts, ends, flags, facts);
  }

  /** Of all columns. @returns for how many rows there is room. */
  #makeRoom(least = 0): number {
    const { columns } = this.#names;
    if (this.facts.length < 2 * columns) this.facts = grown(this.facts, new Uint32Array(4 * columns));
    const stride = columns <= this.stride ? this.stride : Math.max(columns, 2 * this.stride);
    const most = Math.max(1, this.rowCount + least, Math.floor(this.#mostCells / stride));
    const rows = Math.min(this.#mostRows, most);
    if (stride !== this.stride || rows * stride > this.starts.length) {
      const cells = Math.max(rows, this.rowCount) * stride;
      this.starts = this.#moved(this.starts, new Int32Array(cells), stride);
      this.ends = this.#moved(this.ends, new Int32Array(cells), stride);
      this.flags = this.#moved(this.flags, new Uint8Array(cells), stride);
      this.stride = stride;
    }
    return Math.max(0, rows - this.rowCount);
  }

  #moved<T extends Int32Array | Uint8Array>(from: T, to: T, stride: number): T {
    for (let row = 0; row < this.rowCount; row += 1)
      to.set(from.subarray(row * this.stride, (row + 1) * this.stride), row * stride);
    return to;
  }

  /** Members of a record that was left. */
  #put({ names, values }: Members, record: number): void {
    this.#makeRoom(1);
    const first = this.rowCount * this.stride;
    for (const cells of [this.starts, this.ends, this.flags]) cells.fill(0, first, first + this.stride);
    for (let index = 0; index < names.length; index += 1) {
      const column = this.#names.columnOfName.get(names[index] as string) as number;
      this.#putValue(values[index] as JsonScalar, first, column);
    }
    this.#addRow(record);
  }

  #putValue(value: JsonScalar, first: number, column: number): void {
    this.#addFacts(column, value);
    this.starts[first + column] = this.ends[first + column] = this.#used;
    if (value === null) return;
    const text = ENCODER.encode(
      Object.is(value, -0) ? '-0' : typeof value === 'number' ? doubleText(value) : String(value),
    );
    const end = this.#used + text.length;
    if (end > this.bytes.length) this.bytes = grown(this.bytes, new Uint8Array(end + (end >>> 1)));
    this.bytes.set(text, this.#used);
    this.ends[first + column] = end;
    this.flags[first + column] = typeof value === 'string' ? QUOTED : PLAIN;
    this.#used = end;
  }

  #addRow(record: number): void {
    this.rowRecords[this.rowCount] = record;
    this.rowCount += 1;
  }

  #textOf(record: number): string | null {
    try {
      return DECODER.decode(this.bytes.subarray(this.#bounds[2 * record], this.#bounds[2 * record + 1]));
    } catch {
      return null;
    }
  }
}

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
