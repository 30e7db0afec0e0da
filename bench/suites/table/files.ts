// A table's raw files, which every peer reads: `<column>.bin` of little-endian numbers; of a text column 16-bit codes
// (65535 is null) into `<column>.json`, its distinct values, sorted. Beside them the question as JSON and the rows that
// are taken.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteContext } from '../../src/checkouts/peer.ts';
import type { RawDType, TableColumn, TableQuestion } from './question.ts';

export const NULL_CODE = 0xffff;
const CHUNK_ROWS = 1 << 18;

export type RawArray = BigInt64Array | Float64Array | Int32Array | Int16Array | Uint16Array;

/** A column's raw values; of text, codes into `dictionary`. */
export interface RawColumn {
  readonly column: TableColumn;
  readonly values: RawArray;
  readonly dictionary: readonly string[];
}

/** What all tasks of all peers work on. */
export interface TableInputs {
  readonly question: TableQuestion;
  readonly rowCount: number;
  /** Distinct rows in no order. */
  readonly take: Int32Array;
  /** A slice of a fiftieth of the rows. */
  readonly slice: { readonly start: number; readonly end: number };
  /** Of the text columns. */
  readonly dictionaries: ReadonlyMap<string, readonly string[]>;
}

/** Numbers that follow from the row count; Python reads them too. */
export function tableParameters(rows: number): Record<string, number> {
  return {
    rows,
    takeRows: Math.min(10_000, rows / 5),
    sliceStart: Math.floor(rows * 0.35),
    sliceRows: Math.floor(rows / 50),
  };
}

/** Writes columns as their rows come, a chunk at a time: memory does not grow with the rows. */
export class TableFilesWriter {
  readonly #directory: string;
  readonly #question: TableQuestion;
  readonly #columns: readonly {
    readonly fd: number;
    readonly chunk: RawArray;
    readonly codes: Map<string, number> | null;
  }[];
  #filled = 0;
  #rows = 0;

  /** `dictionaries`: the distinct values of each text column, in any order. */
  constructor(directory: string, question: TableQuestion, dictionaries: ReadonlyMap<string, readonly string[]>) {
    this.#directory = directory;
    this.#question = question;
    this.#columns = question.columns.map(({ name, dtype }) => {
      const sorted = dictionaries.get(name)?.slice().sort();
      if (sorted !== undefined) writeFileSync(join(directory, `${name}.json`), JSON.stringify(sorted));
      const codes = sorted === undefined ? null : new Map(sorted.map((text, code) => [text, code]));
      return { fd: openSync(join(directory, `${name}.bin`), 'w'), chunk: rawArray(dtype, CHUNK_ROWS), codes };
    });
  }

  /** One row, in the question's order; texts as such, null where there is none. */
  add(row: readonly (number | string | null)[]): void {
    for (let c = 0; c < this.#columns.length; c++) {
      const { chunk, codes } = this.#columns[c] as { chunk: RawArray; codes: Map<string, number> | null };
      const value = row[c];
      if (codes !== null) chunk[this.#filled] = value === null ? NULL_CODE : (codes.get(value as string) as number);
      else if (chunk instanceof BigInt64Array) chunk[this.#filled] = BigInt(value as number);
      else chunk[this.#filled] = value as number;
    }
    this.#rows++;
    if (++this.#filled === CHUNK_ROWS) this.#flush();
  }

  /** Finishes the columns and writes what the tasks need: the question and the rows to take. */
  close(takeRows: number): void {
    this.#flush();
    for (const { fd } of this.#columns) closeSync(fd);
    writeFileSync(join(this.#directory, 'question.json'), JSON.stringify(this.#question));
    writeFileSync(join(this.#directory, 'take.bin'), distinctRows(takeRows, this.#rows));
  }

  #flush(): void {
    for (const { fd, chunk } of this.#columns) writeSync(fd, chunk.subarray(0, this.#filled));
    this.#filled = 0;
  }
}

export function readInputs({ directory, parameters }: SuiteContext): TableInputs {
  const question = JSON.parse(readFileSync(join(directory, 'question.json'), 'utf8')) as TableQuestion;
  const start = parameters['sliceStart'] ?? 0;
  return {
    question,
    rowCount: parameters['rows'] ?? 0,
    take: new Int32Array(readWhole(join(directory, 'take.bin'))),
    slice: { start, end: start + (parameters['sliceRows'] ?? 0) },
    dictionaries: new Map(
      question.columns
        .filter(({ dtype }) => dtype === 'string')
        .map(({ name }) => [name, JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as string[]]),
    ),
  };
}

/** All raw columns, in the question's order. */
export function readRawColumns({ directory }: SuiteContext, { question, dictionaries }: TableInputs): RawColumn[] {
  return question.columns.map((column) => {
    const buffer = readWhole(join(directory, `${column.name}.bin`));
    return { column, values: rawArray(column.dtype, buffer), dictionary: dictionaries.get(column.name) ?? [] };
  });
}

/** A text column's values as JavaScript strings and nulls. */
export function textsOf({ values, dictionary }: RawColumn): (string | null)[] {
  return Array.from(values as Uint16Array, (code) => dictionary[code] ?? null);
}

function rawArray(dtype: RawDType, of: number | ArrayBuffer): RawArray {
  // Each constructor takes a length as well as a buffer; TypeScript wants to know which.
  const made = <T>(array: { new (length: number): T; new (buffer: ArrayBuffer): T }): T =>
    typeof of === 'number' ? new array(of) : new array(of);
  switch (dtype) {
    case 'int64':
    case 'datetime64[ms]':
      return made(BigInt64Array);
    case 'float64':
      return made(Float64Array);
    case 'int32':
      return made(Int32Array);
    case 'int16':
      return made(Int16Array);
    case 'string':
      return made(Uint16Array);
  }
}

function distinctRows(count: number, rows: number): Int32Array {
  // Multiplying by a number that has no divisor in common with the row count visits rows far apart from each other,
  // each at most once.
  let step = Math.floor(rows * 0.6180339887);
  while (divisor(step, rows) !== 1) step++;
  return Int32Array.from({ length: count }, (_, i) => Number((BigInt(i) * BigInt(step) + 7n) % BigInt(rows)));
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

function readWhole(path: string): ArrayBuffer {
  const bytes = readFileSync(path);
  return bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length
    ? bytes.buffer
    : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}
