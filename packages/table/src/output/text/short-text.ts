// A text value -> short text for people.

/** Characters of a text value that are shown. */
const LONGEST_TEXT = 32;

/** Text on one line: control characters escaped, the rest cut off. */
export function shortText(text: string, longest = LONGEST_TEXT): string {
  const points = Array.from(text.slice(0, 2 * longest + 2));
  const shown = points.slice(0, longest).join('');
  const escaped = shown.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return points.length > longest ? `${escaped}…` : escaped;
}
