// What is known of a column of JSON after some of its values: of which kinds they are, and so its dtype. JSON writes
// some numbers as text, which are numbers beside others: NaN, the infinities and integers beyond 2^53.
import { ArgumentError, integerRange, parseDType } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import type { Field } from '../source.ts';
import { plainMoment } from '../values/plain-moment.ts';
import { saidMoment } from '../values/said.ts';
import type { JsonScalar } from './parse-record.ts';

type Group = 'bool' | 'number' | 'text';

const [INTEGER, UNSIGNED, NEGATIVE, BEYOND, FRACTION, INEXACT] = [1, 2, 4, 8, 16, 32];
const [DAY, MOMENT, NOT_A_TIME, NUMBER, OTHER] = [1, 2, 4, 8, 16];

const INT64 = integerRange(parseDType('int64'));
const UINT64 = integerRange(parseDType('uint64'));
const MICROSECOND_DIGITS = 6;
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
  /** Line of the first value of each group. */
  readonly #first = new Map<Group, number>();
  #numbers = 0;
  #texts = 0;
  /** What those texts that are numbers are as numbers. */
  #textNumbers = 0;
  #longest = 0;
  #isAscii = true;

  constructor(name: string, given: DTypeInfo | null) {
    this.name = name;
    this.given = given;
  }

  add(value: JsonScalar, line: number): void {
    this.isSeen = true;
    if (value === null) return;
    this.#count += 1;
    if (this.given !== null) return;
    const group = typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'bool' : 'number';
    if (!this.#first.has(group)) this.#first.set(group, line);
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value !== 'boolean') this.#numbers |= numberKinds(value);
  }

  /** @throws ArgumentError ERR_SCHEMA where the values have no type in common. */
  field(rowCount: number, text: 'string' | 'fixed', path: string): Field {
    const dtype = this.given?.name ?? this.#dtype(text, path);
    return { name: this.name, dtype, nullable: this.#count < rowCount };
  }

  #addText(text: string): void {
    if (text.length > this.#longest) this.#longest = text.length;
    if (this.#isAscii && !/^[\0-\x7f]*$/u.test(text)) this.#isAscii = false;
    if ((this.#texts & OTHER) !== 0) return;
    if (FLOAT_WORDS.has(text)) {
      this.#texts |= NUMBER;
      this.#textNumbers |= FRACTION;
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
    if ((kinds & (FRACTION | BEYOND)) === 0 && (kinds & (UNSIGNED | NEGATIVE)) !== (UNSIGNED | NEGATIVE))
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
    if (Object.is(value, -0) || !Number.isInteger(value)) return FRACTION;
    if (Number.isSafeInteger(value)) return value < 0 ? INTEGER | NEGATIVE : INTEGER;
    // Written with an exponent, or it would be a bigint.
    return FRACTION;
  }
  const inexact = BigInt(Number(value)) === value ? 0 : INEXACT;
  if (value < INT64[0] || value > UINT64[1]) return BEYOND | inexact;
  if (value < 0n) return INTEGER | NEGATIVE | inexact;
  return (value > INT64[1] ? UNSIGNED : INTEGER) | inexact;
}

function timeKind(text: string): number {
  const plain = plainMoment(text);
  if (plain?.separator === '') return DAY;
  if (plain?.separator === 'T' && plain.digits <= MICROSECOND_DIGITS) return MOMENT;
  if (DAY_TEXT.test(text)) return saidMoment(text, 'datetime64[D]') === null ? OTHER : DAY;
  return MOMENT_TEXT.test(text) && saidMoment(text, 'datetime64[us]') !== null ? MOMENT : OTHER;
}
