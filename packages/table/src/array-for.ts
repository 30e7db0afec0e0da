// Arrays of as many elements as a table may have rows.

/** An array that is begun with more elements is a hash table in V8; one that grows stays an array. */
const MOST_BEGUN = 2 ** 25;

/** For so many elements, set from the first one on: slower by far in an array that is begun with too many. */
export function arrayFor<T>(count: number): T[] {
  return new Array<T>(Math.min(count, MOST_BEGUN));
}
