// Values of another realm as those of this one.
import { parseDType } from '../values/dtype.ts';
import { tagOf } from '../errors/tags.ts';
import { arrayTypeOf, dtypeOfArray } from './typed-array.ts';

/** A Date, a Set or an array as one of this realm: arrays over the same memory, others as copies; else the value. */
export function ofThisRealm<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Object) return value;
  return (foreign(value) ?? value) as T;
}

function foreign(value: object): object | null {
  const dtype = dtypeOfArray(value);
  const type = dtype === null ? null : arrayTypeOf(parseDType(dtype));
  if (type !== null) {
    const { buffer, byteOffset, length } = value as Uint8Array<ArrayBuffer>;
    return new type(buffer, byteOffset, length);
  }
  const tag = tagOf(value);
  if (tag === 'Date') return new Date((value as Date).getTime());
  return tag === 'Set' ? new Set(value as Set<unknown>) : null;
}
