// Work on many objects of a store, some at the same time: what one request takes is mostly the way there.

/** Objects that are asked for at the same time. */
const AT_ONCE = 8;

/** What comes of each, in the order of all. The first that fails ends it, after those that were begun with it. */
export async function inOrder<A, B>(
  all: readonly A[],
  one: (each: A, position: number) => Promise<B>,
): Promise<readonly B[]> {
  const found: B[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const some = await Promise.all(all.slice(start, start + AT_ONCE).map((each, index) => one(each, start + index)));
    for (const each of some) found.push(each);
  }
  return found;
}
