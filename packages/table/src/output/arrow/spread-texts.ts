// Texts by code -> those of rows, back to back, by the addon.
import { allocateOutputs, numberKernels } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { NO_TEXT } from '../../aggregate/column-values.ts';
import type { Utf8Chunk } from '../../chunk/chunk.ts';
import { PIECE_ROWS } from '../../piece-rows.ts';
import { isValid } from '../../validity.ts';
import { checkTextBytes } from './check-text-bytes.ts';

/** Fewer rows are not worth a call. */
const WORTH_A_CALL = 64;

/**
 * The text of each row: where they end first, since that says how much they take. Null without the addon, and for few
 * rows.
 */
export function* spreadTexts(
  { rowCount, bytes, ends, validity }: Utf8Chunk,
  codes: Uint16Array | Uint32Array,
  name: string,
): Work<{ valueOffsets: Int32Array; data: Uint8Array } | null> {
  const kernels = rowCount < WORTH_A_CALL ? null : numberKernels();
  if (kernels === null) return null;
  const [memory] = allocateOutputs([4 * (rowCount + 1)]) as [Uint8Array];
  const valueOffsets = new Int32Array(memory.buffer, memory.byteOffset, rowCount + 1);
  valueOffsets[0] = 0;
  const outEnds = new Uint32Array(memory.buffer, memory.byteOffset + 4, rowCount);
  let data: Uint8Array = new Uint8Array(0);
  for (const isLast of [false, true]) {
    let used = 0;
    for (let start = 0; start < rowCount; start += PIECE_ROWS) {
      yield TURN;
      const end = Math.min(rowCount, start + PIECE_ROWS);
      const piece = codesOf(codes, validity, start, end);
      used = kernels.spreadTexts(bytes, 0, ends, piece, data, used, outEnds.subarray(start, end));
      checkTextBytes(used, name);
    }
    if (!isLast) [data] = allocateOutputs([used]) as [Uint8Array];
  }
  return { valueOffsets, data };
}

/** Codes of rows [start, end), NO_TEXT for nulls. */
function codesOf(
  codes: Uint16Array | Uint32Array,
  validity: Uint8Array | null,
  start: number,
  end: number,
): Uint32Array {
  const piece = codes.subarray(start, end);
  if (validity === null) return piece instanceof Uint32Array ? piece : Uint32Array.from(piece);
  const own = piece instanceof Uint32Array ? piece.slice() : Uint32Array.from(piece);
  for (let row = start; row < end; row += 1) if (!isValid(validity, row)) own[row - start] = NO_TEXT;
  return own;
}
