// Pages of a column of texts -> UTF-8 as it lies in them: no text of the language is made. Rows of a dictionary have
// the bytes of their entries.
import { allocateOutputs, numberKernels } from '@colkit/io';
import { ValidityBuilder, offsetsFor, roomForTexts, usedBytes } from '@colkit/table';
import type { Chunk } from '@colkit/table';
import { loadedStrings, pickedStrings, wantAllEntries } from '../../../columns/byte-strings.ts';
import type { ByteStrings, Strings } from '../../../columns/vector.ts';
import type { FileLocation } from '../../../layout/location.ts';
import type { DecodedBytes } from '../../file/decoded-bytes.ts';
import type { Span } from '../../file/spans.ts';
import type { ColumnPage } from '../opened-page.ts';
import type { Collector } from '../fixed-collector.ts';
import { NULL_INDEX, codesByRow, copyNulls, rowValuesOf, positionOf, stringsAt } from './row-strings.ts';
import { checkTexts, dataOf } from './check-texts.ts';
import { askedStrings, isWellFormed } from './texts.ts';

/** Memory is reserved for so many times the bytes that rows are likely to have. */
const SPARE = 1.05;
/** Rows to come are taken to be at most so many times as long as those that were met. */
const MOST_UNMET = 4;
/** Bytes that are reserved for rows to come, beyond as many as there are already. */
const MOST_AHEAD = 1 << 26;
/**
 * Rows of a dictionary get bytes of their own as long as all are no more than this: a few bytes of a file may stand for
 * a long entry in any number of rows.
 */
const MOST_SPREAD = 1 << 28;
/** Bytes that are copied one by one. */
const SHORT_TEXT = 24;
/** Fewer rows are spread here. */
const WORTH_A_CALL = 64;
/** Where there are fewer rows than one for so many codes, each of them is looked up. */
const CODES_PER_ROW = 4;
/** Texts of a joint dictionary are laid out by its codes as long as they are no more bytes. */
const MOST_BY_CODE = 1 << 20;

export class Utf8Collector implements Collector {
  readonly #count: number;
  readonly #validity: ValidityBuilder;
  readonly #decoded: DecodedBytes | null;
  #bytes: Uint8Array = new Uint8Array(0);
  #used = 0;
  /** A zero, and where each text ends. */
  #offsets: Uint32Array;
  #ends: Uint32Array;
  #textCount = 0;
  /** Which text each row has; null as long as they are the rows', one after another. */
  #codes: Uint32Array | null = null;
  /** The last dictionary whose entries are among the texts, and where its first one is. */
  #entries: ByteStrings | null = null;
  #firstEntry = 0;
  /** The last one whose entries are well-formed, and were copied to rows. */
  #checked: ByteStrings | null = null;
  /** The last joint dictionary whose texts were laid out by its codes: `indexes` are its. */
  #byCode: { readonly indexes: Int32Array; readonly texts: ByteStrings | null } | null = null;
  /** The last one that was asked for nulls. */
  #asked: { readonly indexes: Int32Array; readonly hasNulls: boolean } | null = null;
  readonly #mostSpread: number;
  readonly #transferable: boolean;

  /** @param transferable whether the memory must be ordinary ArrayBuffers. */
  constructor(count: number, transferable = false, decoded: DecodedBytes | null = null, mostSpread = MOST_SPREAD) {
    this.#transferable = transferable;
    this.#mostSpread = mostSpread;
    this.#count = count;
    this.#validity = new ValidityBuilder(count);
    this.#decoded = decoded;
    this.#offsets = offsetsFor(count, transferable);
    this.#ends = this.#offsets.subarray(1);
  }

  add(page: ColumnPage, span: Span): void {
    const { positions } = span;
    const count = span.picks === null ? span.end - span.start : span.picks.length;
    if (positions === null && this.#codes === null && this.#addByRow(page, span, count)) return;
    copyNulls(this.#validity, page, span);
    const where = rowValuesOf(page, span);
    const { valueIndexes } = where;
    const strings = this.#alone(stringsAt(page, where), page.location);
    if (positions === null && this.#codes === null) {
      if (strings === null) {
        this.#repeatEnd(count);
        return;
      }
      if (strings.kind !== 'coded') {
        this.#append(strings, page.location, valueIndexes);
        return;
      }
      const { codes, entries } = strings;
      if (this.#checked !== entries) checkTexts(entries, dataOf(entries), page.location);
      this.#checked = entries;
      if (this.#spread(entries, valueIndexes === null ? codes : codesByRow(codes, valueIndexes))) return;
    }
    const codes = (this.#codes ??= this.#ownCodes());
    // A null has any text: the first one, which there is in any case.
    if (this.#textCount === 0) this.#repeatEnd(1);
    if (strings === null) return;
    const first = strings.kind === 'coded' ? this.#enter(strings.entries, page.location) : this.#textCount;
    if (strings.kind !== 'coded') this.#append(strings, page.location, null);
    for (let i = 0; i < count; i++) {
      const index = valueIndexes === null ? i : (valueIndexes[i] as number);
      if (index !== NULL_INDEX)
        codes[positionOf(span, i)] = first + (strings.kind === 'coded' ? (strings.codes[index] as number) : index);
    }
  }

  /** Rows that have codes, nulls among them; false where they are not all to be had with the dictionary as it is. */
  #addByRow(page: ColumnPage, span: Span, count: number): boolean {
    const { byRow, location } = page;
    if (byRow?.entries.kind !== 'strings') return false;
    const { entries, joint } = byRow;
    if (entries !== this.#checked && !(wantAllEntries(entries, count) && this.#isSound(entries, location)))
      return false;
    const texts = loadedStrings(entries) as ByteStrings;
    // The rows to come are of this dictionary, too.
    const mean = meanLength(texts);
    // For a few rows it is not laid out what all codes stand for.
    const areMany = joint !== null && count * CODES_PER_ROW >= joint.indexes.length;
    const byCode = areMany ? this.#textsByCode(entries, joint.indexes) : null;
    if (joint !== null && byCode === null) {
      const rowCodes = joinedCodes(joint, span, count);
      if (!this.#spread(texts, rowCodes, mean)) return false;
      if (this.#hasNulls(joint.indexes))
        for (let i = 0; i < count; i++) if (rowCodes[i] === NULL_INDEX) this.#validity.setNull(span.to + i);
      return true;
    }
    const { start, end, picks } = span;
    const { buffer, byteOffset, length } = joint === null ? byRow.codes : joint.codes;
    const codes = new Uint32Array(buffer, byteOffset, length);
    const rowCodes = picks === null ? codes.subarray(start, end) : codesByRow(codes, picks);
    if (!this.#spread(byCode ?? texts, rowCodes, mean)) return false;
    copyNulls(this.#validity, page, span);
    return true;
  }

  /** The text of every code of a joint dictionary, none of a null's; null where they are too many bytes. */
  #textsByCode(entries: ByteStrings, indexes: Int32Array): ByteStrings | null {
    if (this.#byCode?.indexes !== indexes)
      this.#byCode = { indexes, texts: textsByCode(loadedStrings(entries) as ByteStrings, indexes) };
    return this.#byCode.texts;
  }

  /** Whether some code of a joint dictionary stands for a null. */
  #hasNulls(indexes: Int32Array): boolean {
    if (this.#asked?.indexes !== indexes) this.#asked = { indexes, hasNulls: indexes.includes(-1) };
    return this.#asked.hasNulls;
  }

  #isSound(entries: ByteStrings, location: FileLocation): boolean {
    const isSound = isWellFormed(entries, () => checkTexts(entries, dataOf(entries), location));
    if (isSound) this.#checked = entries;
    return isSound;
  }

  /** Of a large dictionary, and of one with ill-formed entries, those of the rows alone. */
  #alone(strings: Strings | null, location: FileLocation): Strings | null {
    if (strings?.kind !== 'coded' || strings.entries === this.#entries || strings.entries === this.#checked)
      return strings;
    const { entries, codes } = strings;
    const found = wantAllEntries(entries, codes.length) ? strings : pickedStrings(entries, codes);
    if (found.kind !== 'coded') return found;
    return this.#isSound(entries, location) ? found : askedStrings(found);
  }

  finish(): Chunk {
    this.#ends.fill(0, this.#textCount);
    return {
      kind: 'utf8',
      rowCount: this.#count,
      bytes: usedBytes(this.#bytes, this.#used),
      ends: this.#ends.subarray(0, this.#textCount),
      offsets: this.#offsets.subarray(0, this.#textCount + 1),
      codes: this.#codes,
      validity: this.#validity.finish(),
    };
  }

  /** The codes of the rows so far, which are their own texts. */
  #ownCodes(): Uint32Array {
    const codes = new Uint32Array(this.#count);
    for (let row = 0; row < this.#textCount; row++) codes[row] = row;
    return codes;
  }

  #enter(entries: ByteStrings, location: FileLocation): number {
    if (this.#entries !== entries) {
      this.#entries = entries;
      this.#firstEntry = this.#textCount;
      this.#append(entries, location, null);
    }
    return this.#firstEntry;
  }

  /**
   * Copies texts behind those that are there, as they are; or to rows by value indexes, an empty one for each null.
   * @throws CorruptFileError ERR_LAYOUT where one of them is not well-formed UTF-8; LimitError.
   */
  #append(strings: ByteStrings, location: FileLocation, valueIndexes: Uint32Array | null): void {
    const { start, ends } = strings;
    const data = dataOf(strings);
    checkTexts(strings, data, location);
    const shift = this.#used - start;
    const count = valueIndexes?.length ?? strings.count;
    this.#reserve(data.length, count);
    this.#bytes.set(data, this.#used);
    const out = this.#ends;
    let end = this.#used;
    for (let i = 0, at = this.#textCount; i < count; i++, at++) {
      const value = valueIndexes === null ? i : (valueIndexes[i] as number);
      if (value !== NULL_INDEX) end = (ends[value] as number) + shift;
      out[at] = end;
    }
    this.#textCount += count;
    this.#used += data.length;
  }

  /**
   * The same for texts by code, NULL_INDEX for a null: each row gets the bytes of its own; false where those would be
   * too many.
   */
  #spread(entries: ByteStrings, rowCodes: Uint32Array, mean = 0): boolean {
    const count = rowCodes.length;
    const kernels = count < WORTH_A_CALL ? null : numberKernels();
    if (kernels !== null) {
      const { bytes, start, ends } = entries;
      const spread = (): number => {
        const rowEnds = this.#ends.subarray(this.#textCount, this.#textCount + count);
        return kernels.spreadTexts(bytes, start, ends, rowCodes, this.#bytes, this.#used, rowEnds);
      };
      const end = spread();
      if (end > this.#mostSpread) return false;
      const isThere = end <= this.#bytes.length;
      this.#reserve(end - this.#used, count, mean);
      if (!isThere) spread();
      this.#used = end;
    } else {
      const byteLength = bytesOfRows(entries, rowCodes);
      if (this.#used + byteLength > this.#mostSpread) return false;
      this.#reserve(byteLength, count, mean);
      this.#copyRows(entries, rowCodes);
    }
    this.#textCount += count;
    return true;
  }

  /** The bytes of rows, for which there is room. */
  #copyRows({ bytes: from, start, ends }: ByteStrings, rowCodes: Uint32Array): void {
    const out = this.#bytes;
    const outEnds = this.#ends;
    let used = this.#used;
    for (let i = 0, at = this.#textCount; i < rowCodes.length; i++, at++) {
      const code = rowCodes[i] as number;
      if (code !== NULL_INDEX) {
        const first = code === 0 ? start : (ends[code - 1] as number);
        const end = ends[code] as number;
        // A call for each text costs more than the bytes of a short one.
        if (end - first > SHORT_TEXT) out.set(from.subarray(first, end), used);
        else for (let byte = first, to = used; byte < end; byte++, to++) out[to] = from[byte] as number;
        used += end - first;
      }
      outEnds[at] = used;
    }
    this.#used = used;
  }

  /** Texts without bytes. */
  #repeatEnd(count: number): void {
    this.#reserve(0, count);
    this.#ends.fill(this.#used, this.#textCount, this.#textCount + count);
    this.#textCount += count;
  }

  /**
   * At first for as many bytes as all rows will have if they are like these.
   * @param mean bytes of a row that comes later, as far as their dictionary says.
   * @throws LimitError.
   */
  #reserve(byteLength: number, count: number, mean = 0): void {
    this.#decoded?.add(byteLength);
    const bytes = this.#used + byteLength;
    if (bytes > this.#bytes.length) {
      // As long as those of this page, or as those so far, whichever are longer. Rows that are sorted begin with a few
      // texts of a dictionary: those to come may be longer, and are moved otherwise.
      const met = Math.max(byteLength / Math.max(1, count), bytes / Math.max(1, this.#textCount + count));
      const perRow = Math.max(met, Math.min(mean, MOST_UNMET * met));
      const likely = Math.ceil(SPARE * perRow * (this.#count - this.#textCount));
      const room = roomForTexts(bytes, this.#used + Math.min(likely, this.#used + MOST_AHEAD));
      const [more = new Uint8Array(0)] = allocateOutputs([room], { transferable: this.#transferable });
      more.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = more;
    }
    const texts = this.#textCount + count;
    if (texts > this.#ends.length) {
      const more = offsetsFor(Math.max(texts, 2 * this.#ends.length), this.#transferable);
      more.set(this.#offsets.subarray(0, this.#textCount + 1));
      this.#offsets = more;
      this.#ends = more.subarray(1);
    }
  }
}

/** The indexes of the texts of a span's rows, of so many; NULL_INDEX, which is -1 without a sign, for a null. */
function joinedCodes(
  { codes, indexes }: { readonly codes: Uint32Array; readonly indexes: Int32Array },
  { start, picks }: Span,
  count: number,
): Uint32Array {
  const rowCodes = new Uint32Array(count);
  if (picks === null) for (let i = 0; i < count; i++) rowCodes[i] = indexes[codes[start + i] as number] as number;
  else for (let i = 0; i < count; i++) rowCodes[i] = indexes[codes[picks[i] as number] as number] as number;
  return rowCodes;
}

/** Of texts of which there are some. */
function meanLength({ start, ends, count }: ByteStrings): number {
  return ((ends[count - 1] as number) - start) / count;
}

/** What they take if each row has its own. */
function bytesOfRows({ start, ends }: ByteStrings, rowCodes: Uint32Array): number {
  let byteLength = 0;
  for (let i = 0; i < rowCodes.length; i++) {
    const code = rowCodes[i] as number;
    if (code !== NULL_INDEX) byteLength += (ends[code] as number) - (code === 0 ? start : (ends[code - 1] as number));
  }
  return byteLength;
}

/** The string of each index, an empty one for -1; null where they would be too many bytes. */
function textsByCode({ bytes: from, start, ends }: ByteStrings, indexes: Int32Array): ByteStrings | null {
  const count = indexes.length;
  const newEnds = new Uint32Array(count);
  const firstOf = (index: number): number => (index === 0 ? start : (ends[index - 1] as number));
  let used = 0;
  for (let code = 0; code < count; code++) {
    const index = indexes[code] as number;
    if (index !== -1) used += (ends[index] as number) - firstOf(index);
    if (used > MOST_BY_CODE) return null;
    newEnds[code] = used;
  }
  const bytes = new Uint8Array(used);
  const kernels = numberKernels();
  if (kernels !== null) {
    // -1 stands for a null there too.
    const codes = new Uint32Array(indexes.buffer, indexes.byteOffset, count);
    kernels.spreadTexts(from, start, ends, codes, bytes, 0, newEnds);
    return { kind: 'strings', count, bytes, start: 0, ends: newEnds };
  }
  for (let code = 0; code < count; code++) {
    const index = indexes[code] as number;
    if (index !== -1) bytes.set(from.subarray(firstOf(index), ends[index]), newEnds[code - 1]);
  }
  return { kind: 'strings', count, bytes, start: 0, ends: newEnds };
}
