// A file of JSON -> its rows, block by block: once to find out types and faults, and again for the values.
import { ArgumentError, LimitError, isColkitError, parseDType } from '@colkit/io';
import { WorkContext } from '@colkit/io/effects';
import type { Chunk } from '../chunk/chunk.ts';
import { toInputColumns } from '../input/columns.ts';
import type { InputColumn } from '../input/input-columns.ts';
import { typed } from '../input/typed.ts';
import type { InputValue } from '../input/typed.ts';
import type { Field } from '../source.ts';
import { rowBytesOf } from '../text-input/block-columns.ts';
import type { TextBlock } from '../text-input/block-columns.ts';
import { TextChunks } from '../text-input/text-chunk.ts';
import type { Plain } from '../text-input/plain-source.ts';
import { RejectedRows } from '../text-input/rejected-rows.ts';
import type { Fault } from '../text-input/rejected-rows.ts';
import { isWellFormed } from '../values/well-formed.ts';
import { AlikeRecords } from './alike-records.ts';
import { ColumnKinds } from './column-kinds.ts';
import { findRecords } from './find-records.ts';
import type { JsonForm } from './find-records.ts';
import { valueFitter } from './fitted-value.ts';
import type { FitValue } from './fitted-value.ts';
import type { JsonPlan } from './json-options.ts';
import { NESTED, parseRecord } from './parse-record.ts';
import type { JsonScalar, Members } from './parse-record.ts';
import { readRecords, recordTexts } from './read-records.ts';
import type { RecordBlock } from './read-records.ts';

const MOST_COLUMNS = 100_000;
/** Of reads that wait for nothing. */
const AT_HAND = new WorkContext();

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
  readonly #texts = new TextChunks();
  /** Of the columns whose types are given. */
  readonly #given = new Map<string, FitValue>();
  /** The names of the last record, and their columns. */
  readonly #lastNames: string[] = [];
  readonly #lastColumns: ColumnKinds[] = [];
  #form: JsonForm = 'lines';

  constructor(plain: Plain, plan: JsonPlan) {
    this.#plain = plain;
    this.#plan = plan;
    this.rejects = new RejectedRows(plain.name, plan.onError);
    for (const name of plan.columns ?? []) this.#column(name);
    for (const [name, info] of plan.types) this.#given.set(name, valueFitter(info));
  }

  /** Once: where rows lie, and the columns by all of them. @param blockBytes for tests. */
  async look(blockBytes?: number): Promise<readonly Field[]> {
    for await (const block of readRecords(this.#plain, this.#plan.signal, blockBytes)) {
      this.#form = block.form;
      const firstRow = this.rowCount;
      const rows = this.#lookAt(block);
      const { byteOffset, records } = block;
      const rowCount = rows.length;
      this.rowCount += rowCount;
      if (rowCount === 0) continue;
      this.#make(this.blocks.length, rows);
      this.blocks.push({ byteOffset, byteLength: records.byteLength, firstRow, rowCount });
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

  async parse(fields: readonly Field[], block: TextBlock): Promise<readonly Chunk[]> {
    const bytes = new Uint8Array(block.byteLength);
    await this.#plain.source.read(block.byteOffset, bytes, this.#plan.signal);
    return this.#chunks(fields, block, bytes);
  }

  parseSync(fields: readonly Field[], block: TextBlock): readonly Chunk[] {
    const bytes = new Uint8Array(block.byteLength);
    this.#plain.source.readSync(block.byteOffset, bytes);
    return this.#chunks(fields, block, bytes);
  }

  async close(): Promise<void> {
    await this.#plain.close();
  }

  #column(name: string): ColumnKinds {
    let column = this.#columns.get(name);
    if (column !== undefined) return column;
    if (this.#columns.size === MOST_COLUMNS)
      throw new LimitError('ERR_LIMIT', `${this.#plain.name}: columns`, MOST_COLUMNS, MOST_COLUMNS + 1);
    column = new ColumnKinds(name, this.#plan.types.get(name) ?? null);
    this.#columns.set(name, column);
    return column;
  }

  readonly #alike = new AlikeRecords();
  readonly #learn = (written: readonly string[]): void => this.#alike.learn(written, this.#isRead);
  readonly #isRead = (name: string): boolean => this.#plan.columns === null || this.#columns.has(name);

  /** @returns The records of the rows that can be taken. */
  #lookAt({ bytes, records, firstLine }: RecordBlock): readonly Members[] {
    const rows: Members[] = [];
    for (const [record, text] of recordTexts(bytes, records).entries()) {
      const line = records.lines[record] as number;
      const members = this.#members(text);
      if (isFault(members)) {
        this.rejects.add([{ ...members, line }], 1, firstLine);
        continue;
      }
      const { names, values } = members;
      for (let index = 0; index < names.length; index += 1)
        this.#columnAt(index, names[index] as string).add(values[index] as JsonScalar, firstLine + line);
      rows.push(members);
    }
    return rows;
  }

  /** While there is room, and types do not depend on the longest text of all. */
  #make(block: number, rows: readonly Members[]): void {
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
    this.#made.set(block, { types: typesOf(fields), chunks: chunksOf(fields, rows, this.#texts) });
    this.#madeBytes += rows.length * rowBytesOf(fields.map(({ dtype }) => parseDType(dtype)));
  }

  /** Records have mostly the names of the one before, in the same order. */
  #columnAt(index: number, name: string): ColumnKinds {
    if (this.#lastNames[index] !== name) {
      this.#lastColumns[index] = this.#column(name);
      this.#lastNames[index] = name;
    }
    return this.#lastColumns[index] as ColumnKinds;
  }

  /** The members of a record that are read, or why its row cannot be taken. @param text null: it is no UTF-8. */
  #members(text: string | null): Members | Omit<Fault, 'line'> {
    if (text === null) return { expected: 'UTF-8', found: 'other bytes' };
    const { nested } = this.#plan;
    const members = this.#alike.parse(text) ?? parseRecord(text, NESTED[nested], this.#isRead, this.#learn);
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

  #fault(name: string, value: JsonScalar): Omit<Fault, 'line'> | null {
    if (typeof value === 'number' && !Number.isFinite(value))
      return { expected: `a number that float64 holds ${inColumn(name)}`, found: 'a larger one' };
    if (typeof value === 'string' && !isWellFormed(value))
      return { expected: `well-formed text ${inColumn(name)}`, found: 'a lone surrogate' };
    const fit = this.#given.get(name);
    if (fit !== undefined && fit(value) === undefined)
      return { expected: `${this.#plan.types.get(name)?.name ?? ''} ${inColumn(name)}`, found: shown(value) };
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

  #chunks(fields: readonly Field[], { rowCount }: TextBlock, bytes: Uint8Array): readonly Chunk[] {
    const records = findRecords(bytes, this.#form, this.#form === 'lines', 'looked at');
    const rows: Members[] = [];
    for (const text of recordTexts(bytes, records)) {
      const members = this.#members(text);
      if (!isFault(members)) rows.push(members);
    }
    if (rows.length !== rowCount) throw new Error(`the rows of ${this.#plain.name} are not what they were`);
    return chunksOf(fields, rows, this.#texts);
  }
}

function typesOf(fields: readonly Field[]): string {
  return fields.map(({ dtype }) => dtype).join(' ');
}

/** @param rows whose names are all among the fields. */
function chunksOf(fields: readonly Field[], rows: readonly Members[], texts: TextChunks): readonly Chunk[] {
  const rowCount = rows.length;
  const infos = fields.map(({ dtype }) => parseDType(dtype));
  const columns = fields.map(() => new Array<InputValue>(rowCount).fill(null));
  const fitters = infos.map(valueFitter);
  const columnOf = new Map(fields.map(({ name }, column) => [name, column]));
  for (const [row, { names, values }] of rows.entries()) {
    for (let index = 0; index < names.length; index += 1) {
      // Names are mostly in the order of the columns.
      const name = names[index] as string;
      const column = fields[index]?.name === name ? index : (columnOf.get(name) as number);
      (columns[column] as InputValue[])[row] = (fitters[column] as FitValue)(values[index] as JsonScalar) ?? null;
    }
  }
  return infos.map((info, column) => {
    const values = columns[column] as InputValue[];
    if (info.kind === 'string') return texts.of(values as (string | null)[]);
    const [input] = toInputColumns([['', typed(info.name, values)]]).columns;
    return (input as InputColumn).read(0, rowCount).runSync(AT_HAND);
  });
}

function inColumn(name: string): string {
  return `in column ${JSON.stringify(name)}`;
}

function isFault(members: Members | Omit<Fault, 'line'>): members is Omit<Fault, 'line'> {
  return 'expected' in members;
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
