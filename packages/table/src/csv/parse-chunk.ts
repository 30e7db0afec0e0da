// One column of a block of rows -> packed items or strings, with validity: the second pass. Every cell was classified by the first, so that nothing can fail here.
import { ArgumentError, assertNever } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { InputChunk } from '../input/input-columns.ts';
import { encodeFixedStringsUnchecked } from '../values/fixed-strings.ts';
import { fromISO } from '../values/time.ts';
import { setValid } from '../validity.ts';
import { parseDay, parseFloatBytes, parseMicroseconds, parseWideBytes, writeSafe, writeWide } from './cell-values.ts';
import { asciiText, boolOf } from './classify.ts';
import { isNullWord, longestOf } from './column-guess.ts';
import { TextCache } from './text-cache.ts';
import { ESCAPED, PLAIN } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Cells of one column: of the rows that are taken, `first + row * stride` where all of them are. */
export interface ChunkSource {
  readonly bytes: Uint8Array;
  readonly tokenizer: Tokenizer;
  readonly column: number;
  readonly rowCount: number;
  readonly accepted: Uint8Array | null;
  readonly nullWords: readonly Uint8Array[];
  readonly texts: TextCache;
}

export function parseChunk(info: DTypeInfo, nullable: boolean, from: ChunkSource): InputChunk {
  const cells = cellsOf(from);
  const validity = nullable ? validityOf(cells, from) : null;
  if (info.kind === 'string') return { kind: 'values', values: parseTexts(cells, validity, from), validity };
  const bytes = new Uint8Array(info.itemBytes * cells.length);
  fill(info, bytes, cells, validity, from);
  return { kind: 'fixed', bytes, validity };
}

/** Numbers of the column's cells, of the rows that are taken. */
function cellsOf({ tokenizer, column, rowCount, accepted }: ChunkSource): Int32Array {
  const { rowCells } = tokenizer;
  const cells = new Int32Array(rowCount);
  let used = 0;
  for (let row = 0; row < tokenizer.rowCount; row += 1) {
    if (accepted !== null && accepted[row] === 0) continue;
    cells[used] = (rowCells[row] as number) + column;
    used += 1;
  }
  return cells;
}

/** Null where no cell is. */
function validityOf(cells: Int32Array, { bytes, tokenizer: { starts, ends, flags }, nullWords }: ChunkSource): Uint8Array | null {
  const validity = new Uint8Array((cells.length + 7) >>> 3);
  let missing = 0;
  const longestWord = longestOf(nullWords);
  for (let item = 0; item < cells.length; item += 1) {
    const cell = cells[item] as number;
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (end - start <= longestWord && flags[cell] === PLAIN && isNullWord(bytes, start, end, nullWords)) missing += 1;
    else setValid(validity, item);
  }
  return missing === 0 ? null : validity;
}

function isMissing(validity: Uint8Array | null, item: number): boolean {
  return validity !== null && (((validity[item >>> 3] as number) >>> (item & 7)) & 1) === 0;
}

function fill(info: DTypeInfo, out: Uint8Array, cells: Int32Array, validity: Uint8Array | null, from: ChunkSource): void {
  const { bytes, tokenizer } = from;
  const { starts, ends } = tokenizer;
  switch (info.kind) {
    case 'bool':
      for (let item = 0; item < cells.length; item += 1) if (!isMissing(validity, item)) out[item] = boolOf(bytes, starts[cells[item] as number] as number, ends[cells[item] as number] as number) === 1 ? 1 : 0;
      return;
    case 'float': {
      const values = info.itemBytes === 8 ? new Float64Array(out.buffer) : new Float32Array(out.buffer);
      for (let item = 0; item < cells.length; item += 1) if (!isMissing(validity, item)) values[item] = parseFloatBytes(bytes, starts[cells[item] as number] as number, ends[cells[item] as number] as number);
      return;
    }
    case 'int': case 'uint':
      if (info.itemBytes === 8) fillWide(new Int32Array(out.buffer), cells, validity, from);
      else fillNarrow(info, out, cells, validity, from);
      return;
    case 'datetime':
      fillMoments(info, new Int32Array(out.buffer), cells, validity, from);
      return;
    case 'bytes':
      if (fillAscii(info.itemBytes, out, cells, validity, from)) return;
      out.fill(0);
      encodeFixedStringsUnchecked(parseTexts(cells, validity, from), info, 0, cells.length, out);
      return;
    case 'unicode':
      encodeFixedStringsUnchecked(parseTexts(cells, validity, from), info, 0, cells.length, out);
      return;
    case 'timedelta': case 'string': case 'binary':
      throw new ArgumentError('ERR_ARGUMENT', 'types', 'a type that CSV cells can have', info.name);
    default:
      assertNever(info);
  }
}

function fillWide(words: Int32Array, cells: Int32Array, validity: Uint8Array | null, { bytes, tokenizer: { starts, ends } }: ChunkSource): void {
  for (let item = 0; item < cells.length; item += 1) {
    const cell = cells[item] as number;
    if (!isMissing(validity, item)) parseWideBytes(bytes, starts[cell] as number, ends[cell] as number, words, item);
  }
}

function fillNarrow(info: DTypeInfo, out: Uint8Array, cells: Int32Array, validity: Uint8Array | null, { bytes, tokenizer: { starts, ends } }: ChunkSource): void {
  const view = new DataView(out.buffer);
  for (let item = 0; item < cells.length; item += 1) {
    if (isMissing(validity, item)) continue;
    const cell = cells[item] as number;
    const value = Number(asciiText(bytes, starts[cell] as number, ends[cell] as number));
    // The low bytes are those of either sign.
    if (info.itemBytes === 1) view.setInt8(item, value);
    else if (info.itemBytes === 2) view.setInt16(2 * item, value, true);
    else view.setInt32(4 * item, value, true);
  }
}

/** Copies cells that are ASCII and hold no doubled quotes; false, and nothing that counts was written, where one does not. */
function fillAscii(itemBytes: number, out: Uint8Array, cells: Int32Array, validity: Uint8Array | null, { bytes, tokenizer: { starts, ends, flags } }: ChunkSource): boolean {
  let high = 0;
  for (let item = 0; item < cells.length; item += 1) {
    const cell = cells[item] as number;
    if (flags[cell] === ESCAPED) return false;
    if (isMissing(validity, item)) continue;
    const end = ends[cell] as number;
    for (let position = starts[cell] as number, to = item * itemBytes; position < end; position += 1, to += 1) {
      const byte = bytes[position] as number;
      high |= byte;
      out[to] = byte;
    }
  }
  return high <= 0x7f;
}

function fillMoments(info: Extract<DTypeInfo, { readonly unit: unknown }>, words: Int32Array, cells: Int32Array, validity: Uint8Array | null, { bytes, tokenizer: { starts, ends } }: ChunkSource): void {
  for (let item = 0; item < cells.length; item += 1) {
    if (isMissing(validity, item)) continue;
    const cell = cells[item] as number;
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (info.unit === 'D') writeSafe(parseDay(bytes, start), words, item);
    else if (info.unit === 'us') parseMicroseconds(bytes, start, end, words, item);
    else writeWide(fromISO(asciiText(bytes, start, end), info.name), words, item);
  }
}

function parseTexts(cells: Int32Array, validity: Uint8Array | null, { bytes, tokenizer, texts }: ChunkSource): string[] {
  const { starts, ends, flags } = tokenizer;
  const values = new Array<string>(cells.length);
  for (let item = 0; item < cells.length; item += 1) {
    const cell = cells[item] as number;
    if (isMissing(validity, item)) values[item] = '';
    else values[item] = flags[cell] === ESCAPED ? cellText(bytes, tokenizer, cell) : texts.text(bytes, starts[cell] as number, ends[cell] as number);
  }
  return values;
}

/** The text of one cell. */
export function cellText(bytes: Uint8Array, { starts, ends, flags, quote }: Tokenizer, cell: number): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(starts[cell], ends[cell]));
  return flags[cell] === ESCAPED ? text.replaceAll(quote + quote, quote) : text;
}
