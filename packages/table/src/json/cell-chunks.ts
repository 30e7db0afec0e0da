// Cells of records -> the values of columns: by the parsers of CSV, whose cells they are, where they are written as the
// column's type is; else value by value.
import { parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { WorkContext } from '@colkit/io/effects';
import { AddonColumns } from '../text-input/cells/addon-columns.ts';
import { columnChunk } from '../text-input/cells/column-chunk.ts';
import type { ColumnCells } from '../text-input/cells/column-cells.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { Slab, valueBytes } from '../chunk/slab.ts';
import { TextTable } from '../chunk/text-table.ts';
import { toInputColumns } from '../input/columns.ts';
import type { InputColumn } from '../input/input-columns.ts';
import { typed } from '../input/typed.ts';
import type { InputValue } from '../input/typed.ts';
import { TextChunks } from '../text-input/text-chunk.ts';
import { NULL, TEXTS } from './cell-forms.ts';
import { cellScalar } from './cell-scalars.ts';
import { valueFitter } from './fitted-value.ts';
import type { RecordCells } from './record-cells.ts';

/** Of a cell without quotes: nothing. */
const NULL_WORDS = [new Uint8Array(0)];
/** None: no cell has quotes that are doubled. */
const QUOTE = -1;
/** Of reads that wait for nothing. */
const AT_HAND = new WorkContext();

/** Memory that is used again for each block. */
export class CellChunks {
  readonly #addon = new AddonColumns(NULL_WORDS, QUOTE);
  readonly #texts = new TextTable();
  /** Of values that are no text. */
  readonly #odd = new TextChunks();

  /**
   * @param dtypes of the columns, which take all values of their cells; null: the column is not wanted.
   * @returns those of the columns that are.
   */
  of(cells: RecordCells, dtypes: readonly (DType | null)[]): readonly Chunk[] {
    const slab = new Slab(valueBytes(dtypes, cells.rowCount));
    const inAddon = this.#addon.parse(cells.bytes, cells, cells.stride, dtypes, slab);
    return dtypes.flatMap((dtype, column) => {
      if (dtype === null) return [];
      const isPlain = dtype !== 'string' || (cells.formsOf(column) & ~(TEXTS | NULL)) === 0;
      const found = isPlain
        ? (inAddon?.[column] ?? columnChunk(dtype, columnOf(cells, column, slab), this.#texts, QUOTE))
        : null;
      return found?.chunk ?? fitted(cells, column, dtype, this.#odd);
    });
  }
}

function columnOf(cells: RecordCells, column: number, slab: Slab): ColumnCells {
  const { bytes, starts, ends, flags, stride, rowCount } = cells;
  return {
    bytes,
    starts,
    ends,
    flags,
    first: column,
    stride,
    count: rowCount,
    nullWords: NULL_WORDS,
    longestWord: 0,
    slab,
  };
}

function fitted(cells: RecordCells, column: number, dtype: DType, texts: TextChunks): Chunk {
  const fit = valueFitter(parseDType(dtype));
  const values = new Array<InputValue>(cells.rowCount);
  for (let row = 0; row < cells.rowCount; row += 1)
    values[row] = fit(cellScalar(cells, row * cells.stride + column)) ?? null;
  if (dtype === 'string') return texts.of(values as (string | null)[]);
  const [input] = toInputColumns([['', typed(dtype, values)]]).columns;
  return (input as InputColumn).read(0, cells.rowCount).runSync(AT_HAND);
}
