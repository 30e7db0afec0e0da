// What each value of a dataset's samples is; and how the samples of several datasets become of one kind: values
// are matched by key, never by position.
import { ArgumentError } from '@colkit/io';
import { checkDTypes, keyLabel, listOf, orderByKey, otherKeys } from '../shards/align-keys.ts';
import type { NamedField, NamedFields } from '../shards/align-keys.ts';

/** One value of a sample; its dtype is null, too, where a process function makes something else of the arrays. */
export type SampleField = NamedField;

/** The values of a dataset's samples. */
export interface SampleFields extends NamedFields {
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
    throw otherKeys(first, each, 'open both with the same keys');
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
  checkDTypes(first, each, order);
  return isSame ? null : order;
}
