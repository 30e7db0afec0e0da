// numpy's dtype strings, as a manifest stores them ('<f8', '|b1', '<M8[ns]', '|S5') <-> the shared dtype vocabulary.
// Files hold other numpy types too (complex, void, long double); those parse to null, and the reader names column and
// dtype when it refuses them.
import { UnsupportedError, dtypeFacts, isDType, isMoment, isRawItem, isTime, parseDType } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { ITEM_LIMIT_BYTES } from './constants.ts';

/** The kinds that the format stores. */
export type StoredDType = Exclude<DTypeInfo, { kind: 'string' | 'binary' }>;

export interface StoredType {
  readonly dtype: StoredDType;
  /**
   * Whether the items of the file are big-endian (flat files only: the record writers swap). Never set for one-byte
   * items.
   */
  readonly bigEndian: boolean;
}

export const isStoredDType = (dtype: DTypeInfo): dtype is StoredDType => dtype.itemBytes > 0;

const DESCR = /^([<>|=]?)([biufMmSU])([0-9]*)(\[[0-9a-zA-Z]+\])?$/;
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['b1', 'bool'],
  ['i1', 'int8'],
  ['i2', 'int16'],
  ['i4', 'int32'],
  ['i8', 'int64'],
  ['u1', 'uint8'],
  ['u2', 'uint16'],
  ['u4', 'uint32'],
  ['u8', 'uint64'],
  ['f2', 'float16'],
  ['f4', 'float32'],
  ['f8', 'float64'],
  ['M8', 'datetime64'],
  ['m8', 'timedelta64'],
]);

/** The dtype that a numpy string names, or null for a type that the format's readers here do not know. Never throws. */
export function parseDescr(descr: string): StoredType | null {
  const match = DESCR.exec(descr);
  if (match === null) return null;
  const [, order = '', kind = '', size = '', unit = ''] = match;
  const isString = kind === 'S' || kind === 'U';
  const name = isString ? kind + size : PLAIN.get(kind + size);
  if (name === undefined || !isDType(name + unit)) return null;
  const dtype = parseDType(name + unit);
  if (!isStoredDType(dtype) || dtype.itemBytes > ITEM_LIMIT_BYTES) return null;
  return { dtype, bigEndian: order === '>' && kind !== 'S' && dtype.itemBytes > 1 };
}

/**
 * The numpy string of a dtype, little-endian, as the Python releases write it.
 * @throws UnsupportedError ERR_DTYPE, naming column and dtype, for what the format cannot hold.
 */
export function formatDescr(dtype: DTypeInfo, column: string): string {
  const { name, kind, itemBytes } = dtype;
  if (!isStoredDType(dtype))
    throw unsupportedDType(
      column,
      name,
      'every item of a column has the same width here: ' +
        "say it with typed('U16', values) for text or typed('S16', values) for bytes" +
        ", or edit(table).cast({ column: 'U16' })",
    );
  if (isRawItem(dtype)) throw unsupportedDType(column, name, 'the format has float16, float32 and float64');
  const { unitBytes } = dtypeFacts(dtype);
  if (unitBytes > 1 && itemBytes > ITEM_LIMIT_BYTES)
    throw unsupportedDType(column, name, `an item holds at most ${String(ITEM_LIMIT_BYTES)} bytes`);
  const order = itemBytes === 1 || unitBytes === 1 ? '|' : '<';
  if (unitBytes > 0) return `${order}${name}`;
  if (isTime(dtype)) return `${order}${isMoment(dtype) ? 'M' : 'm'}8${/\[.*$/.exec(name)?.[0] ?? ''}`;
  return `${order}${kind.charAt(0)}${String(itemBytes)}`;
}

/** Names column and dtype, with what would do instead. */
export function unsupportedDType(column: string, dtype: string, remedy: string, path?: string): UnsupportedError {
  const where = path === undefined ? '' : `${path}: `;
  return new UnsupportedError(
    'ERR_DTYPE',
    dtype,
    `${where}column ${JSON.stringify(column)}: unsupported dtype ${JSON.stringify(dtype)}; ${remedy}`,
  );
}
