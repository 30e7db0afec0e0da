// Whether what two files (or the samples of two datasets) hold is of one kind: values are matched by key, never by
// position.
import { ArgumentError } from '@colkit/io';
import { isText } from '../layout/dtype.ts';
import type { StoredDType } from '../layout/dtype.ts';

/** One value of an item or sample. */
export interface NamedField {
  readonly key: string;
  /** Null where items differ in it, or nobody knows. */
  readonly dtype: StoredDType | null;
}

/** The values of the items of a file. */
export interface NamedFields {
  /** For messages. */
  readonly path: string;
  readonly fields: readonly NamedField[];
}

/**
 * Where each field stands among the others; null unless they are the same keys. A key that is there twice has two
 * places.
 */
export function orderByKey(fields: readonly NamedField[], others: readonly NamedField[]): number[] | null {
  if (fields.length !== others.length) return null;
  const left = new Map<string, number[]>();
  for (const [index, { key }] of others.entries()) left.set(key, [...(left.get(key) ?? []), index]);
  const order = fields.map(({ key }) => left.get(key)?.shift() ?? -1);
  return order.includes(-1) ? null : order;
}

/** @throws ArgumentError ERR_SCHEMA where a key has another dtype, naming file and key. */
export function checkDTypes(first: NamedFields, each: NamedFields, order: readonly number[]): void {
  for (const [k, { key, dtype }] of first.fields.entries()) {
    const found = each.fields[order[k] ?? 0]?.dtype ?? null;
    if (dtype === null || found === null || dtype === found || (isText(dtype) && isText(found))) continue;
    throw new ArgumentError('ERR_SCHEMA', keyLabel(each, key), `${dtype}, as in ${first.path}`, found);
  }
}

/** The error of files whose keys are not the same. */
export function otherKeys(first: NamedFields, each: NamedFields, remedy: string): ArgumentError {
  const [ofFirst, ofEach] = [countKeys(first.fields), countKeys(each.fields)];
  const more = each.fields.find(({ key }) => (ofEach.get(key) ?? 0) > (ofFirst.get(key) ?? 0));
  if (more !== undefined)
    return new ArgumentError(
      'ERR_SCHEMA',
      keyLabel(each, more.key),
      `only the keys of ${first.path}: ${listOf(first.fields)} (${remedy})`,
      listOf(each.fields),
    );
  const missing = first.fields.find(({ key }) => (ofFirst.get(key) ?? 0) > (ofEach.get(key) ?? 0));
  return new ArgumentError(
    'ERR_SCHEMA',
    keyLabel(each, missing?.key),
    `that key, as in ${first.path} (${remedy})`,
    each.fields.length === 0 ? 'no keys' : listOf(each.fields),
  );
}

function countKeys(fields: readonly NamedField[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of fields) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Of keys in a message. */
const MOST_NAMES = 20;

export function keyLabel({ path }: NamedFields, key = ''): string {
  return `${path}: key ${JSON.stringify(key)}`;
}

export function listOf(fields: readonly NamedField[]): string {
  const names = fields.slice(0, MOST_NAMES).map(({ key }) => JSON.stringify(key));
  return `${names.join(', ')}${fields.length > MOST_NAMES ? ', …' : ''}`;
}
