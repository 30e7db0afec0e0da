// A file of JSON -> its rows, block by block: once to find out types and faults, and again for the values.
import { ArgumentError, LimitError, isColkitError, parseDType } from '@colkit/io';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field } from '../source.ts';
import { rowBytesOf } from '../text-input/block-columns.ts';
import type { ColumnRange, TextBlock } from '../text-input/block-columns.ts';
import type { Plain } from '../text-input/plain-source.ts';
import { NO_UTF8_REMEDY, RejectedRows } from '../text-input/rejected-rows.ts';
import type { Fault } from '../text-input/rejected-rows.ts';
import { isWellFormed } from '../values/well-formed.ts';
import { CellChunks } from './cell-chunks.ts';
import { cellScalar } from './cell-scalars.ts';
import { ColumnKinds } from './column-kinds.ts';
import { findRecords } from './find-records.ts';
import type { JsonForm, Records } from './find-records.ts';
import { valueFitter } from './fitted-value.ts';
import type { FitValue } from './fitted-value.ts';
import type { JsonPlan } from './json-options.ts';
import { NameTable } from './name-table.ts';
import { NESTED, parseRecord } from './parse-record.ts';
import type { JsonScalar, Members } from './parse-record.ts';
import { readRecords } from './read-records.ts';
import type { RecordBlock } from './read-records.ts';
import { RecordCells } from './record-cells.ts';

/** Why a row cannot be taken. */
type Refusal = Omit<Fault, 'line'>;

const MOST_COLUMNS = 100_000;

export class JsonFile {
  readonly rejects: RejectedRows;
  readonly blocks: TextBlock[] = [];
  rowCount = 0;
  readonly #plain: Plain;
  readonly #plan: JsonPlan;
  readonly #columns = new Map<string, ColumnKinds>();
  /** Values of the first blocks, made of the types that were known then. */
  readonly #made = new Map<number, { readonly types: string; readonly chunks: readonly Chunk[] }>();
  #madeBytes = 0;
  readonly #names = new NameTable();
  readonly #cells: RecordCells;
  readonly #values = new CellChunks();
  /** Of the columns whose types are given. */
  readonly #given = new Map<string, FitValue>();
  #form: JsonForm = 'lines';

  constructor(plain: Plain, plan: JsonPlan) {
    this.#plain = plain;
    this.#plan = plan;
    this.#cells = new RecordCells(this.#names, plan.columns !== null, plan.nested);
    this.rejects = new RejectedRows(plain.name, plan.onError);
    for (const name of plan.columns ?? []) this.#column(name);
    for (const [name, info] of plan.types) this.#given.set(name, valueFitter(info));
  }

  /** Once: where rows lie, and the columns by all of them. @param blockBytes for tests. */
  async look(blockBytes?: number): Promise<readonly Field[]> {
    for await (const block of readRecords(this.#plain, this.#plan.signal, blockBytes)) {
      this.#form = block.form;
      const { starts, ends } = block.records;
      // Several times where rows would have too many cells for one.
      for (let first = 0, next: number; first < starts.length; first = next) {
        next = this.#lookAt(block, first);
        const { rowCount } = this.#cells;
        if (rowCount === 0) continue;
        const [start, end] = [starts[first] as number, ends[next - 1] as number];
        this.#make(this.blocks.length);
        const byteOffset = block.byteOffset + start;
        this.blocks.push({ byteOffset, byteLength: end - start, firstRow: this.rowCount, rowCount });
        this.rowCount += rowCount;
      }
    }
    return this.#fields();
  }

  /** Blocks that need not be parsed again: what was known when they were looked at is what all values say. */
  made(fields: readonly Field[]): ReadonlyMap<number, readonly Chunk[]> {
    const types = typesOf(fields);
    const kept = new Map<number, readonly Chunk[]>();
    for (const [block, made] of this.#made) if (made.types === types) kept.set(block, made.chunks);
    this.#made.clear();
    return kept;
  }

  async parse(fields: readonly Field[], block: TextBlock, wanted: ColumnRange): Promise<readonly Chunk[]> {
    const bytes = new Uint8Array(block.byteLength);
    await this.#plain.source.read(block.byteOffset, bytes, this.#plan.signal);
    return this.#parsed(fields, block, wanted, bytes);
  }

  parseSync(fields: readonly Field[], block: TextBlock, wanted: ColumnRange): readonly Chunk[] {
    const bytes = new Uint8Array(block.byteLength);
    this.#plain.source.readSync(block.byteOffset, bytes);
    return this.#parsed(fields, block, wanted, bytes);
  }

  async close(): Promise<void> {
    await this.#plain.close();
  }

  #parsed(
    fields: readonly Field[],
    { rowCount }: TextBlock,
    wanted: ColumnRange,
    bytes: Uint8Array<ArrayBuffer>,
  ): readonly Chunk[] {
    const records = findRecords(bytes, this.#form, this.#form === 'lines', 'looked at');
    this.#take(bytes, records, 0, true, () => undefined);
    if (this.#cells.rowCount !== rowCount) throw new Error(`the rows of ${this.#plain.name} are not what they were`);
    return this.#chunks(fields, wanted);
  }

  #column(name: string): ColumnKinds {
    let column = this.#columns.get(name);
    if (column !== undefined) return column;
    if (this.#columns.size === MOST_COLUMNS)
      throw new LimitError('ERR_LIMIT', `${this.#plain.name}: columns`, MOST_COLUMNS, MOST_COLUMNS + 1);
    column = new ColumnKinds(name, this.#plan.types.get(name) ?? null, this.#plan.text === 'fixed');
    this.#columns.set(name, column);
    this.#names.add(name);
    return column;
  }

  readonly #isRead = (name: string): boolean => this.#plan.columns === null || this.#columns.has(name);

  /** Rows from a record on. @returns the record behind them. */
  #lookAt({ bytes, records, firstLine }: RecordBlock, first: number): number {
    const refused: { readonly record: number; readonly fault: Refusal }[] = [];
    const lineOf = (record: number): number => records.lines[record] as number;
    const next = this.#take(bytes, records, first, false, (record, fault) => {
      refused.push({ record, fault });
    });
    refused.sort((one, other) => one.record - other.record);
    for (const { record, fault } of refused) this.rejects.add([{ ...fault, line: lineOf(record) }], 1, firstLine);
    const cells = this.#cells;
    let number = 0;
    for (const column of this.#columns.values()) {
      column.add(cells, number, (row) => firstLine + lineOf(cells.rowRecords[row] as number));
      number += 1;
    }
    return next;
  }

  /** The cells of records from one on that can be taken. @returns the record behind them. */
  #take(
    bytes: Uint8Array<ArrayBuffer>,
    records: Records,
    first: number,
    isWhole: boolean,
    refuse: (record: number, fault: Refusal) => void,
  ): number {
    const cells = this.#cells;
    const next = cells.read(bytes, records, first, isWhole, (text, record) => {
      const members = this.#members(text);
      if (isFault(members)) {
        refuse(record, members);
        return null;
      }
      for (const name of members.names) this.#column(name);
      return members;
    });
    if (this.#given.size > 0) this.#refuseUnfit(refuse);
    return next;
  }

  /** Leaves out rows with values that their given types do not take. */
  #refuseUnfit(refuse: (record: number, fault: Refusal) => void): void {
    const cells = this.#cells;
    const given = [...this.#given].flatMap(([name, fit]) => {
      const column = this.#names.columnOfName.get(name);
      return column === undefined ? [] : [{ name, fit, column }];
    });
    let taken: Uint8Array | null = null;
    for (let row = 0; row < cells.rowCount; row += 1) {
      // The one that stands first in its record is told.
      let [fault, place]: [Refusal | null, number] = [null, Infinity];
      for (const { name, fit, column } of given) {
        const cell = row * cells.stride + column;
        const value = cellScalar(cells, cell);
        if (fit(value) !== undefined || (cells.starts[cell] as number) > place) continue;
        [fault, place] = [this.#unfit(name, value), cells.starts[cell] as number];
      }
      if (fault === null) continue;
      taken ??= new Uint8Array(cells.rowCount).fill(1);
      taken[row] = 0;
      refuse(cells.rowRecords[row] as number, fault);
    }
    if (taken !== null) cells.keep(taken);
  }

  #unfit(name: string, value: JsonScalar): Refusal {
    return { expected: `${this.#plan.types.get(name)?.name ?? ''} ${inColumn(name)}`, found: shown(value) };
  }

  /** While there is room, and types do not depend on the longest text of all. */
  #make(block: number): void {
    const { memoryBytes, text } = this.#plan;
    if (text === 'fixed' || this.#madeBytes >= memoryBytes) return;
    let fields: readonly Field[];
    try {
      fields = this.#typed();
    } catch (error) {
      // Values without a type in common are told when all have been looked at.
      if (isColkitError(error)) return;
      throw error;
    }
    this.#made.set(block, { types: typesOf(fields), chunks: this.#chunks(fields, { start: 0, end: fields.length }) });
    this.#madeBytes += this.#cells.rowCount * rowBytesOf(fields.map(({ dtype }) => parseDType(dtype)));
  }

  /** The members of a record that are read, or why its row cannot be taken. @param text null: it is no UTF-8. */
  #members(text: string | null): Members | Refusal {
    if (text === null) return { expected: 'UTF-8', found: 'other bytes', remedy: NO_UTF8_REMEDY };
    const { nested } = this.#plan;
    const members = parseRecord(text, NESTED[nested], this.#isRead);
    if (typeof members === 'string') return { expected: 'an object for each row', found: members };
    if (members.refused !== null) {
      const [name, found] = members.refused;
      const expected = `one value ${inColumn(name)} ({ nested: 'text' } keeps lists and objects as text)`;
      return { expected, found };
    }
    const { names, values } = members;
    for (let index = 0; index < names.length; index += 1) {
      const fault = this.#fault(names[index] as string, values[index] as JsonScalar);
      if (fault !== null) return fault;
    }
    return members;
  }

  #fault(name: string, value: JsonScalar): Refusal | null {
    if (typeof value === 'number' && !Number.isFinite(value))
      return { expected: `a number that float64 holds ${inColumn(name)}`, found: 'a larger one' };
    if (typeof value === 'string' && !isWellFormed(value))
      return { expected: `well-formed text ${inColumn(name)}`, found: 'a lone surrogate' };
    const fit = this.#given.get(name);
    if (fit !== undefined && fit(value) === undefined) return this.#unfit(name, value);
    if (this.#plan.text === 'fixed' && typeof value === 'string' && value.endsWith('\0'))
      return { expected: `text without NULs at its end ${inColumn(name)}`, found: shown(value) };
    return null;
  }

  /** @throws ArgumentError ERR_SCHEMA where there are none, or one that was named is not there. */
  #fields(): readonly Field[] {
    const { types, optional } = this.#plan;
    const { name: path } = this.#plain;
    // Without rows nothing tells columns but their types: an empty batch of a known form is a table, too.
    for (const name of types.keys())
      if ((this.rowCount === 0 || optional.includes(name)) && this.#isRead(name)) this.#column(name).isSeen = true;
    for (const name of optional)
      if (!types.has(name)) throw new ArgumentError('ERR_SCHEMA', 'optional', 'columns of types', JSON.stringify(name));
    for (const [argument, names] of [
      ['types', types.keys()],
      ['columns', this.#plan.columns ?? []],
    ] as const)
      for (const name of names)
        if (this.#columns.get(name)?.isSeen !== true)
          throw new ArgumentError('ERR_SCHEMA', argument, `a column of ${path}`, JSON.stringify(name));
    if (this.#columns.size === 0)
      throw new ArgumentError('ERR_SCHEMA', path, 'at least one column', this.rowCount === 0 ? 'no rows' : 'none');
    return this.#typed();
  }

  #typed(): readonly Field[] {
    const { text } = this.#plan;
    return [...this.#columns.values()].map((column) => column.field(this.rowCount, text, this.#plain.name));
  }

  /** Of the rows that were taken last. */
  #chunks(fields: readonly Field[], { start, end }: ColumnRange): readonly Chunk[] {
    const dtypes = fields.map(({ dtype }, column) => (column >= start && column < end ? dtype : null));
    return this.#values.of(this.#cells, dtypes);
  }
}

function typesOf(fields: readonly Field[]): string {
  return fields.map(({ dtype }) => dtype).join(' ');
}

function inColumn(name: string): string {
  return `in column ${JSON.stringify(name)}`;
}

function isFault(members: Members | Refusal): members is Refusal {
  return 'expected' in members;
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
