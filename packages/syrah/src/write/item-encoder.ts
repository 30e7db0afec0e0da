// Items as callers give them -> checked, encoded arrays. The first item (or the schema) fixes keys and dtypes; an item
// that differs is refused whole, before anything of it is written.
import { ArgumentError, bytesOfArray, describeValue, dtypeOfArray, isByName, isMap } from '@colkit/io';
import { KEY_LIMIT, NAME_LIMIT_BYTES } from '../layout/constants.ts';
import { SYRAH_DTYPES, fileDType, isSyrahDType } from '../layout/dtype.ts';
import type { SyrahArray, SyrahDType } from '../layout/dtype.ts';
import { encodeArray } from './encode-array.ts';
import type { SyrahInput } from './encode-array.ts';

/** Keys with their arrays. Objects put keys such as "10" first; a Map or a list of pairs keeps any order. */
export type ItemInput =
  | Readonly<Record<string, SyrahInput>>
  | ReadonlyMap<string, SyrahInput>
  | readonly (readonly [string, SyrahInput])[];

/** An item whose type has no index signature: that of an interface or of a class. */
export type NamedArrays<I> = object & { readonly [Name in keyof I]: SyrahInput };

/** Keys with their dtypes, in order: `file.schema` of another file, pairs, a Map or an object. */
export type SchemaInput =
  | readonly { readonly name: string; readonly dtype: string | null }[]
  | readonly (readonly [string, string])[]
  | ReadonlyMap<string, string>
  | Readonly<Record<string, string>>;

export interface KeySpec {
  readonly name: string;
  readonly dtype: SyrahDType;
}

/** The arrays of an item in the order in which it has them; `key` counts the writer's keys. */
export interface EncodedItem {
  readonly arrays: readonly { readonly key: number; readonly bytes: Uint8Array }[];
  readonly byteLength: number;
}

/** Typed arrays that are stored as they are, by their dtype. */
const PLAIN: ReadonlyMap<SyrahDType, { readonly prototype: object }> = new Map<
  SyrahDType,
  { readonly prototype: object }
>([
  ['int8', Int8Array],
  ['uint8', Uint8Array],
  ['int16', Int16Array],
  ['uint16', Uint16Array],
  ['int32', Int32Array],
  ['uint32', Uint32Array],
  ['int64', BigInt64Array],
  ['uint64', BigUint64Array],
  ['float32', Float32Array],
  ['float64', Float64Array],
]);

export class ItemEncoder {
  #keys: readonly KeySpec[] | null = null;
  #numbers: ReadonlyMap<string, number> = new Map();
  /** For each key what an array of its dtype inherits from; null where values need a closer look. */
  #prototypes: readonly (object | null)[] = [];
  readonly #plain: ArrayBufferView[] = [];

  constructor(keys: readonly KeySpec[] | null) {
    if (keys !== null) this.#fix(keys);
  }

  /** Null until the first item, where no schema was given. */
  get keys(): readonly KeySpec[] | null {
    return this.#keys;
  }

  /** @throws ArgumentError ERR_SCHEMA, ERR_VALUE, ERR_ARGUMENT, naming item and key. */
  encode(item: ItemInput, itemNumber: number): EncodedItem {
    const where = (key: string): string => `key ${describeValue(key)} of item ${String(itemNumber)}`;
    const entries = entriesOf(item, itemNumber);
    const known = this.#keys;
    if (known === null) {
      const encoded = entries.map(([key, value]) => ({
        name: checkKeyName(key, where(key)),
        ...encodeArray(value, null, where(key)),
      }));
      checkKeyCount(encoded.length);
      this.#fix(encoded.map(({ name, dtype }) => ({ name, dtype })));
      return toItem(encoded.map(({ bytes }, key) => ({ key, bytes })));
    }
    const arrays = entries.map(([name, value]) => {
      const key = this.#numbers.get(name);
      if (key === undefined) throw keysDiffer(itemNumber, known, `${describeValue(name)} besides`);
      const dtype = known[key]?.dtype ?? null;
      // The usual case, before the words of an error are put together.
      if (dtype !== null && dtypeOfArray(value) === dtype && (value as SyrahArray).length > 0)
        return { key, bytes: bytesOfArray(value as SyrahArray) };
      return { key, bytes: encodeArray(value, dtype, where(name)).bytes };
    });
    const missing =
      arrays.length === known.length ? undefined : known.find((_, key) => !arrays.some((array) => array.key === key));
    if (missing !== undefined) throw keysDiffer(itemNumber, known, `no ${JSON.stringify(missing.name)}`);
    return toItem(arrays);
  }

  /**
   * The arrays of an item as nearly all are: an object with the keys in their order, each a typed array of its dtype
   * that is not empty. Null for any other. Nothing is made on the way, and the list is used again for the next item.
   */
  plainArrays(item: ItemInput): readonly ArrayBufferView[] | null {
    const keys = this.#keys;
    if (keys === null || !isPlainObject(item)) return null;
    const names = Object.keys(item);
    if (names.length !== keys.length) return null;
    for (let key = 0; key < names.length; key += 1) {
      const name = names[key] as string;
      const prototype = this.#prototypes[key] ?? null;
      if (keys[key]?.name !== name || prototype === null) return null;
      const value = (item as Readonly<Record<string, unknown>>)[name];
      if (
        typeof value !== 'object' ||
        value === null ||
        Object.getPrototypeOf(value) !== prototype ||
        (value as Uint8Array).length === 0
      )
        return null;
      this.#plain[key] = value as Uint8Array;
    }
    return this.#plain;
  }

  #fix(keys: readonly KeySpec[]): void {
    this.#keys = Object.freeze(keys.slice());
    this.#prototypes = keys.map(({ dtype }) => PLAIN.get(dtype)?.prototype ?? null);
    this.#numbers = new Map(keys.map(({ name }, number) => [name, number]));
  }
}

function isPlainObject(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === Object.prototype || prototype === null;
}

function toItem(arrays: EncodedItem['arrays']): EncodedItem {
  let byteLength = 0;
  for (const { bytes } of arrays) byteLength += bytes.length;
  return { arrays, byteLength };
}

function keysDiffer(itemNumber: number, keys: readonly KeySpec[], found: string): ArgumentError {
  const names = keys.map(({ name }) => JSON.stringify(name)).join(', ');
  return new ArgumentError('ERR_SCHEMA', `item ${String(itemNumber)}`, `the keys ${names}`, found);
}

function entriesOf(item: ItemInput, itemNumber: number): readonly (readonly [string, SyrahInput])[] {
  const where = `item ${String(itemNumber)}`;
  const given: unknown = item;
  if (!Array.isArray(given) && !isByName(given)) {
    throw new ArgumentError('ERR_ARGUMENT', where, 'an object, a Map or [key, array] pairs', describeValue(given));
  }
  if (isMap(item)) return [...item];
  if (!Array.isArray(item)) return Object.entries(item as Readonly<Record<string, SyrahInput>>);
  const pairs = item as readonly (readonly [string, SyrahInput])[];
  const seen = new Set<unknown>();
  for (const [position, pair] of (pairs as readonly (readonly unknown[])[]).entries()) {
    if (!Array.isArray(pair) || pair.length !== 2)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        where,
        '[key, array] pairs',
        `${describeValue(pair)} at position ${String(position)}`,
      );
    if (seen.has(pair[0]))
      throw new ArgumentError('ERR_SCHEMA', where, 'different keys', `${describeValue(pair[0])} twice`);
    seen.add(pair[0]);
  }
  return pairs;
}

export function parseSchema(schema: SchemaInput): KeySpec[] {
  const given: unknown = schema;
  if (!Array.isArray(given) && !isByName(given))
    throw new ArgumentError('ERR_SCHEMA', 'schema', 'pairs of key and dtype, a Map or an object', describeValue(given));
  const pairs = isMap(given)
    ? [...given]
    : Array.isArray(given)
      ? (given as readonly unknown[]).map(pairOf)
      : Object.entries(given as Record<string, unknown>);
  checkKeyCount(pairs.length);
  const names = new Set<string>();
  return pairs.map(([name, given]) => {
    const key = checkKeyName(name, 'schema');
    if (names.has(key))
      throw new ArgumentError('ERR_SCHEMA', 'schema', 'different keys', `${JSON.stringify(key)} twice`);
    names.add(key);
    const dtype = typeof given === 'string' ? fileDType(given) : given;
    if (typeof dtype !== 'string' || !isSyrahDType(dtype))
      throw new ArgumentError(
        'ERR_SCHEMA',
        `schema: key ${JSON.stringify(key)}`,
        `a dtype that .syr files have (${SYRAH_DTYPES.join(', ')})`,
        describeValue(dtype),
      );
    return { name: key, dtype };
  });
}

function pairOf(field: unknown): readonly [unknown, unknown] {
  if (Array.isArray(field)) return [field[0], field[1]];
  return typeof field === 'object' && field !== null && 'name' in field && 'dtype' in field
    ? [field.name, field.dtype]
    : [field, null];
}

function checkKeyCount(count: number): void {
  if (count === 0) throw new ArgumentError('ERR_SCHEMA', 'keys', 'at least one', 'none');
  if (count > KEY_LIMIT) throw new ArgumentError('ERR_SCHEMA', 'keys', `at most ${String(KEY_LIMIT)}`, String(count));
}

/** BSON names are text without NUL. */
function checkKeyName(name: unknown, where: string): string {
  if (typeof name !== 'string') throw new ArgumentError('ERR_SCHEMA', where, 'text as key', describeValue(name));
  const bytes = new TextEncoder().encode(name).length;
  if (name.includes('\0') || /\p{Surrogate}/u.test(name) || bytes > NAME_LIMIT_BYTES) {
    throw new ArgumentError(
      'ERR_SCHEMA',
      where,
      `a key of well-formed text without NUL, of at most ${String(NAME_LIMIT_BYTES)} bytes`,
      JSON.stringify(name.slice(0, 40)),
    );
  }
  return name;
}
