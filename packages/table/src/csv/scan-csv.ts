// First pass over a file: names, the types of all columns over all rows, which rows must be left out, and where blocks of whole rows lie, so that the second pass can begin anywhere.
import { LimitError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { Turns } from '../pieces.ts';
import type { Field } from '../source.ts';
import { acceptRows } from './accept-rows.ts';
import { ColumnGuess } from './column-guess.ts';
import { LONGEST_ROW, WINDOW_BYTES, readHead } from './csv-head.ts';
import type { CsvPlan } from './csv-options.ts';
import { RejectedRows } from './rejected-rows.ts';
import type { RejectedRow } from './rejected-rows.ts';
import { Tokenizer } from './tokenizer.ts';
import type { CellLengths } from './tokenizer.ts';

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

export interface CsvScan {
  readonly fields: readonly Field[];
  readonly rowCount: number;
  readonly blocks: readonly CsvBlock[];
  /** The first thousand of them. */
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
}

/** Bytes of lengths that are kept, one a cell: an eighth of a file or so. */
const KEPT_LENGTHS = 1 << 26;

export async function scanCsv(source: RandomAccessSource, path: string, plan: CsvPlan): Promise<CsvScan> {
  const tokenizer = new Tokenizer(plan.dialect);
  const head = await readHead(source, path, plan, tokenizer);
  const pass = new FirstPass(path, plan, tokenizer, head.names.map((name) => new ColumnGuess(name, plan.types.get(name) ?? null)), head.lines);
  tokenizer.skipsBlank = head.names.length > 1;
  tokenizer.columns = head.names.length;
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

class FirstPass {
  readonly #plan: CsvPlan;
  readonly #tokenizer: Tokenizer;
  readonly #columns: readonly ColumnGuess[];
  readonly #blocks: CsvBlock[] = [];
  readonly #rejects: RejectedRows;
  #rowCount = 0;
  #keptLengths = 0;
  #lines: number;
  #ascii = true;

  constructor(path: string, plan: CsvPlan, tokenizer: Tokenizer, columns: readonly ColumnGuess[], lines: number) {
    this.#plan = plan;
    this.#rejects = new RejectedRows(path, plan.onError);
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
    return { fields: this.#columns.map((column) => column.field(this.#plan.text, this.#ascii)), rowCount: this.#rowCount, blocks: this.#blocks, rejected: this.#rejects.rows, rejectedCount: this.#rejects.count };
  }

  /** Which rows can be taken; null: all. @throws ArgumentError for the first that cannot, unless they are to be skipped. */
  #accept(bytes: Uint8Array, byteLength: number): Uint8Array | null {
    const { accepted, faults, faultCount, ascii } = acceptRows(bytes, byteLength, this.#tokenizer, this.#columns, this.#plan.nullWords, this.#plan.onError);
    if (!ascii) this.#ascii = false;
    this.#rejects.add(faults, faultCount, this.line);
    return accepted;
  }
}
