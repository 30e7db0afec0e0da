// Values of another realm as those of this one.
import { parseDType } from '../values/dtype.ts';
import { tagOf } from '../errors/tags.ts';
import { arrayTypeOf, dtypeOfArray } from './typed-array.ts';

/**
 * A Date, a Set or an array as one of this realm: arrays over the same memory, others as copies; else the value. Arrays
 * are told by their own type: where tests run in jsdom, `Uint8Array` is that of another realm and `Object` is not.
 */
export function ofThisRealm<T>(value: T): T {
  if (typeof value !== 'object' || value instanceof Date || value instanceof Uint8Array) return value;
  const dtype = dtypeOfArray(value);
  const type = dtype === null ? null : arrayTypeOf(parseDType(dtype));
  if (type !== null) {
    const { buffer, byteOffset, length } = value as Uint8Array<ArrayBuffer>;
    return value instanceof type ? value : (new type(buffer, byteOffset, length) as T);
  }
  const tag = tagOf(value);
  if (tag === 'Date') return new Date(value as Date) as T;
  return tag === 'Set' ? (new Set(value as Set<unknown>) as T) : value;
}
