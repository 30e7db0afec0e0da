// What stands for null in cells without quotes, as bytes.

/** Longer cells are not null. -1: none is. */
export function longestOf(words: readonly Uint8Array[]): number {
  return words.reduce((longest, { length }) => Math.max(longest, length), -1);
}

export function isNullWord(bytes: Uint8Array, start: number, end: number, words: readonly Uint8Array[]): boolean {
  for (let number = 0; number < words.length; number += 1) {
    const word = words[number] as Uint8Array;
    if (word.length !== end - start) continue;
    let index = 0;
    while (index < word.length && word[index] === bytes[start + index]) index += 1;
    if (index === word.length) return true;
  }
  return false;
}
