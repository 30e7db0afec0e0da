// The cells of a column of a block -> its values, of a type that their form tells.
import type { DType } from '@colkit/io';
import type { TextTable } from '../../chunk/text-table.ts';
import { INTEGER, UNSIGNED } from './classify.ts';
import type { ColumnCells } from './column-cells.ts';
import { textChunk } from './text-chunks.ts';
import { boolChunk, floatChunk, integerChunk, momentChunk } from './typed-chunks.ts';
import type { TypedChunk } from './typed-chunks.ts';

/**
 * Null: a cell is written in another way; undefined: the type is another one.
 * @param texts memory that is used again and again. @param quote that is doubled in cells; -1: none.
 */
export function columnChunk(
  dtype: DType,
  cells: ColumnCells,
  texts: TextTable,
  quote: number,
): TypedChunk | null | undefined {
  switch (dtype) {
    case 'string':
      return textChunk(cells, texts, quote);
    case 'bool':
      return boolChunk(cells);
    case 'int64':
      return integerChunk(cells, INTEGER);
    case 'uint64':
      return integerChunk(cells, UNSIGNED);
    case 'float64':
      return floatChunk(cells);
    case 'datetime64[D]':
      return momentChunk(cells, true);
    case 'datetime64[us]':
      return momentChunk(cells, false);
    default:
      return undefined;
  }
}
