// What each value of a dataset's samples is; and how the samples of several datasets become of one kind: values
// are matched by key, never by position.
import { ArgumentError } from '@colkit/io';
import { isText } from '../layout/dtype.ts';
import type { StoredDType } from '../layout/dtype.ts';

/** One value of a sample. */
export interface SampleField {
  readonly key: string;
  /** Of the stored arrays; null where items differ in it, or a process function makes something else of them. */
  readonly dtype: StoredDType | null;
}

/** The values of a dataset's samples. */
export interface SampleFields {
  /** The file behind the samples, the first one of several. */
  readonly path: string;
  readonly fields: readonly SampleField[];
  /**
   * The class whose own `get` makes the samples: what a value is then is its own business. Null for samples as they
   * are in the file.
   */
  readonly madeBy: object | null;
}

/** For each value of the result, its index in a dataset's sample; null: the same ones. */
export type ValueOrder = readonly number[] | null;

/**
 * How the samples of each dataset (null: nothing is known of them) come to stand like those of the first.
 * @throws ArgumentError ERR_SCHEMA for other keys or dtypes; for another order of the same keys where a `get` of one's
 * own makes the samples.
 */
export function alignSamples(datasets: readonly (SampleFields | null)[]): ValueOrder[] {
  const first = firstOf(datasets);
  return datasets.map((each) => (first === null || each === null || each === first ? null : align(first, each)));
}

/** What is known of all samples together. */
export function joinFields(datasets: readonly (SampleFields | null)[]): SampleFields | null {
  const first = firstOf(datasets);
  if (first === null || datasets.includes(null)) return null;
  const madeBy = datasets.find((each) => each?.madeBy != null)?.madeBy ?? null;
  // Of a key that is there twice, the first.
  const dtypes = datasets.map(
    (each) => new Map(each?.fields.map(({ key, dtype }): [string, SampleField['dtype']] => [key, dtype]).reverse()),
  );
  const differs = ({ key, dtype }: SampleField): boolean => dtypes.some((each) => each.get(key) !== dtype);
  return {
    path: first.path,
    fields: first.fields.map((field) => (differs(field) ? { key: field.key, dtype: null } : field)),
    madeBy,
  };
}

function firstOf(datasets: readonly (SampleFields | null)[]): SampleFields | null {
  return datasets.find((each) => each !== null) ?? null;
}

function align(first: SampleFields, each: SampleFields): ValueOrder {
  const order = orderByKey(first.fields, each.fields);
  const own = first.madeBy !== null || each.madeBy !== null;
  if (order === null) {
    // Classes of their own may make the same samples of files with other keys; one and the same class does not.
    if (own && first.madeBy !== each.madeBy) return null;
    throw otherKeys(first, each);
  }
  const isSame = order.every((index, k) => index === k);
  if (own) {
    const moved = order.findIndex((index, k) => index !== k);
    if (isSame) return null;
    const expected =
      `the order of ${first.path} (${listOf(first.fields)}), because a get of one's own makes the samples: open ` +
      'both with the same keys';
    throw new ArgumentError('ERR_SCHEMA', keyLabel(each, first.fields[moved]?.key), expected, listOf(each.fields));
  }
  for (const [k, { key, dtype }] of first.fields.entries()) {
    const found = each.fields[order[k] ?? 0]?.dtype ?? null;
    if (dtype === null || found === null || dtype === found || (isText(dtype) && isText(found))) continue;
    throw new ArgumentError('ERR_SCHEMA', keyLabel(each, key), `${dtype}, as in ${first.path}`, found);
  }
  return isSame ? null : order;
}

/**
 * Where each field stands among the others; null unless they are the same keys. A key that is there twice has two
 * places.
 */
function orderByKey(fields: readonly SampleField[], others: readonly SampleField[]): number[] | null {
  if (fields.length !== others.length) return null;
  const left = new Map<string, number[]>();
  for (const [index, { key }] of others.entries()) left.set(key, [...(left.get(key) ?? []), index]);
  const order = fields.map(({ key }) => left.get(key)?.shift() ?? -1);
  return order.includes(-1) ? null : order;
}

function countKeys(fields: readonly SampleField[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of fields) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function otherKeys(first: SampleFields, each: SampleFields): ArgumentError {
  const [ofFirst, ofEach] = [countKeys(first.fields), countKeys(each.fields)];
  const more = each.fields.find(({ key }) => (ofEach.get(key) ?? 0) > (ofFirst.get(key) ?? 0));
  const remedy = 'open both with the same keys';
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

/** Of keys in a message. */
const MOST_NAMES = 20;
const keyLabel = ({ path }: SampleFields, key = ''): string => `${path}: key ${JSON.stringify(key)}`;
const listOf = (fields: readonly SampleField[]): string =>
  `${fields
    .slice(0, MOST_NAMES)
    .map(({ key }) => JSON.stringify(key))
    .join(', ')}${fields.length > MOST_NAMES ? ', …' : ''}`;
