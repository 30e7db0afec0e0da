// First pass over a file: names, the types of all columns over all rows, which rows must be left out, and where blocks of whole rows lie, so that the second pass can begin anywhere.
import { ArgumentError, LimitError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { Turns } from '../pieces.ts';
import type { Field } from '../source.ts';
import { fitsType } from './cell-types.ts';
import { ColumnGuess, isNullWord } from './column-guess.ts';
import type { CsvPlan } from './csv-options.ts';
import { MALFORMED, PLAIN, Tokenizer } from './tokenizer.ts';
import type { CellLengths } from './tokenizer.ts';
import { cellText } from './parse-chunk.ts';
import { isUtf8 } from './utf8.ts';

/** Whole rows that lie together. */
export interface CsvBlock {
  readonly byteOffset: number;
  readonly byteLength: number;
  /** Of the rows that are taken. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** One byte for each row that is there, 0: left out. Null: all are taken. */
  readonly accepted: Uint8Array | null;
  /** Where the cells are, so that the second pass need not look for them again; null where it must. */
  readonly lengths: CellLengths | null;
}

export interface RejectedRow {
  /** Where it begins: from 1. */
  readonly line: number;
  readonly reason: string;
}

/** Why a row cannot be taken. */
interface Fault {
  readonly expected: string;
  readonly found: string;
}

export interface CsvScan {
  readonly fields: readonly Field[];
  readonly rowCount: number;
  readonly blocks: readonly CsvBlock[];
  /** The first thousand of them. */
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
}

/** Bytes of a block: some ten milliseconds of work. */
const WINDOW_BYTES = 1 << 20;
const LONGEST_ROW = 1 << 28;
const MOST_REJECTED = 1000;
/** Bytes of lengths that are kept, one a cell: an eighth of a file or so. */
const KEPT_LENGTHS = 1 << 26;
const BOM = [0xef, 0xbb, 0xbf];

export async function scanCsv(source: RandomAccessSource, path: string, plan: CsvPlan): Promise<CsvScan> {
  const tokenizer = new Tokenizer(plan.dialect);
  const head = await readHead(source, path, plan, tokenizer);
  const pass = new FirstPass(path, plan, tokenizer, head.names.map((name) => new ColumnGuess(name, plan.types.get(name) ?? null)), head.lines);
  tokenizer.skipsBlank = head.names.length > 1;
  const turns = new Turns();
  let buffer = new Uint8Array(WINDOW_BYTES);
  let kept = 0;
  for (let offset = head.byteOffset; offset < source.byteLength;) {
    const wanted = Math.min(buffer.length - kept, source.byteLength - offset - kept);
    await source.read(offset + kept, buffer.subarray(kept, kept + wanted), plan.signal ?? undefined);
    const end = kept + wanted;
    const final = offset + end === source.byteLength;
    const consumed = tokenizer.tokenize(buffer, end, final);
    if (consumed === 0 && !final) {
      if (buffer.length >= LONGEST_ROW) throw new LimitError('ERR_LIMIT', `${path}: bytes of the row on line ${String(pass.line)}`, LONGEST_ROW, buffer.length);
      const grown = new Uint8Array(2 * buffer.length);
      grown.set(buffer.subarray(0, end));
      [buffer, kept] = [grown, end];
      continue;
    }
    pass.take(buffer, offset, consumed);
    buffer.copyWithin(0, consumed, end);
    kept = end - consumed;
    offset += consumed;
    await turns.pass(plan.signal ?? undefined);
  }
  return pass.result();
}

interface Head {
  readonly names: readonly string[];
  /** Where the rows begin. */
  readonly byteOffset: number;
  /** Lines before that. */
  readonly lines: number;
}

async function readHead(source: RandomAccessSource, path: string, plan: CsvPlan, tokenizer: Tokenizer): Promise<Head> {
  const bytes = new Uint8Array(Math.min(WINDOW_BYTES, source.byteLength));
  await source.read(0, bytes, plan.signal ?? undefined);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) throw new ArgumentError('ERR_VALUE', path, 'UTF-8', 'UTF-16');
  const start = BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0;
  const window = bytes.subarray(start);
  const consumed = tokenizer.tokenize(window, window.length, bytes.length === source.byteLength, 1);
  if (tokenizer.rowCount === 0 && bytes.length < source.byteLength) throw new LimitError('ERR_LIMIT', `${path}: bytes of the first row`, WINDOW_BYTES, source.byteLength);
  const cells = tokenizer.rowCells[1] ?? 0;
  const count = tokenizer.rowCount === 0 ? 0 : cells;
  if (count === 0 && plan.names === null) throw new ArgumentError('ERR_SCHEMA', path, 'at least one column', 'no rows');
  const own = plan.header ? Array.from({ length: count }, (_, cell) => cellText(window, tokenizer, cell)) : Array.from({ length: count }, (_, cell) => `column${String(cell)}`);
  if (plan.names !== null && count !== 0 && plan.names.length !== count) throw new ArgumentError('ERR_SCHEMA', 'names', `${String(count)} names, as many as there are columns`, String(plan.names.length));
  const names = plan.names ?? own;
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new ArgumentError('ERR_SCHEMA', path, 'each column name once ({ names } gives others)', `${JSON.stringify(twice)} twice`);
  for (const name of plan.types.keys()) if (!names.includes(name)) throw new ArgumentError('ERR_SCHEMA', 'types', `columns of ${path}: ${names.slice(0, 20).join(', ')}`, JSON.stringify(name));
  return plan.header ? { names, byteOffset: start + consumed, lines: tokenizer.lineCount } : { names, byteOffset: start, lines: 0 };
}

class FirstPass {
  readonly #path: string;
  readonly #plan: CsvPlan;
  readonly #tokenizer: Tokenizer;
  readonly #columns: readonly ColumnGuess[];
  readonly #blocks: CsvBlock[] = [];
  readonly #rejected: RejectedRow[] = [];
  #rejectedCount = 0;
  #rowCount = 0;
  #keptLengths = 0;
  #lines: number;
  #ascii = true;

  constructor(path: string, plan: CsvPlan, tokenizer: Tokenizer, columns: readonly ColumnGuess[], lines: number) {
    this.#path = path;
    this.#plan = plan;
    this.#tokenizer = tokenizer;
    this.#columns = columns;
    this.#lines = lines;
  }

  /** The line that the next block begins on, from 1. */
  get line(): number {
    return this.#lines + 1;
  }

  take(bytes: Uint8Array, byteOffset: number, byteLength: number): void {
    const { rowCount, lineCount } = this.#tokenizer;
    const accepted = this.#accept(bytes, byteLength);
    const taken = accepted === null ? rowCount : accepted.reduce((sum, mark) => sum + mark, 0);
    for (const [position, column] of this.#columns.entries()) column.look(bytes, this.#tokenizer, position, this.#plan.nullWords, accepted);
    const lengths = accepted === null && this.#keptLengths < KEPT_LENGTHS ? this.#tokenizer.lengths(this.#columns.length, byteLength) : null;
    this.#keptLengths += lengths?.bytes.length ?? 0;
    if (byteLength > 0) this.#blocks.push({ byteOffset, byteLength, firstRow: this.#rowCount, rowCount: taken, accepted, lengths });
    this.#rowCount += taken;
    this.#lines += lineCount;
  }

  result(): CsvScan {
    return { fields: this.#columns.map((column) => column.field(this.#plan.text, this.#ascii)), rowCount: this.#rowCount, blocks: this.#blocks, rejected: this.#rejected, rejectedCount: this.#rejectedCount };
  }

  /** Which rows can be taken; null: all. @throws ArgumentError for the first that cannot, unless they are to be skipped. */
  #accept(bytes: Uint8Array, byteLength: number): Uint8Array | null {
    const { rowCount, rowCells, flags } = this.#tokenizer;
    const text = isUtf8(bytes.subarray(0, byteLength));
    if (text !== 'ascii') this.#ascii = false;
    const given = this.#columns.some((column) => column.given !== null);
    let accepted: Uint8Array | null = null;
    for (let row = 0; row < rowCount; row += 1) {
      const first = rowCells[row] as number;
      const next = rowCells[row + 1] as number;
      let fault: Fault | null = null;
      if (next - first !== this.#columns.length) fault = { expected: `${String(this.#columns.length)} cells`, found: String(next - first) };
      for (let cell = first; cell < next && fault === null; cell += 1) if (flags[cell] === MALFORMED) fault = { expected: 'quotes in pairs', found: `broken ones in cell ${String(cell - first + 1)}` };
      if (fault === null && text === 'neither') fault = this.#encodingFault(bytes, first, next);
      if (fault === null && given) fault = this.#typeFault(bytes, first);
      if (fault === null) continue;
      this.#reject(row, fault);
      accepted ??= new Uint8Array(rowCount).fill(1);
      accepted[row] = 0;
    }
    return accepted;
  }

  #encodingFault(bytes: Uint8Array, first: number, next: number): Fault | null {
    const { starts, ends } = this.#tokenizer;
    for (let cell = first; cell < next; cell += 1) if (isUtf8(bytes.subarray(starts[cell], ends[cell])) === 'neither') return { expected: 'UTF-8', found: `other bytes in cell ${String(cell - first + 1)}` };
    return null;
  }

  #typeFault(bytes: Uint8Array, first: number): Fault | null {
    const { starts, ends, flags } = this.#tokenizer;
    for (const [position, { given, name }] of this.#columns.entries()) {
      if (given === null) continue;
      const cell = first + position;
      const [start, end] = [starts[cell] as number, ends[cell] as number];
      if (flags[cell] === PLAIN && isNullWord(bytes, start, end, this.#plan.nullWords)) continue;
      if (fitsType(given, bytes, start, end, () => cellText(bytes, this.#tokenizer, cell))) continue;
      return { expected: `${given.name} in column ${JSON.stringify(name)}`, found: JSON.stringify(cellText(bytes, this.#tokenizer, cell).slice(0, 80)) };
    }
    return null;
  }

  #reject(row: number, { expected, found }: Fault): void {
    const line = this.line + (this.#tokenizer.rowLines[row] as number);
    if (this.#plan.onError === 'stop') throw new ArgumentError('ERR_VALUE', `${this.#path}: line ${String(line)}`, expected, `${found} ({ onError: 'skip' } leaves such rows out)`);
    this.#rejectedCount += 1;
    if (this.#rejected.length < MOST_REJECTED) this.#rejected.push({ line, reason: `expected ${expected} but found ${found}` });
  }
}
