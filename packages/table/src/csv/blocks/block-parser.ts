// Bytes of whole rows -> what a pass over a file wants to know of them, and their values, as long as the types that are
// expected are those that they have. Knows nothing of the rest of the file, so that blocks can be parsed anywhere and
// in any order: what goes in and out can be sent to another thread.
import { parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { acceptRows } from './accept-rows.ts';
import type { ExpectedColumn, Fault } from './accept-rows.ts';
import { ANY } from '../cells/classify.ts';
import { columnCells } from '../cells/column-cells.ts';
import type { ColumnCells } from '../cells/column-cells.ts';
import { ColumnGuess } from '../cells/column-guess.ts';
import type { ColumnFacts } from '../cells/column-guess.ts';
import { boolPart, floatPart, integerPart, momentPart } from './column-parts.ts';
import type { ColumnPart, TypedPart } from './column-parts.ts';
import { givenPart } from './given-part.ts';
import { Slab } from '../cells/slab.ts';
import { textPart } from './text-parts.ts';
import { TextTable } from './text-table.ts';
import { Tokenizer } from '../cells/tokenizer.ts';
import type { Dialect } from '../cells/tokenizer.ts';

/** What holds for all blocks of a file. */
export interface BlockPlan {
  readonly dialect: Dialect;
  /** `given`: the type that the caller gave; null: to be found out. */
  readonly columns: readonly { readonly name: string; readonly given: DType | null }[];
  readonly nullWords: readonly Uint8Array[];
  readonly onError: 'stop' | 'skip';
}

export interface BlockTask {
  /** From the beginning of a row on. */
  readonly bytes: Uint8Array;
  /** Whether nothing follows: then the last row needs no line break. */
  readonly final: boolean;
  /** The type that each column is expected to have; null: no values are wanted. */
  readonly dtypes: readonly DType[] | null;
  /** For each column the types that it could still have, by all that is known. */
  readonly types: readonly number[];
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
  /** One a column; null where a column has another type than was expected, or none was. */
  readonly parts: readonly ColumnPart[] | null;
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

  constructor(plan: BlockPlan) {
    this.#plan = plan;
    this.#columns = plan.columns.map(({ name, given }) => ({ name, given: given === null ? null : parseDType(given) }));
    this.#tokenizer = new Tokenizer(plan.dialect);
    this.#tokenizer.skipsBlank = plan.columns.length > 1;
    this.#tokenizer.columns = plan.columns.length;
  }

  parse({ bytes, final, dtypes, types }: BlockTask): ParsedBlock {
    const tokenizer = this.#tokenizer;
    const byteLength = tokenizer.tokenize(bytes, bytes.length, final);
    const { nullWords, onError } = this.#plan;
    const { accepted, faults, faultCount, ascii, shifted } = acceptRows(
      bytes,
      byteLength,
      tokenizer,
      this.#columns,
      nullWords,
      onError,
    );
    const { rowCount, lineCount } = tokenizer;
    const taken = accepted === null ? rowCount : accepted.reduce((sum, mark) => sum + mark, 0);
    const slab = new Slab(dtypes === null ? 0 : slabBytes(dtypes, taken));
    const facts: ColumnFacts[] = [];
    let parts: ColumnPart[] | null = dtypes === null || (faultCount > 0 && onError === 'stop') ? null : [];
    for (let column = 0; column < this.#columns.length; column += 1) {
      const typed = parts === null ? null : this.#part(bytes, column, dtypes?.[column] as DType, accepted, taken, slab);
      if (typed === null) parts = null;
      else parts?.push(typed.part);
      facts.push(this.#facts(bytes, column, types[column] as number, accepted, taken, typed));
    }
    return { byteLength, rowCount: taken, lineCount, faults, faultCount, facts, isAscii: ascii, shifted, parts };
  }

  /** Null: a cell has another type. */
  #part(
    bytes: Uint8Array,
    column: number,
    dtype: DType,
    accepted: Uint8Array | null,
    taken: number,
    slab: Slab,
  ): TypedPart | null {
    const { nullWords, dialect } = this.#plan;
    const cells = columnCells(bytes, this.#tokenizer, column, this.#columns.length, accepted, taken, nullWords, slab);
    const given = (this.#columns[column] as ExpectedColumn).given !== null;
    switch (dtype) {
      case 'string':
        return textPart(cells, this.#texts, dialect.quote);
      case 'bool':
        return boolPart(cells) ?? (given ? this.#givenPart(dtype, cells) : null);
      case 'int64':
        return integerPart(cells) ?? (given ? this.#givenPart(dtype, cells) : null);
      case 'float64':
        return floatPart(cells) ?? (given ? this.#givenPart(dtype, cells) : null);
      case 'datetime64[D]':
        return momentPart(cells, true) ?? (given ? this.#givenPart(dtype, cells) : null);
      case 'datetime64[us]':
        return momentPart(cells, false) ?? (given ? this.#givenPart(dtype, cells) : null);
      default:
        return this.#givenPart(dtype, cells);
    }
  }

  #givenPart(dtype: DType, cells: ColumnCells): TypedPart {
    return givenPart(parseDType(dtype), cells, this.#tokenizer.quote);
  }

  /** What the cells were found to be while they were parsed; else another look at them. */
  #facts(
    bytes: Uint8Array,
    column: number,
    among: number,
    accepted: Uint8Array | null,
    taken: number,
    typed: TypedPart | null,
  ): ColumnFacts {
    const { given, name } = this.#columns[column] as ExpectedColumn;
    if (given === null && typed !== null && (typed.types !== 0 || among === 0)) {
      const hasValue = typed.nullCount < taken;
      return { types: hasValue ? among & typed.types : among, hasValue, hasNull: typed.nullCount > 0, longest: 0 };
    }
    const guess = new ColumnGuess(name, given, among);
    guess.look(bytes, this.#tokenizer, column, this.#plan.nullWords, accepted);
    return guess.facts();
  }
}

/** About what the values of so many rows take: some hundred distinct texts are reckoned for each column of them. */
function slabBytes(dtypes: readonly DType[], rowCount: number): number {
  return dtypes.reduce(
    (sum, dtype) => sum + (dtype === 'string' ? 2 * rowCount + 4096 : 8 * rowCount) + (rowCount >>> 3) + 64,
    0,
  );
}
