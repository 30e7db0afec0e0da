// A file of JSON -> its rows, block by block: once to find out types and faults, and again for the values.
import { ArgumentError, LimitError, parseDType } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { WorkContext } from '@colkit/io/effects';
import type { Chunk } from '../chunk/chunk.ts';
import { toInputColumns } from '../input/columns.ts';
import { typed } from '../input/typed.ts';
import type { InputValue } from '../input/typed.ts';
import type { Field } from '../source.ts';
import type { TextBlock } from '../text-input/block-columns.ts';
import type { Plain } from '../text-input/plain-source.ts';
import { RejectedRows } from '../text-input/rejected-rows.ts';
import type { Fault } from '../text-input/rejected-rows.ts';
import { isWellFormed } from '../values/well-formed.ts';
import { ColumnKinds } from './column-kinds.ts';
import { findRecords } from './find-records.ts';
import type { JsonForm } from './find-records.ts';
import { fittedValue } from './fitted-value.ts';
import type { JsonPlan } from './json-options.ts';
import { NESTED, parseRecord } from './parse-record.ts';
import type { JsonScalar } from './parse-record.ts';
import { readRecords } from './read-records.ts';
import type { RecordBlock } from './read-records.ts';

const MOST_COLUMNS = 100_000;
/** Of reads that wait for nothing. */
const AT_HAND = new WorkContext();

type Values = readonly (readonly [name: string, value: JsonScalar])[];

export class JsonFile {
  readonly rejects: RejectedRows;
  readonly blocks: TextBlock[] = [];
  rowCount = 0;
  readonly #plain: Plain;
  readonly #plan: JsonPlan;
  readonly #columns = new Map<string, ColumnKinds>();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #form: JsonForm = 'lines';

  constructor(plain: Plain, plan: JsonPlan) {
    this.#plain = plain;
    this.#plan = plan;
    this.rejects = new RejectedRows(plain.name, plan.onError);
    for (const name of plan.columns ?? []) this.#column(name);
  }

  /** Once: where rows lie, and the columns by all of them. @param blockBytes for tests. */
  async look(blockBytes?: number): Promise<readonly Field[]> {
    for await (const block of readRecords(this.#plain, this.#plan.signal, blockBytes)) {
      this.#form = block.form;
      const firstRow = this.rowCount;
      this.#lookAt(block);
      const { byteOffset, records } = block;
      const rowCount = this.rowCount - firstRow;
      if (rowCount > 0) this.blocks.push({ byteOffset, byteLength: records.byteLength, firstRow, rowCount });
    }
    return this.#fields();
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

  readonly #isRead = (name: string): boolean => this.#plan.columns === null || this.#columns.has(name);

  #lookAt({ bytes, records, firstLine }: RecordBlock): void {
    const { starts, ends, lines } = records;
    for (const [record, start] of starts.entries()) {
      const line = lines[record] as number;
      const members = this.#members(bytes.subarray(start, ends[record]));
      if (isFault(members)) {
        this.rejects.add([{ ...members, line }], 1, firstLine);
        continue;
      }
      for (const [name, value] of members) this.#column(name).add(value, firstLine + line);
      this.rowCount += 1;
    }
  }

  /** The members of a record that are read, or why its row cannot be taken. */
  #members(bytes: Uint8Array): Values | Omit<Fault, 'line'> {
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      return { expected: 'UTF-8', found: 'other bytes' };
    }
    const { nested } = this.#plan;
    const members = parseRecord(text, NESTED[nested], this.#isRead);
    if (typeof members === 'string') return { expected: 'an object for each row', found: members };
    if (members.refused !== null) {
      const [name, found] = members.refused;
      const column = `column ${JSON.stringify(name)}`;
      return { expected: `one value in ${column} ({ nested: 'text' } keeps lists and objects as text)`, found };
    }
    for (const [name, value] of members.values) {
      const fault = this.#fault(name, value);
      if (fault !== null) return fault;
    }
    return members.values;
  }

  #fault(name: string, value: JsonScalar): Omit<Fault, 'line'> | null {
    const given = this.#plan.types.get(name);
    const column = `column ${JSON.stringify(name)}`;
    if (typeof value === 'number' && !Number.isFinite(value))
      return { expected: `a number that float64 holds in ${column}`, found: 'a larger one' };
    if (typeof value === 'string' && !isWellFormed(value))
      return { expected: `well-formed text in ${column}`, found: 'a lone surrogate' };
    if (given !== undefined && fittedValue(value, given) === undefined)
      return { expected: `${given.name} in ${column}`, found: shown(value) };
    if (this.#plan.text === 'fixed' && typeof value === 'string' && value.endsWith('\0'))
      return { expected: `text without NULs at its end in ${column}`, found: shown(value) };
    return null;
  }

  /** @throws ArgumentError ERR_SCHEMA where there are none, or one that was named is not there. */
  #fields(): readonly Field[] {
    const { types, text, optional } = this.#plan;
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
    return [...this.#columns.values()].map((column) => column.field(this.rowCount, text, path));
  }

  #chunks(fields: readonly Field[], { rowCount }: TextBlock, bytes: Uint8Array): readonly Chunk[] {
    const { starts, ends } = findRecords(bytes, this.#form, this.#form === 'lines', 'looked at');
    const values = fields.map(() => new Array<InputValue>(rowCount).fill(null));
    const infos = fields.map(({ dtype }) => parseDType(dtype));
    const columnOf = new Map(fields.map(({ name }, column) => [name, column]));
    let row = 0;
    for (const [record, start] of starts.entries()) {
      const members = this.#members(bytes.subarray(start, ends[record]));
      if (isFault(members)) continue;
      for (const [name, value] of members) {
        const column = columnOf.get(name) as number;
        (values[column] as InputValue[])[row] = fittedValue(value, infos[column] as DTypeInfo) ?? null;
      }
      row += 1;
    }
    if (row !== rowCount) throw new Error(`the rows of ${this.#plain.name} are not what they were`);
    return toInputColumns(
      fields.map(({ name, dtype }, column) => [name, typed(dtype, values[column] as InputValue[])] as const),
    ).columns.map((column) => column.read(0, rowCount).runSync(AT_HAND));
  }
}

function isFault(members: Values | Omit<Fault, 'line'>): members is Omit<Fault, 'line'> {
  return 'expected' in members;
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
