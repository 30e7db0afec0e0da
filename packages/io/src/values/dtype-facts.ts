// What the values of each element type are and can do: one table, a row a kind (and one for each type that differs from
// its kind), in place of comparisons of names wherever it matters.
import type { DTypeInfo } from './dtype.ts';

export interface DTypeFacts {
  /**
   * What values are to whoever computes with them: `wide` are integers of 64 bits, `ticks` 64-bit times with NaT,
   * `bytes` have no order and no sums.
   */
  readonly domain: 'bool' | 'integers' | 'wide' | 'floats' | 'ticks' | 'text' | 'bytes';
  /** What values are in JavaScript: a number or bigint, a moment, text and so on. Null: nothing but their bytes. */
  readonly value: 'bool' | 'int' | 'float' | 'moment' | 'duration' | 'text' | 'binary' | null;
  /** Integers and floats: what people align to the right. */
  readonly isNumber: boolean;
  readonly isUnsigned: boolean;
  /** One element of the typed array is one value: not of packed text and raw items, nor of what has no fixed width. */
  readonly hasArray: boolean;
  /** A column of it may become floats, in which NaN stands for null. */
  readonly toFloats: boolean;
  /** There are sums and means of it. */
  readonly adds: boolean;
  /** There is a least and a largest value, and an order of rows. */
  readonly orders: boolean;
  /** Cells of CSV can stand for it (of datetimes: where the unit is known). */
  readonly inCsv: boolean;
  /** Of packed text: bytes of one character of the item. */
  readonly unitBytes: 0 | 1 | 4;
  /** How kernels look at stored items; `own`: by the name of the type. Null: not at all. */
  readonly raw: 'own' | 'ticks' | 'bytes' | 'points' | null;
}

const NUMBER = {
  isNumber: true,
  isUnsigned: false,
  hasArray: true,
  toFloats: true,
  adds: true,
  orders: true,
  inCsv: true,
  unitBytes: 0,
  raw: 'own',
} as const;
const OTHER = { ...NUMBER, isNumber: false, toFloats: false, adds: false } as const;
const INTEGER: DTypeFacts = { ...NUMBER, domain: 'integers', value: 'int' };
const TICKS: DTypeFacts = { ...OTHER, domain: 'ticks', value: 'moment', raw: 'ticks' };
const TEXT: DTypeFacts = { ...OTHER, domain: 'text', value: 'text', hasArray: false, raw: null };
const BYTES: DTypeFacts = { ...TEXT, domain: 'bytes', value: 'binary', orders: false, inCsv: false };

const FACTS: Readonly<Record<DTypeInfo['kind'], DTypeFacts>> & Readonly<Record<string, DTypeFacts | undefined>> = {
  bool: { ...OTHER, domain: 'bool', value: 'bool', toFloats: true, adds: true },
  int: INTEGER,
  uint: { ...INTEGER, isUnsigned: true },
  float: { ...NUMBER, domain: 'floats', value: 'float', toFloats: false },
  datetime: TICKS,
  timedelta: { ...TICKS, value: 'duration', inCsv: false },
  bytes: { ...TEXT, unitBytes: 1, raw: 'bytes' },
  unicode: { ...TEXT, unitBytes: 4, raw: 'points' },
  string: TEXT,
  binary: BYTES,
  // Types that differ from their kind.
  int64: { ...INTEGER, domain: 'wide' },
  uint64: { ...INTEGER, domain: 'wide', isUnsigned: true },
  float128: { ...BYTES, value: null, isNumber: true },
};

export function dtypeFacts({ kind, name }: DTypeInfo): DTypeFacts {
  return FACTS[name] ?? FACTS[kind];
}

/** Text packed into items of one width: S and U. */
export function isFixedText(info: DTypeInfo): info is Extract<DTypeInfo, { readonly length: number }> {
  return dtypeFacts(info).unitBytes > 0;
}

/** 64-bit ticks: datetime64 and timedelta64. */
export function isTime(info: DTypeInfo): info is Extract<DTypeInfo, { readonly step: number }> {
  return dtypeFacts(info).domain === 'ticks';
}

/** Ticks of a calendar: datetime64. */
export function isMoment(info: DTypeInfo): info is Extract<DTypeInfo, { readonly kind: 'datetime' }> {
  return dtypeFacts(info).value === 'moment';
}

/** Stored as bytes, 0 or 1. */
export function isBool(info: DTypeInfo): boolean {
  return dtypeFacts(info).domain === 'bool';
}

/** Items without a value in JavaScript, handed out as the bytes they are: float128. */
export function isRawItem(info: DTypeInfo): boolean {
  return dtypeFacts(info).value === null;
}

/** Floats, which hold fractions: not float128, with which nothing is computed. */
export function isFloat(info: DTypeInfo): boolean {
  return dtypeFacts(info).domain === 'floats';
}

/** Byte arrays of any length each. */
export function isBinary(info: DTypeInfo): boolean {
  return dtypeFacts(info).value === 'binary';
}

/** Texts of any length each. */
export function isVariableText(info: DTypeInfo): boolean {
  return info.itemBytes === 0 && dtypeFacts(info).value === 'text';
}

/** The least and the largest value of a type of integers; of ticks with NaT, the least. */
export function integerRange(info: DTypeInfo): readonly [least: bigint, most: bigint] {
  const all = 1n << BigInt(8 * info.itemBytes);
  return dtypeFacts(info).isUnsigned ? [0n, all - 1n] : [-(all >> 1n), (all >> 1n) - 1n];
}
