// Bytes of whole rows -> what a pass over a file wants to know of them, and their values, as long as the types that are
// expected are those that they have. Knows nothing of the rest of the file, so that blocks can be parsed anywhere and
// in any order: what goes in and out can be sent to another thread.
import { parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { AddonColumns } from '../../text-input/cells/addon-columns.ts';
import { acceptRows } from './accept-rows.ts';
import type { ExpectedColumn } from './accept-rows.ts';
import type { Fault } from '../../text-input/rejected-rows.ts';
import { ANY } from '../../text-input/cells/classify.ts';
import { columnCells } from '../cells/column-of-rows.ts';
import { columnChunk } from '../../text-input/cells/column-chunk.ts';
import { ColumnGuess } from '../cells/column-guess.ts';
import type { ColumnFacts } from '../cells/column-guess.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import type { TypedChunk } from '../../text-input/cells/typed-chunks.ts';
import { givenChunk } from './given-chunk.ts';
import { Slab, valueBytes } from '../../chunk/slab.ts';
import { TextTable } from '../../chunk/text-table.ts';
import { Tokenizer } from '../cells/tokenizer.ts';
import type { Dialect } from '../cells/tokenizer.ts';

/** What holds for all blocks of a file. */
export interface BlockPlan {
  readonly dialect: Dialect;
  /** Of each row. */
  readonly cellCount: number;
  /** Those that are read. `cell`: which of a row; `given`: the type that the caller gave; null: to be found out. */
  readonly columns: readonly { readonly name: string; readonly cell: number; readonly given: DType | null }[];
  readonly nullWords: readonly Uint8Array[];
  readonly onError: 'stop' | 'skip';
}

export interface BlockTask {
  /** From the beginning of a row on. */
  readonly bytes: Uint8Array;
  /** Whether nothing follows: then the last row needs no line break. */
  readonly final: boolean;
  /** The type that each column is expected to have; null: no values are wanted, or none of the column. */
  readonly dtypes: readonly (DType | null)[] | null;
  /** For each column the types that it could still have, by all that is known. */
  readonly types: readonly number[];
  /** Memory for the values that nobody uses; what there is no room for gets memory of its own. */
  readonly spare?: SharedArrayBuffer | null;
}

export interface ParsedBlock {
  /** Bytes of the whole rows. */
  readonly byteLength: number;
  /** Rows that are taken. */
  readonly rowCount: number;
  readonly lineCount: number;
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly facts: readonly ColumnFacts[];
  /** Whether all bytes of the rows are ASCII. */
  readonly isAscii: boolean;
  /** For each column how many moments had an offset, and became UTC; null: none. */
  readonly shifted: readonly number[] | null;
  /** Of the columns whose values are wanted; null where one has another type than was expected, or none was. */
  readonly chunks: readonly Chunk[] | null;
}

/** Each column can have every type. */
export function anyTypes(columns: number): number[] {
  return new Array<number>(columns).fill(ANY);
}

export class BlockParser {
  readonly #plan: BlockPlan;
  readonly #columns: readonly ExpectedColumn[];
  readonly #tokenizer: Tokenizer;
  readonly #texts = new TextTable();
  readonly #addon: AddonColumns;

  constructor(plan: BlockPlan) {
    this.#plan = plan;
    this.#columns = plan.columns.map((column) => ({
      ...column,
      given: column.given === null ? null : parseDType(column.given),
    }));
    this.#tokenizer = new Tokenizer(plan.dialect);
    this.#tokenizer.skipsBlank = plan.cellCount > 1;
    this.#tokenizer.columns = plan.cellCount;
    this.#addon = new AddonColumns(plan.nullWords, plan.dialect.quote);
  }

  parse({ bytes, final, dtypes, types, spare = null }: BlockTask): ParsedBlock {
    const tokenizer = this.#tokenizer;
    const byteLength = tokenizer.tokenize(bytes, bytes.length, final);
    const { cellCount, nullWords, onError } = this.#plan;
    const { accepted, faults, faultCount, ascii, shifted } = acceptRows(
      bytes,
      byteLength,
      tokenizer,
      cellCount,
      this.#columns,
      nullWords,
      onError,
    );
    const { rowCount, lineCount } = tokenizer;
    const taken = accepted === null ? rowCount : accepted.reduce((sum, mark) => sum + mark, 0);
    const slab = new Slab(dtypes === null ? 0 : valueBytes(dtypes, taken), spare);
    const facts: ColumnFacts[] = [];
    let chunks: Chunk[] | null = dtypes === null || (faultCount > 0 && onError === 'stop') ? null : [];
    const inAddon =
      dtypes === null || chunks === null || accepted !== null
        ? null
        : this.#addon.parse(bytes, tokenizer, cellCount, this.#byCell(dtypes), slab);
    for (let column = 0; column < this.#columns.length; column += 1) {
      const dtype = dtypes?.[column];
      if (dtype === null) continue;
      const typed =
        chunks === null || dtype === undefined
          ? null
          : (inAddon?.[this.#cell(column)] ?? this.#chunk(bytes, column, dtype, accepted, taken, slab));
      if (typed === null) chunks = null;
      else chunks?.push(typed.chunk);
      facts.push(this.#facts(bytes, column, types[column] as number, accepted, taken, typed));
    }
    return { byteLength, rowCount: taken, lineCount, faults, faultCount, facts, isAscii: ascii, shifted, chunks };
  }

  #cell(column: number): number {
    return (this.#columns[column] as ExpectedColumn).cell;
  }

  /** For each cell of a row the type that it is expected to have; null: no value of it is wanted. */
  #byCell(dtypes: readonly (DType | null)[]): (DType | null)[] {
    const byCell = new Array<DType | null>(this.#plan.cellCount).fill(null);
    for (const [column, dtype] of dtypes.entries()) byCell[this.#cell(column)] = dtype;
    return byCell;
  }

  /** Null: a cell has another type. */
  #chunk(
    bytes: Uint8Array,
    column: number,
    dtype: DType,
    accepted: Uint8Array | null,
    taken: number,
    slab: Slab,
  ): TypedChunk | null {
    const { cellCount, nullWords, dialect } = this.#plan;
    const cell = this.#cell(column);
    const cells = columnCells(bytes, this.#tokenizer, cell, cellCount, accepted, taken, nullWords, slab);
    const given = (this.#columns[column] as ExpectedColumn).given !== null;
    const found = columnChunk(dtype, cells, this.#texts, dialect.quote);
    return found === undefined || (found === null && given)
      ? givenChunk(parseDType(dtype), cells, this.#tokenizer.quote)
      : found;
  }

  /** What the cells were found to be while they were parsed; else another look at them. */
  #facts(
    bytes: Uint8Array,
    column: number,
    among: number,
    accepted: Uint8Array | null,
    taken: number,
    typed: TypedChunk | null,
  ): ColumnFacts {
    const { given, name, cell } = this.#columns[column] as ExpectedColumn;
    if (given === null && typed !== null && (typed.types !== 0 || among === 0)) {
      const hasValue = typed.nullCount < taken;
      return { types: hasValue ? among & typed.types : among, hasValue, hasNull: typed.nullCount > 0, longest: 0 };
    }
    const guess = new ColumnGuess(name, given, among);
    guess.look(bytes, this.#tokenizer, cell, this.#plan.nullWords, accepted);
    return guess.facts();
  }
}
