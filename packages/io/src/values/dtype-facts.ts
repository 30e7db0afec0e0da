// What the values of each element type are and can do: one table, a row a kind (and one for each type that differs from
// its kind), in place of comparisons of names wherever it matters.
import type { DTypeInfo } from './dtype.ts';

export interface DTypeFacts {
  /**
   * What values are to whoever computes with them: `wide` are integers of 64 bits, `ticks` 64-bit times with NaT,
   * `bytes` have no order and no sums.
   */
  readonly domain: 'bool' | 'integers' | 'wide' | 'floats' | 'ticks' | 'text' | 'bytes';
  /** Integers and floats: what people align to the right. */
  readonly isNumber: boolean;
  readonly isUnsigned: boolean;
  /** One element of the typed array is one value: not of packed text and raw items, nor of what has no fixed width. */
  readonly hasArray: boolean;
  /** A column of it may become floats, in which NaN stands for null. */
  readonly toFloats: boolean;
}

const TEXT: DTypeFacts = { domain: 'text', isNumber: false, isUnsigned: false, hasArray: false, toFloats: false };
const NUMBER = { isNumber: true, isUnsigned: false, hasArray: true, toFloats: true } as const;
const TICKS: DTypeFacts = { domain: 'ticks', isNumber: false, isUnsigned: false, hasArray: true, toFloats: false };

const FACTS: Readonly<Record<DTypeInfo['kind'], DTypeFacts>> & Readonly<Record<string, DTypeFacts | undefined>> = {
  bool: { domain: 'bool', isNumber: false, isUnsigned: false, hasArray: true, toFloats: true },
  int: { domain: 'integers', ...NUMBER },
  uint: { domain: 'integers', ...NUMBER, isUnsigned: true },
  float: { domain: 'floats', ...NUMBER, toFloats: false },
  datetime: TICKS,
  timedelta: TICKS,
  bytes: TEXT,
  unicode: TEXT,
  string: TEXT,
  binary: { ...TEXT, domain: 'bytes' },
  // Types that differ from their kind.
  int64: { domain: 'wide', ...NUMBER },
  uint64: { domain: 'wide', ...NUMBER, isUnsigned: true },
  float128: { domain: 'bytes', isNumber: true, isUnsigned: false, hasArray: false, toFloats: false },
};

export function dtypeFacts({ kind, name }: DTypeInfo): DTypeFacts {
  return FACTS[name] ?? FACTS[kind];
}

/** Text packed into items of one width: S and U. */
export function isFixedText(info: DTypeInfo): info is Extract<DTypeInfo, { readonly length: number }> {
  return info.itemBytes > 0 && dtypeFacts(info).domain === 'text';
}

/** 64-bit ticks: datetime64 and timedelta64. */
export function isTime(info: DTypeInfo): info is Extract<DTypeInfo, { readonly step: number }> {
  return dtypeFacts(info).domain === 'ticks';
}
