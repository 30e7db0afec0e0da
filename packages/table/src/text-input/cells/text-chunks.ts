// One column of texts of a block -> distinct ones and codes, or all of them where most are distinct; as bytes, without
// a string of the language.
import { NullMarks, isNullCell } from './column-cells.ts';
import type { ColumnCells } from './column-cells.ts';
import type { TypedChunk } from './typed-chunks.ts';
import type { TextTable } from '../../chunk/text-table.ts';
import { ESCAPED } from './cell-flags.ts';

/** After so many values, or bytes of distinct ones, it is asked whether they repeat. */
const LOOK_ROWS = 2048;
const LOOK_BYTES = 65_536;
const MOST_ENTRIES = 65_536;

/**
 * @param table memory that is used again and again.
 * @param quote the byte that is doubled in cells where it stands for itself.
 */
export function textChunk(cells: ColumnCells, table: TextTable, quote: number): TypedChunk {
  const out = cells.slab.take(2 * cells.count);
  const codes = new Uint16Array(out.buffer, out.byteOffset, cells.count);
  const nulls = new NullMarks(cells);
  table.clear();
  if (!fillCodes(cells, table, quote, codes, nulls)) return everyText(cells, quote);
  return {
    chunk: { kind: 'utf8', rowCount: cells.count, ...table.entries(cells.slab), codes, validity: nulls.validity },
    types: 0,
    nullCount: nulls.count,
  };
}

/** False where most texts are distinct, or too many. */
function fillCodes(cells: ColumnCells, table: TextTable, quote: number, codes: Uint16Array, nulls: NullMarks): boolean {
  const { bytes, starts, ends, flags, first, stride, count, longestWord } = cells;
  for (let item = 0, cell = first; item < count; item += 1, cell += stride) {
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (end - start <= longestWord && isNullCell(cells, cell, start, end)) {
      nulls.mark(item);
      continue;
    }
    let code: number;
    if (flags[cell] === ESCAPED) {
      const text = unescaped(bytes, start, end, quote);
      code = table.codeOf(text, 0, text.length);
    } else code = table.codeOf(bytes, start, end);
    codes[item] = code;
    const look = code >= LOOK_ROWS - 1 || table.byteLength >= LOOK_BYTES;
    if (code === MOST_ENTRIES - 1 || (look && table.count > (item - nulls.count) * 0.75)) return false;
  }
  return true;
}

function everyText(cells: ColumnCells, quote: number): TypedChunk {
  const { bytes, starts, ends, flags, first, stride, count, longestWord } = cells;
  let most = 0;
  for (let item = 0, cell = first; item < count; item += 1, cell += stride)
    most += (ends[cell] as number) - (starts[cell] as number);
  const texts = new Uint8Array(most);
  const textEnds = new Uint32Array(count);
  const nulls = new NullMarks(cells);
  let used = 0;
  for (let item = 0, cell = first; item < count; item += 1, cell += stride) {
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (end - start <= longestWord && isNullCell(cells, cell, start, end)) {
      nulls.mark(item);
    } else if (flags[cell] === ESCAPED) {
      const text = unescaped(bytes, start, end, quote);
      texts.set(text, used);
      used += text.length;
    } else for (let position = start; position < end; position += 1, used += 1) texts[used] = bytes[position] as number;
    textEnds[item] = used;
  }
  return {
    chunk: {
      kind: 'utf8',
      rowCount: count,
      bytes: texts.slice(0, used),
      ends: textEnds,
      codes: null,
      validity: nulls.validity,
    },
    types: 0,
    nullCount: nulls.count,
  };
}

/** Every quote of the cell is doubled. */
function unescaped(bytes: Uint8Array, start: number, end: number, quote: number): Uint8Array {
  const text = new Uint8Array(end - start);
  let length = 0;
  for (let position = start; position < end; position += 1, length += 1) {
    const byte = bytes[position] as number;
    text[length] = byte;
    if (byte === quote) position += 1;
  }
  return text.subarray(0, length);
}
