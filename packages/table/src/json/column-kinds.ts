// What is known of a column of JSON after some of its values: of which kinds they are, and so its dtype. JSON writes
// some numbers as text, which are numbers beside others: NaN, the infinities and integers beyond 2^53.
import { ArgumentError, integerRange, parseDType } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import type { Field } from '../source.ts';
import { plainMoment } from '../values/plain-moment.ts';
import { saidMoment } from '../values/said.ts';
import { DATE, DATETIME, classify } from '../text-input/cells/classify.ts';
import { isDigits } from '../text-input/cells/cell-values.ts';
import { PLAIN, QUOTED } from '../text-input/cells/cell-flags.ts';
import { BOOL, FRACTION, NEGATIVE, NUMBERS, OTHER_NUMBER, OTHER_TEXT, TEXTS, WHOLE } from './cell-forms.ts';
import { cellText, isNumber, numberOf } from './cell-scalars.ts';
import type { RecordCells } from './record-cells.ts';

type Group = 'bool' | 'number' | 'text';
const GROUPS: readonly (readonly [Group, number])[] = [
  ['bool', BOOL],
  ['number', NUMBERS],
  ['text', TEXTS],
];

const [INTEGER, UNSIGNED, BELOW_ZERO, BEYOND, FRACTIONAL, INEXACT] = [1, 2, 4, 8, 16, 32];
const [DAY, MOMENT, NOT_A_TIME, NUMBER, OTHER] = [1, 2, 4, 8, 16];

const INT64 = integerRange(parseDType('int64'));
const UINT64 = integerRange(parseDType('uint64'));
const MICROSECOND_DIGITS = 6;
const EXACT_DIGITS = 15;
/** Of YYYY-MM-DD. */
const DATE_LENGTH = 10;
const LETTER_T = 0x54;
const FLOAT_WORDS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity', '-0']);
const WIDE_INTEGER = /^-?[1-9]\d{15,19}$/u;
const DAY_TEXT = /^[+-]?\d{4,6}-\d\d-\d\d$/u;
const MOMENT_TEXT = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?Z?$/u;

export class ColumnKinds {
  readonly name: string;
  readonly given: DTypeInfo | null;
  /** Whether a row has it. */
  isSeen = false;
  /** Values that are not null. */
  #count = 0;
  /** Line of the first value of each group, in their order. */
  readonly #first = new Map<Group, number>();
  #numbers = 0;
  #texts = 0;
  /** What those texts that are numbers are as numbers. */
  #textNumbers = 0;
  #longest = 0;
  #isAscii = true;

  readonly #isMeasured: boolean;

  /** @param isMeasured whether the width of texts is asked for. */
  constructor(name: string, given: DTypeInfo | null, isMeasured: boolean) {
    this.#isMeasured = isMeasured;
    this.name = name;
    this.given = given;
  }

  /** Adds the cells of a block. @param lineOf the line of a row. */
  add(cells: RecordCells, column: number, lineOf: (row: number) => number): void {
    const forms = cells.formsOf(column);
    this.isSeen ||= forms !== 0;
    this.#count += cells.countOf(column);
    if (this.given !== null) return;
    const groups = GROUPS.filter(([group, mask]) => (forms & mask) !== 0 && !this.#first.has(group));
    const rows = groups.map(([group]) => ({ group, row: firstRow(cells, column, group) }));
    for (const { group, row } of rows.sort((one, other) => one.row - other.row)) this.#first.set(group, lineOf(row));
    this.#addNumbers(cells, column, forms);
    this.#addTexts(cells, column, forms);
  }

  /** @throws ArgumentError ERR_SCHEMA where the values have no type in common. */
  field(rowCount: number, text: 'string' | 'fixed', path: string): Field {
    const dtype = this.given?.name ?? this.#dtype(text, path);
    return { name: this.name, dtype, nullable: this.#count < rowCount };
  }

  #addNumbers({ bytes, starts, ends, flags, rowCount, stride }: RecordCells, column: number, forms: number): void {
    if ((forms & WHOLE) !== 0) this.#numbers |= INTEGER;
    if ((forms & NEGATIVE) !== 0) this.#numbers |= BELOW_ZERO;
    if ((forms & FRACTION) !== 0) this.#numbers |= FRACTIONAL;
    if ((forms & OTHER_NUMBER) === 0) return;
    for (let row = 0, cell = column; row < rowCount; row += 1, cell += stride) {
      const [start, end] = [starts[cell] as number, ends[cell] as number];
      if (flags[cell] !== PLAIN || start === end || !isNumber(bytes[start])) continue;
      // Beside fractions it does not matter whether a number that is written as one is whole.
      if (isDigits(bytes, start, end) ? end - start > EXACT_DIGITS : (this.#numbers & FRACTIONAL) === 0)
        this.#numbers |= numberKinds(numberOf(bytes, start, end));
    }
  }

  #addTexts(cells: RecordCells, column: number, forms: number): void {
    if ((forms & TEXTS) === 0) return;
    if (this.#isMeasured) this.#measure(cells, column);
    if ((forms & OTHER_TEXT) !== 0) this.#texts |= OTHER;
    const { bytes, starts, ends, flags, rowCount, stride } = cells;
    // Whatever comes with other text is text.
    for (let row = 0, cell = column; row < rowCount && (this.#texts & OTHER) === 0; row += 1, cell += stride)
      if (flags[cell] === QUOTED) this.#addText(bytes, starts[cell] as number, ends[cell] as number);
  }

  /** Finds the longest text, in units of UTF-16. */
  #measure({ bytes, starts, ends, flags, rowCount, stride }: RecordCells, column: number): void {
    let [longest, seen] = [this.#longest, 0];
    for (let row = 0, cell = column; row < rowCount; row += 1, cell += stride) {
      if (flags[cell] !== QUOTED) continue;
      const end = ends[cell] as number;
      let units = 0;
      for (let at = starts[cell] as number; at < end; at += 1) {
        const byte = bytes[at] as number;
        seen |= byte;
        // Bytes that go on are no units, and those that begin four are two.
        if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
      }
      if (units > longest) longest = units;
    }
    this.#longest = longest;
    if (seen > 0x7f) this.#isAscii = false;
  }

  #addText(bytes: Uint8Array, start: number, end: number): void {
    const types = classify(bytes, start, end, DATE | DATETIME);
    if ((types & DATE) !== 0) this.#texts |= DAY;
    else if (types !== 0 && bytes[start + DATE_LENGTH] === LETTER_T) this.#texts |= MOMENT;
    else this.#addOddText(cellText(bytes, start, end));
  }

  #addOddText(text: string): void {
    if (FLOAT_WORDS.has(text)) {
      this.#texts |= NUMBER;
      this.#textNumbers |= FRACTIONAL;
    } else if (WIDE_INTEGER.test(text)) {
      this.#texts |= NUMBER;
      this.#textNumbers |= numberKinds(BigInt(text));
    } else this.#texts |= text === 'NaT' ? NOT_A_TIME : timeKind(text);
  }

  #dtype(text: 'string' | 'fixed', path: string): DType {
    const isNumber = this.#first.has('number') && (this.#texts & ~NUMBER) === 0;
    const groups = [...this.#first.keys()].filter((group) => !(isNumber && group === 'text'));
    const [one, other] = groups;
    if (one !== undefined && other !== undefined) throw this.#mixed(path, one, other);
    if (isNumber) return this.#numberType(path);
    if (one === 'bool') return 'bool';
    const kinds = this.#texts;
    if (kinds === DAY || kinds === (DAY | NOT_A_TIME)) return 'datetime64[D]';
    if ((kinds & (DAY | MOMENT)) !== 0 && (kinds & (NUMBER | OTHER)) === 0) return 'datetime64[us]';
    if (text === 'string') return 'string';
    return parseDType(`${this.#isAscii ? 'S' : 'U'}${String(Math.max(1, this.#longest))}`).name;
  }

  #numberType(path: string): DType {
    const kinds = this.#numbers | this.#textNumbers;
    if ((kinds & (FRACTIONAL | BEYOND)) === 0 && (kinds & (UNSIGNED | BELOW_ZERO)) !== (UNSIGNED | BELOW_ZERO))
      return (kinds & UNSIGNED) === 0 ? 'int64' : 'uint64';
    if ((kinds & INEXACT) === 0) return 'float64';
    throw new ArgumentError(
      'ERR_SCHEMA',
      `${path}: column ${JSON.stringify(this.name)}`,
      'numbers that one type holds exactly',
      `integers beyond 2^53 beside others that int64 does not hold ({ types: { ${JSON.stringify(this.name)}: ` +
        `'float64' } } rounds them)`,
    );
  }

  #mixed(path: string, one: Group, other: Group): ArgumentError {
    const [first, second] = [this.#first.get(one) ?? 0, this.#first.get(other) ?? 0];
    return new ArgumentError(
      'ERR_SCHEMA',
      `${path}: column ${JSON.stringify(this.name)}`,
      `values of one kind (${one} in line ${String(first)})`,
      `${other} in line ${String(second)} ({ types: { ${JSON.stringify(this.name)}: 'string' } } takes both)`,
    );
  }
}

function numberKinds(value: number | bigint): number {
  if (typeof value === 'number') {
    if (Object.is(value, -0) || !Number.isInteger(value)) return FRACTIONAL;
    if (Number.isSafeInteger(value)) return value < 0 ? INTEGER | BELOW_ZERO : INTEGER;
    // Written with an exponent, or it would be a bigint.
    return FRACTIONAL;
  }
  const inexact = BigInt(Number(value)) === value ? 0 : INEXACT;
  if (value < INT64[0] || value > UINT64[1]) return BEYOND | inexact;
  if (value < 0n) return INTEGER | BELOW_ZERO | inexact;
  return (value > INT64[1] ? UNSIGNED : INTEGER) | inexact;
}

function timeKind(text: string): number {
  const plain = plainMoment(text);
  if (plain?.separator === '') return DAY;
  if (plain?.separator === 'T' && plain.digits <= MICROSECOND_DIGITS) return MOMENT;
  if (DAY_TEXT.test(text)) return saidMoment(text, 'datetime64[D]') === null ? OTHER : DAY;
  return MOMENT_TEXT.test(text) && saidMoment(text, 'datetime64[us]') !== null ? MOMENT : OTHER;
}

/** Of the cells of one group. */
function firstRow(cells: RecordCells, column: number, group: Group): number {
  const { bytes, starts, ends, flags, rowCount, stride } = cells;
  for (let row = 0, cell = column; row < rowCount; row += 1, cell += stride) {
    const isText = flags[cell] === QUOTED;
    if (group === 'text' ? isText : !isText && starts[cell] !== ends[cell]) {
      if (group === 'text' || (group === 'number') === isNumber(bytes[starts[cell] as number])) return row;
    }
  }
  return 0;
}
