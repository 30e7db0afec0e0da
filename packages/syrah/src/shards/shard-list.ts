// A list of files in JSON, with how many items each has, so that none has to be opened before its items are needed.
// docs/formats/syrah.md specifies it.
import { ArgumentError, describeValue, visibleUrl } from '@colkit/io';
import type { OpenSourceOptions, RandomAccessSource } from '@colkit/io';
import { openedSource, readBytes, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

/** One file of a list. */
export interface ListedShard {
  /** Relative to the list. */
  readonly path: string;
  /** How many items it has. */
  readonly items?: number;
  /** What the file must have where it is opened. */
  readonly byteLength?: number;
  readonly etag?: string;
}

/** A million files, with long names. */
const MOST_BYTES = 256 * 1024 * 1024;

/** @throws ArgumentError for what is no such list; what opening it throws. */
export function* readShardList(what: string | URL, options: OpenSourceOptions): Work<readonly ListedShard[]> {
  const name = visibleUrl(what);
  const text = yield* withSource(what, openedSource(what, options), 'close', textOf);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw wrong(name, 'JSON', 'something else');
  }
  if (!Array.isArray(list)) throw wrong(name, 'a list of { path, items }', describeValue(list));
  return list.map((entry: unknown, position) => checked(entry, `${name}: entry ${String(position)}`));
}

function* textOf(source: RandomAccessSource): Work<string> {
  const { byteLength, path } = source;
  if (byteLength > MOST_BYTES)
    throw wrong(path, `a list of at most ${String(MOST_BYTES)} bytes`, `${String(byteLength)} bytes`);
  return new TextDecoder('utf-8', { ignoreBOM: false }).decode(yield* readBytes(source, 0, byteLength));
}

function checked(entry: unknown, where: string): ListedShard {
  if (typeof entry !== 'object' || entry === null) throw wrong(where, '{ path, items }', describeValue(entry));
  const { path, items, byteLength, etag } = entry as Readonly<Record<string, unknown>>;
  if (typeof path !== 'string' || path === '') throw wrong(where, 'path: a text', describeValue(path));
  for (const [name, count] of [
    ['items', items],
    ['byteLength', byteLength],
  ] as const)
    if (count !== undefined && !(Number.isSafeInteger(count) && (count as number) >= 0))
      throw wrong(where, `${name}: a count`, describeValue(count));
  if (etag !== undefined && typeof etag !== 'string') throw wrong(where, 'etag: a text', describeValue(etag));
  if (etag !== undefined && byteLength === undefined) throw wrong(where, 'byteLength beside etag', 'none');
  return { path, ...given({ items, byteLength, etag }) };
}

/** Without what is undefined. */
function given(fields: Readonly<Record<string, unknown>>): Omit<ListedShard, 'path'> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function wrong(where: string, expected: string, found: string): ArgumentError {
  return new ArgumentError('ERR_ARGUMENT', where, expected, found);
}
