// What the errors of the libraries tell a programmer to pass, and what somebody at a command line types instead: the
// one place that translates. A test holds each against the sources, so that a changed text is noticed.

/** Pairs of texts; the first occurrence of each left one in a message is replaced. */
export const HINTS: readonly (readonly [forProgrammers: string, forUsers: string])[] = [
  ['pass { overwrite: true } to replace it', '-f replaces it'],
  ['recover(path, { force: true })', 'colkit recover FILE --force'],
  [
    'recover(path) makes a whole file of it, { overwrite: true } throws it away',
    'colkit recover FILE makes a whole file of it, -f throws it away',
  ],
  [
    'it exists already: recreate(path) replaces it, update(path) goes on with it',
    'it exists already; -f replaces it, colkit append adds to it',
  ],
  [
    'recover(path) makes a whole file of it, recreate(path) throws it away',
    'colkit recover FILE makes a whole file of it, -f throws it away',
  ],
  ["upgrade(path, { layout: 'records' }) makes it one", 'colkit upgrade FILE makes it one'],
  ["({ onError: 'skip' } leaves such rows out)", '(--skip-rejected leaves such rows out)'],
  [" ({ onMismatch: 'drop' } keeps the common ones)", ''],
  ["({ nested: 'text' } keeps lists and objects as text)", '(--nested text keeps lists and objects as text)'],
  ['a value in every row (fillNull gives one)', 'a value in every row (a .cstore file has no nulls)'],
  ['({ names } gives others)', '(--names gives others)'],
  ['{ names } names all columns', '--names names all columns'],
  [
    "say it with typed('U16', values) for text or typed('S16', values) for bytes",
    'say it with --dtype COLUMN=U16 for text or COLUMN=S16 for bytes',
  ],
  [", or edit(table).cast({ column: 'U16' })", ''],
  ["{ nested: 'text' } keeps lists, structs and maps as text", '--nested text keeps lists, structs and maps as text'],
  ['choose other columns with { columns }', 'choose other columns with --columns'],
  ['select() the others, or cast it', 'choose the others with --columns'],
  ['which has no form as text; drop() it', 'which has no form as text; choose the others with --columns'],
  ['for which Arrow has no type; drop() it', 'for which Arrow has no type; choose the others with --columns'],
  [
    'open it with { limits: { maxDecodedBytes } } to raise it, or read by batches() or fewer columns',
    'choose fewer columns with --columns',
  ],
];

/** Of one column, whose name is a text of JSON: what `types` has for it. */
const TYPE_HINT = /\{ types: \{ ("(?:[^"\\]|\\.)*"): '(\w+)' \} \}/gu;

/** A message in the words of the command line. */
export function inWordsOfUsers(message: string): string {
  const hinted = HINTS.reduce((text, [programmers, users]) => text.replace(programmers, () => users), message);
  return hinted.replace(TYPE_HINT, (_, name: string, dtype: string) => {
    const column = JSON.parse(name) as string;
    return /^[\w.-]+$/u.test(column) ? `--type ${column}=${dtype}` : `--type '${column}=${dtype}'`;
  });
}
