// One column of a block, of a type that the caller gave -> its values, where they are in no form in which types are
// found out. Whether the cells fit was asked when rows were accepted, so that nothing can fail here.
import { ArgumentError, dtypeFacts, isFixedText } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { encodeFixedStringsUnchecked } from '../../values/fixed-strings.ts';
import { floatOfText, isHalfWay } from '../../values/floats/narrow-floats.ts';
import { saidBool, saidInteger, saidMoment } from '../../values/said.ts';
import { NAT } from '../../values/nat.ts';
import { cellText } from '../cells/cell-text.ts';
import { isDigits, parseFloatBytes, parseWideBytes, writeWide } from '../../text-input/cells/cell-values.ts';
import { asciiText } from '../../text-input/cells/classify.ts';
import { NullMarks, isNullCell } from '../../text-input/cells/column-cells.ts';
import type { ColumnCells } from '../../text-input/cells/column-cells.ts';
import { typedChunk } from '../../text-input/cells/typed-chunks.ts';
import type { TypedChunk } from '../../text-input/cells/typed-chunks.ts';

/** Puts the value of a cell, bytes [start, end) of the block, at an index among the items. */
type Put = (item: number, start: number, end: number, cell: number) => void;

/** @param quote the character that is doubled in cells where it stands for itself. */
export function givenChunk(info: DTypeInfo, cells: ColumnCells, quote: string): TypedChunk {
  const out = cells.slab.take(info.itemBytes * cells.count);
  const nulls = new NullMarks(cells);
  const { starts, ends, first, stride, count, longestWord } = cells;
  const put = putOf(info, out, cells, quote);
  for (let item = 0, cell = first; item < count; item += 1, cell += stride) {
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (end - start <= longestWord && isNullCell(cells, cell, start, end)) nulls.mark(item);
    else put(item, start, end, cell);
  }
  return typedChunk(cells.count, out, nulls, 0);
}

function putOf(info: DTypeInfo, out: Uint8Array, cells: ColumnCells, quote: string): Put {
  const { bytes } = cells;
  const { itemBytes } = info;
  switch (dtypeFacts(info).value) {
    case 'int': {
      if (itemBytes === 8) {
        const words = wordsOf(out);
        return (item, start, end) => {
          if (isDigits(bytes, start, end)) parseWideBytes(bytes, start, end, words, item);
          else writeWide(saidInteger(asciiText(bytes, start, end)) ?? 0n, words, item);
        };
      }
      const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
      // The low bytes are those of either sign.
      return (item, start, end) => {
        const value = Number(asciiText(bytes, start, end));
        if (itemBytes === 1) view.setInt8(item, value);
        else if (itemBytes === 2) view.setInt16(2 * item, value, true);
        else view.setInt32(4 * item, value, true);
      };
    }
    case 'float': {
      if (itemBytes === 8) {
        const values = new Float64Array(out.buffer, out.byteOffset, cells.count);
        return (item, start, end) => {
          values[item] = parseFloatBytes(bytes, start, end);
        };
      }
      const values = new Float32Array(out.buffer, out.byteOffset, cells.count);
      return (item, start, end) => {
        const double = parseFloatBytes(bytes, start, end);
        values[item] = double;
        if (isHalfWay(double, values[item], Math.fround))
          values[item] = floatOfText(asciiText(bytes, start, end), double, Math.fround);
      };
    }
    case 'moment': {
      const words = wordsOf(out);
      return (item, start, end) =>
        writeWide(saidMoment(asciiText(bytes, start, end), info.name)?.ticks ?? NAT, words, item);
    }
    case 'text':
      if (!isFixedText(info)) break;
      return (item, _start, _end, cell) =>
        encodeFixedStringsUnchecked(
          [cellText(bytes, cells, quote, cell)],
          info,
          0,
          1,
          out.subarray(item * itemBytes, (item + 1) * itemBytes),
        );
    case 'bool':
      return (item, start, end) => {
        out[item] = saidBool(asciiText(bytes, start, end)) === true ? 1 : 0;
      };
    default:
  }
  throw new ArgumentError('ERR_ARGUMENT', 'types', 'a type that CSV cells can be given', info.name);
}

function wordsOf(out: Uint8Array): Int32Array {
  return new Int32Array(out.buffer, out.byteOffset, out.byteLength / 4);
}
