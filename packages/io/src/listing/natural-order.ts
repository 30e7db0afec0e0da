// The order in which people expect numbered files: run_2 before run_10.

/**
 * Sorted: runs of digits count as numbers, all else by its code units; ties by the whole text.
 * @param nameOf what of a text counts.
 */
export function sortedNaturally(texts: Iterable<string>, nameOf = (text: string): string => text): string[] {
  // Each text is taken apart once, and not once a comparison.
  const keyed = Array.from(texts, (text) => ({ text, key: keyOf(nameOf(text)) }));
  return keyed.sort((left, right) => compareKeys(left.key, right.key)).map(({ text }) => text);
}

interface NaturalKey {
  readonly name: string;
  /** Texts and numbers alternate, so that an index has texts in both of two keys, or numbers. */
  readonly parts: readonly string[];
}

function keyOf(name: string): NaturalKey {
  const parts = name.split(/(\d+)/u);
  for (let index = 1; index < parts.length; index += 2) parts[index] = (parts[index] as string).replace(/^0+/u, '');
  return { name, parts };
}

function compareKeys(left: NaturalKey, right: NaturalKey): number {
  const [one, other] = [left.parts, right.parts];
  const shared = Math.min(one.length, other.length);
  for (let index = 0; index < shared; index += 1) {
    const [a, b] = [one[index] as string, other[index] as string];
    // A number of more digits is larger.
    const order = (index % 2 === 1 ? a.length - b.length : 0) || compareTexts(a, b);
    if (order !== 0) return order;
  }
  return one.length - other.length || compareTexts(left.name, right.name);
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
