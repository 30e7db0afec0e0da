// All columns of a block in one call of the addon -> their values, and which other types their cells could have: the
// same as of the parsers in TypeScript. Cells that the addon does not surely understand are parsed here, and columns of
// which it leaves too much are parsed by these.
import { textInputKernels } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { Slab } from '../../chunk/slab.ts';
import { INTEGER, UNSIGNED } from './classify.ts';
import { putFarMoment, putFloat, putInteger } from './typed-chunks.ts';
import type { TypedChunk } from './typed-chunks.ts';

/** Bytes of blocks that the addon is not asked for. */
export const WORTH_A_CALL = 1024;

/** What the addon parses: the numbers of its `CsvKind`. */
const KINDS: ReadonlyMap<DType, number> = new Map([
  ['string', 1],
  ['bool', 2],
  ['int64', 3],
  ['float64', 4],
  ['datetime64[D]', 5],
  ['datetime64[us]', 6],
]);
const TEXT = 1;
const BOOLEAN = 2;
const INTEGERS = 3;
const FLOATS = 4;
const DAYS = 5;

/** What became of a column: its number of `CsvFill`. */
const DONE = 0;

/** Numbers of a column in the plan, and in the answer. */
const PLAN = 3;
const ANSWER = 7;
/** Room for cells that are left: of more the columns are parsed here. */
const MOST_LEFT = 4096;

/** Rows of cells. */
interface CellRows {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
  readonly rowCount: number;
}

/** Where the values of a column go. */
interface Place {
  readonly kind: number;
  readonly values: Uint8Array;
  readonly validity: Uint8Array;
}

export class AddonColumns {
  /** Each as its length and its bytes. */
  readonly #nullWords: readonly number[];
  readonly #wordCount: number;
  readonly #quote: number;
  /** Memory that is used again and again. */
  #texts = new Uint8Array(0);
  #answer = new Uint32Array(0);

  /** `quote` -1: none. */
  constructor(nullWords: readonly Uint8Array[], quote: number) {
    this.#nullWords = nullWords.flatMap((word) => [word.length, ...word]);
    this.#quote = Math.max(0, quote);
    this.#wordCount = nullWords.length;
  }

  /**
   * The columns of rows that are all taken, with memory for their values in `slab`; null for those that the parsers in
   * TypeScript are to look at: the addon has no such kind, too much was left, or a cell has another type.
   * Null: there is no addon, or too little to do for it.
   * @param stride cells of a row: the columns, and others behind them that nobody asks for.
   */
  parse(
    bytes: Uint8Array,
    cells: CellRows,
    stride: number,
    dtypes: readonly (DType | null)[],
    slab: Slab,
  ): readonly (TypedChunk | null)[] | null {
    const kernels = bytes.length < WORTH_A_CALL ? null : textInputKernels();
    if (kernels === null) return null;
    const { rowCount, starts, ends, flags } = cells;
    const places = dtypes.map((dtype): Place | null =>
      placeOf(dtype === null ? undefined : KINDS.get(dtype), rowCount, slab),
    );
    const textColumns = places.filter((place) => place?.kind === TEXT).length;
    const textBytes = textColumns === 0 ? 0 : bytes.length + (4 * rowCount + 16) * textColumns;
    if (this.#texts.length < textBytes) this.#texts = new Uint8Array(textBytes);
    const answerNumbers = ANSWER * stride + 2 * MOST_LEFT;
    if (this.#answer.length < answerNumbers) this.#answer = new Uint32Array(answerNumbers);
    const plan = Uint32Array.from([
      rowCount,
      stride,
      this.#quote,
      this.#wordCount,
      ...places.flatMap((place) =>
        place === null ? [0, 0, 0] : [place.kind, place.values.byteOffset, place.validity.byteOffset],
      ),
      ...new Array<number>(PLAN * (stride - dtypes.length)).fill(0),
      ...this.#nullWords,
    ]);
    const left = kernels.parseCsvColumns(bytes, starts, ends, flags, plan, slab.bytes, this.#texts, this.#answer);
    const types = this.#typesOf(bytes, cells, stride, places, left);
    return places.map((place, column) => this.#columnOf(place, column, rowCount, types[column] as number, slab));
  }

  /** Of each column by the addon's answer, and by the cells that it left: parsed here. */
  #typesOf(
    bytes: Uint8Array,
    { starts, ends }: CellRows,
    stride: number,
    places: readonly (Place | null)[],
    left: number,
  ): Uint32Array {
    const answer = this.#answer;
    const types = Uint32Array.from(places, (_, column) =>
      withUnsigned(answer[ANSWER * column + 1] as number, places[column]),
    );
    for (let number = 0, at = ANSWER * stride; number < left; number += 1, at += 2) {
      const [column, item] = [answer[at] as number, answer[at + 1] as number];
      const place = places[column];
      const before = types[column] as number;
      if (place === null || place === undefined || before === 0) continue;
      const cell = item * stride + column;
      types[column] = putLeft(place, bytes, starts[cell] as number, ends[cell] as number, item, before);
    }
    return types;
  }

  #columnOf(place: Place | null, column: number, rowCount: number, types: number, slab: Slab): TypedChunk | null {
    const answer = this.#answer.subarray(ANSWER * column, ANSWER * (column + 1));
    const [fill, , nullCount = 0] = answer;
    if (place === null || fill !== DONE) return null;
    const validity = nullCount === 0 ? null : place.validity;
    if (place.kind === TEXT) return this.#textOf(place, answer, rowCount, validity, slab);
    if (types === 0) return null;
    return { chunk: { kind: 'fixed', rowCount, bytes: place.values, validity }, types, nullCount };
  }

  #textOf(
    { values }: Place,
    answer: Uint32Array,
    rowCount: number,
    validity: Uint8Array | null,
    slab: Slab,
  ): TypedChunk {
    const [, , nullCount = 0, count = 0, byteLength = 0, isCoded = 0, at = 0] = answer;
    const behind = at + 4 * count;
    const [ends, texts] = [this.#texts.subarray(at, behind), this.#texts.subarray(behind, behind + byteLength)];
    // Texts that do not repeat get memory of their own, which can be given away.
    const own = isCoded === 0 ? ends.slice() : slab.copy(ends);
    return {
      chunk: {
        kind: 'utf8',
        rowCount,
        bytes: isCoded === 0 ? texts.slice() : slab.copy(texts),
        ends: new Uint32Array(own.buffer, own.byteOffset, count),
        codes: isCoded === 0 ? null : new Uint16Array(values.buffer, values.byteOffset, rowCount),
        validity,
      },
      types: 0,
      nullCount,
    };
  }
}

/** Null where the addon has no such kind, or there is no room. */
function placeOf(kind: number | undefined, rowCount: number, slab: Slab): Place | null {
  if (kind === undefined) return null;
  const values = slab.take(rowCount * (kind === TEXT ? 2 : kind === BOOLEAN ? 1 : 8));
  const validity = slab.take((rowCount + 7) >>> 3);
  const { buffer } = slab.bytes;
  return values.buffer === buffer && validity.buffer === buffer ? { kind, values, validity } : null;
}

/** Of numbers the addon tells whether all are integers: where none is negative, they may be unsigned ones. */
function withUnsigned(types: number, place: Place | null | undefined): number {
  if (place === null || place === undefined || (types & INTEGER) === 0) return types;
  const { buffer, byteOffset, byteLength } = place.values;
  if (place.kind === FLOATS) {
    const doubles = new Float64Array(buffer, byteOffset, byteLength / 8);
    return doubles.some((value) => value < 0) ? types : types | UNSIGNED;
  }
  const words = new Int32Array(buffer, byteOffset, byteLength / 4);
  let signs = 0;
  for (let word = 1; word < words.length; word += 2) signs |= words[word] as number;
  return signs < 0 ? types : types | UNSIGNED;
}

/** The types that are left: 0 where the cell has none of the kind's. */
function putLeft(
  { kind, values }: Place,
  bytes: Uint8Array,
  start: number,
  end: number,
  item: number,
  types: number,
): number {
  const { buffer, byteOffset, byteLength } = values;
  if (kind === FLOATS)
    return putFloat(bytes, start, end, new Float64Array(buffer, byteOffset, byteLength / 8), item, types);
  const words = new Int32Array(buffer, byteOffset, byteLength / 4);
  return kind === INTEGERS
    ? putInteger(bytes, start, end, words, item, types, INTEGER)
    : putFarMoment(bytes, start, end, kind === DAYS, words, item, types);
}
