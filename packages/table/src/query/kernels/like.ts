// SQL's LIKE: `%` stands for any characters, `_` for one. A pattern is cut at its `%` into segments, which are looked
// for one after the other, the first at the start and the last at the end of the text: no pattern takes more time than
// the length of the text times its own.

/** A character, or null for any one. */
type Unit = string | null;

export interface LikePattern {
  /** Whether letters of either case are the same. */
  readonly caseless: boolean;
  /** What stands between the `%`, by code points: one segment more than there are `%`. */
  readonly segments: readonly (readonly Unit[])[];
}

/** @param escape a character that makes the next one stand for itself; null: none. Null for an escape at the end. */
export function parseLike(pattern: string, caseless: boolean, escape: string | null): LikePattern | null {
  const segments: Unit[][] = [[]];
  let isEscaped = false;
  for (const character of pattern) {
    const last = segments[segments.length - 1] as Unit[];
    if (isEscaped) {
      last.push(caseless ? foldCase(character) : character);
      isEscaped = false;
    } else if (character === escape) isEscaped = true;
    else if (character === '%') segments.push([]);
    else if (character === '_') last.push(null);
    else last.push(caseless ? foldCase(character) : character);
  }
  return isEscaped ? null : { caseless, segments };
}

/** The text that a segment without `_` is; null for another. */
export function segmentText(segment: readonly Unit[] | undefined): string | null {
  return segment === undefined || segment.includes(null) ? null : segment.join('');
}

/** The characters that every matching text begins with, of a pattern that tells letters of both cases apart. */
export function likePrefix({ caseless, segments: [first = []] }: LikePattern): string {
  if (caseless) return '';
  const end = first.indexOf(null);
  return first.slice(0, end < 0 ? first.length : end).join('');
}

/** A test of one text at a time, made once per leaf. */
export function likeTest({ caseless, segments }: LikePattern): (text: string) => boolean {
  const [first, last] = [segments[0], segments.at(-1)];
  const middle = segmentText(segments[1]);
  const isContained = segments.length === 3 && first?.length === 0 && last?.length === 0 && middle !== null;
  const matches = isContained ? (text: string) => text.includes(middle) : (text: string) => matchesAll(text, segments);
  return caseless ? (text) => matches(foldCase(text)) : matches;
}

function matchesAll(text: string, segments: readonly (readonly Unit[])[]): boolean {
  const first = segments[0] as readonly Unit[];
  let from = endOf(text, 0, first);
  if (from < 0) return false;
  if (segments.length === 1) return from === text.length;
  for (let index = 1; index < segments.length - 1; index += 1) {
    from = findSegment(text, from, segments[index] as readonly Unit[]);
    if (from < 0) return false;
  }
  return endsWith(text, from, segments[segments.length - 1] as readonly Unit[]);
}

/** Where a segment that begins at `from` ends; -1 where it does not stand there. */
function endOf(text: string, from: number, segment: readonly Unit[]): number {
  let at = from;
  for (const unit of segment) {
    if (at >= text.length) return -1;
    if (unit === null) at += widthAt(text, at);
    else if (text.startsWith(unit, at)) at += unit.length;
    else return -1;
  }
  return at;
}

/** Where the first segment from `from` on ends; -1 where there is none. */
function findSegment(text: string, from: number, segment: readonly Unit[]): number {
  const literal = segmentText(segment);
  if (literal !== null) {
    const found = text.indexOf(literal, from);
    return found < 0 ? -1 : found + literal.length;
  }
  for (let at = from; at < text.length; at += widthAt(text, at)) {
    const end = endOf(text, at, segment);
    if (end >= 0) return end;
  }
  return -1;
}

/** Whether a text ends with a segment that begins at `from` or later. */
function endsWith(text: string, from: number, segment: readonly Unit[]): boolean {
  let at = text.length;
  for (let index = segment.length - 1; index >= 0; index -= 1) {
    const unit = segment[index] as Unit;
    const width = unit === null ? widthBefore(text, at) : unit.length;
    if (at - width < from || (unit !== null && !text.startsWith(unit, at - width))) return false;
    at -= width;
  }
  return true;
}

/** Code units of the character at `at`: 2 for a surrogate pair. */
function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

/** As `widthAt`, of the character that ends at `end`; more than the text holds at its start. */
function widthBefore(text: string, end: number): number {
  return end >= 2 && (text.codePointAt(end - 2) as number) > 0xffff ? 2 : 1;
}

/** What `toLowerCase` makes two code points of, or another one at the end of a word. */
const NOT_SIMPLE = /[\u0130\u03a3]/u;

/** Lower case, code point by code point, so that a text and the pieces of a pattern agree: as DuckDB has it. */
export function foldCase(text: string): string {
  const simple = NOT_SIMPLE.test(text) ? text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3') : text;
  return simple.toLowerCase();
}

/** What lies above is a letter of no case. */
const LAST_CASED = 0x1ffff;
/** Characters above ASCII by what they are folded to; made when it is first asked for. */
let unfolded: ReadonlyMap<string, readonly string[]> | null = null;

function unfoldedLetters(): ReadonlyMap<string, readonly string[]> {
  const letters = new Map<string, string[]>();
  for (let point = 0x80; point <= LAST_CASED; point += 1) {
    const letter = String.fromCodePoint(point);
    const folded = foldCase(letter);
    if (folded === letter) continue;
    const others = letters.get(folded);
    if (others === undefined) letters.set(folded, [letter]);
    else others.push(letter);
  }
  return letters;
}

/**
 * The characters above ASCII that fold to one of a pattern's, each with that one: a text in which they are replaced,
 * and ASCII letters are in lower case, matches as it does with all of its characters folded.
 */
export function likeFolds({ caseless, segments }: LikePattern): readonly (readonly [from: string, to: string])[] {
  if (!caseless) return [];
  const letters = (unfolded ??= unfoldedLetters());
  return [...new Set(segments.flat())].flatMap((unit) =>
    unit === null ? [] : (letters.get(unit) ?? []).map((from) => [from, unit] as const),
  );
}
