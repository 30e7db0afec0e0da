// Patterns of file names as Python's glob has them: `*` any text, `?` any character, `[abc]`, `[a-z]` and `[!abc]` one
// of some, `**` any folders. Nothing else means anything else: braces, brackets that are not closed and backslashes are
// themselves. Names that start with a dot are matched only by patterns that do.

/** Whether a text is a pattern. */
export function hasWildcards(text: string): boolean {
  return /[*?[]/u.test(text);
}

/** Whether a name in a folder matches one part of a pattern. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const expression = new RegExp(`^${sourceOf(pattern)}$`, 'su');
  const takesHidden = pattern.startsWith('.');
  return (name) => (takesHidden || !name.startsWith('.')) && expression.test(name);
}

function sourceOf(pattern: string): string {
  let source = '';
  for (let at = 0; at < pattern.length; ) {
    const point = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    at += point.length;
    if (point === '*') source += '.*';
    else if (point === '?') source += '.';
    else if (point !== '[') source += escaped(point);
    else {
      // A bracket right behind the opening one is a member.
      const first = pattern[at] === '!' ? at + 1 : at;
      const end = pattern.indexOf(']', first + 1);
      if (end === -1) source += '\\[';
      else {
        source += setOf(pattern.slice(first, end), first > at);
        at = end + 1;
      }
    }
  }
  return source;
}

/** Members and ranges; ranges that go backwards hold nothing. */
function setOf(members: string, isNegated: boolean): string {
  const points = Array.from(members);
  let inside = '';
  for (let at = 0; at < points.length; at += 1) {
    const [low, dash, high] = [points[at] as string, points[at + 1], points[at + 2]];
    if (dash !== '-' || high === undefined) {
      inside += member(low);
      continue;
    }
    if ((low.codePointAt(0) ?? 0) <= (high.codePointAt(0) ?? 0)) inside += `${member(low)}-${member(high)}`;
    at += 2;
  }
  if (inside === '') return isNegated ? '.' : '(?!)';
  return `[${isNegated ? '^' : ''}${inside}]`;
}

/** As a character by itself. */
const escaped = (point: string): string => (/[\\^$.*+?()[\]{}|/]/u.test(point) ? `\\${point}` : point);

/** As a member of a set. A dash is no range there, and outside of sets it cannot be escaped. */
const member = (point: string): string => (point === '-' ? '\\-' : escaped(point));
