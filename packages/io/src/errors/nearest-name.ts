// A name that nobody knows -> the known one that was most likely meant. For error messages only: names are short and
// few, so the plain table of distances does.

/** How many letters of a name may be wrong, as a share of its length. */
const WRONG_SHARE = 1 / 3;
/** Longer texts are no slips of the pen. */
const LONGEST = 64;
/** A word of so many letters may have one wrong where it is one of several; a shorter one would be another word. */
const SLIP_LETTERS = 5;

/**
 * The nearest of `names`: of another spelling (`batch_size`), a few letters away (`overwite`), or sharing whole words
 * (`num_workers`, `verfy` for `verifyCrc`). Null where none is near.
 */
export function nearestName(given: string, names: Iterable<string>): string | null {
  if (given === '' || given.length > LONGEST) return null;
  const folded = fold(given);
  let nearest: string | null = null;
  // Of one letter there is nothing left when it is wrong.
  let least = Math.min(folded.length, Math.max(1, Math.floor(folded.length * WRONG_SHARE)) + 1);
  const words = wordsOf(given);
  let related: string | null = null;
  let leastSlips = Infinity;
  for (const name of names) {
    if (Math.abs(fold(name).length - folded.length) < least) {
      const letters = distance(folded, fold(name));
      if (letters < least) [nearest, least] = [name, letters];
    }
    const slips = slipsOfShared(words, wordsOf(name));
    if (slips < leastSlips) [related, leastSlips] = [name, slips];
  }
  return nearest ?? related;
}

/** Case, underscores and hyphens are spelling. */
function fold(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
    .filter((word) => word !== '');
}

/** Letters that are wrong where one has all words of the other, else Infinity. */
function slipsOfShared(left: readonly string[], right: readonly string[]): number {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  if (few.length === 0) return Infinity;
  const fewest = (word: string): number =>
    many.reduce((least, other) => Math.min(least, slipsOf(word, other)), Infinity);
  return few.reduce((sum, word) => sum + fewest(word), 0);
}

/** Letters that are wrong in a word of several, Infinity for another word. */
function slipsOf(word: string, other: string): number {
  const shorter = Math.min(word.length, other.length);
  if (word === other) return shorter > 2 ? 0 : Infinity;
  return shorter >= SLIP_LETTERS && distance(word, other) === 1 ? 1 : Infinity;
}

/** Letters to insert, drop, change or swap with their neighbour (optimal string alignment). */
function distance(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(at(above, column) + 1, at(current, column - 1) + 1, at(above, column - 1) + (same ? 0 : 1));
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, at(before, column - 2) + 1);
      current.push(cost);
    }
    [before, above] = [above, current];
  }
  return at(above, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
