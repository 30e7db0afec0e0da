// Files as a user names them -> SyrahShards. What a list does not tell of a file, its number of items, is read at
// opening; some files at a time.
import { ArgumentError, IoError, isColkitError, omitOptions, remoteUrl } from '@colkit/io';
import type { OpenSourceOptions, RandomAccessSource, Reopening } from '@colkit/io';
import { TURN, begin, operationOf, wait } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import type { SyrahFile } from '../items/file.ts';
import { isHandle } from '../items/handle.ts';
import type { SyrahHandle } from '../items/handle.ts';
import type { ItemTypes } from '../items/item-record.ts';
import { partPath } from '../layout/part-mark.ts';
import { opening } from '../open.ts';
import type { OpenOptions, Openable } from '../open.ts';
import type { NamedFields } from './align-keys.ts';
import { givenShards } from './given-shards.ts';
import { nameOf } from './named-files.ts';
import type { NamedShard, ShardsInput } from './named-files.ts';
import { Shard, checkCount, checkKeys, fieldsOf } from './shard.ts';
import type { KnownShard, Pooled } from './shard.ts';
import { SyrahShards } from './shards.ts';
import type { ShardsOptions } from './shards-options.ts';
import { isShardsHandle } from './shards-handle.ts';
import type { ShardHandle, SyrahShardsHandle } from './shards-handle.ts';
import { MOST_OPEN, PooledSource, SourcePool } from './source-pool.ts';

/** Files that are opened at the same time. */
const OPENED_TOGETHER = 8;
const FUNCTIONS = ['fetch', 'sign', 'renew'] as const;

/** Of what `openShards` takes. */
export function* openedShards<E extends ItemTypes>(
  what: ShardsInput | SyrahShardsHandle,
  options: ShardsOptions,
): Work<SyrahShards<E>> {
  if (isShardsHandle(what)) return shardsOfHandle(what, options);
  const given = yield* givenShards(what, ofSource(options));
  if (given.kind === 'many') return yield* openFiles(given.files, options);
  const whole = yield* openSet(given.what, options);
  if (whole instanceof SyrahShards) return whole as SyrahShards<E>;
  whole.close();
  return yield* openFiles([{ what: given.what, path: nameOf(given.what) }], options);
}

/** One file as it is, unless it stands for many. */
export function* openedItems(what: ShardsInput, options: ShardsOptions): Work<SyrahFile | SyrahShards> {
  const given = yield* givenShards(what, ofSource(options));
  return given.kind === 'many' ? yield* openFiles(given.files, options) : yield* openSet(given.what, options);
}

/** A file, and where it is the first part of a set all of them. */
function* openSet(what: Openable, options: ShardsOptions): Work<SyrahFile | SyrahShards> {
  const file = yield* opening(what, ofFile(options));
  const { part } = file;
  const place = isHandle(what) && 'what' in what.source ? what.source.what : what;
  const isNamed = typeof place === 'string' || place instanceof URL;
  if (part?.number !== 0 || part.count === 1 || !isNamed) return file;
  file.close();
  if (part.problem !== null) {
    const message = `${part.problem}; a list of files opens those that are there`;
    throw new IoError('ERR_NOT_FOUND', 'open', file.path, message);
  }
  if (part.paths !== null) {
    const files = part.paths.map((path) => ({ what: path, path }));
    return files.length === 1 ? yield* opening(what, ofFile(options)) : yield* openFiles(files, options, part.set);
  }
  return yield* openFiles(yield* partsOfRemote(String(place), part.set, options), options, part.set);
}

/**
 * The last part of a set is the first that knows how many there are: as many are opened ahead as were found, at most
 * some, so that few are asked for that are not there.
 */
function* partsOfRemote(first: string, set: string, options: ShardsOptions): Work<NamedShard[]> {
  const parts: NamedShard[] = [{ what: first, path: nameOf(first) }];
  const together = Math.min(OPENED_TOGETHER, options.maxOpen ?? MOST_OPEN);
  const ahead: Begun<Tried>[] = [];
  try {
    for (let count: number | null = null; count === null; ) {
      while (ahead.length < Math.min(together, parts.length)) {
        const where = partUrl(first, parts.length + ahead.length);
        ahead.push(yield* begin(operationOf(() => tried(where, options))));
      }
      const { file, error } = yield* wait(ahead.shift() as Begun<Tried>);
      const where = partUrl(first, parts.length);
      if (file === null) throw notThere(nameOf(where), first, error);
      file.close();
      if (file.part?.set !== set || file.part.number !== parts.length)
        throw new IoError('ERR_FILE_CHANGED', 'open', nameOf(where), `it is no part of the set of ${nameOf(first)}`);
      const { byteLength, itemCount, fileVersion } = file;
      const known = fileVersion === null ? { byteLength } : { byteLength, etag: fileVersion };
      parts.push({ what: where, path: nameOf(where), items: itemCount, ...known });
      count = file.part.count;
    }
  } finally {
    for (const begun of ahead) (yield* wait(begun)).file?.close();
  }
  return parts;
}

/** One of the two. */
interface Tried {
  readonly file: SyrahFile | null;
  readonly error: unknown;
}

/** Whether it is wanted, nobody knows yet. */
function* tried(where: string, options: ShardsOptions): Work<Tried> {
  try {
    return { file: yield* opening(where, ofFile(options)), error: null };
  } catch (error) {
    return { file: null, error };
  }
}

function notThere(path: string, first: string, error: unknown): unknown {
  if (!isColkitError(error) || error.code !== 'ERR_NOT_FOUND') return error;
  const message = `it is missing of the set of ${nameOf(first)}; a list of files opens those that are there`;
  return new IoError('ERR_NOT_FOUND', 'open', path, message, error);
}

/** As `partPath`, of the path in a URL. */
function partUrl(first: string, number: number): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/su.exec(first) ?? [];
  return partPath(path, number) + rest;
}

/** @param set of which they are all parts. */
function* openFiles<E extends ItemTypes>(
  files: readonly NamedShard[],
  options: ShardsOptions,
  set: string | null = null,
): Work<SyrahShards<E>> {
  const pool = new SourcePool(options.maxOpen);
  const known = files.map((file) => knownOf(file, pool, options));
  const now = ofFile(options);
  const together = Math.min(OPENED_TOGETHER, options.maxOpen ?? MOST_OPEN);
  // One tells what the items are like; others wait until they are needed, where their number is known.
  const first = files.findIndex(({ items }) => items !== 0);
  const opened: (SyrahFile | null)[] = [];
  const ahead: Ahead[] = [];
  try {
    for (const [number, { items }] of files.entries()) {
      opened.push(null);
      if (items !== undefined && number !== first) continue;
      if (ahead.length >= together) yield* settle(ahead, opened);
      ahead.push({ number, begun: yield* begin(operationOf(() => (known[number] as Known).open(now))) });
      yield TURN;
    }
    while (ahead.length > 0) yield* settle(ahead, opened);
    const schema = schemaOf(opened);
    const shards = known.map((each, number) => {
      const file = opened[number] ?? null;
      if (file === null) return new Shard({ ...each, itemCount: each.itemCount ?? 0 }, schema);
      checkCount(each, file);
      if (schema !== null) checkKeys(schema, file);
      return new Shard({ ...each, ...ofOpened(each, file) }, schema, file);
    });
    const name = known[0]?.path ?? '';
    return new SyrahShards<E>(shards, {
      path: shards.length > 1 ? `${name} and ${String(shards.length - 1)} more` : name,
      schema,
      maxOpen: options.maxOpen ?? MOST_OPEN,
      backend: options.backend ?? 'auto',
      set,
    });
  } catch (error) {
    for (const file of opened) file?.close();
    throw error;
  }
}

interface Ahead {
  readonly number: number;
  readonly begun: Begun<SyrahFile>;
}

/** Waits for the file that was begun first. */
function* settle(ahead: Ahead[], opened: (SyrahFile | null)[]): Work<void> {
  const next = ahead.shift();
  if (next !== undefined) opened[next.number] = yield* wait(next.begun);
}

function schemaOf(files: readonly (SyrahFile | null)[]): NamedFields | null {
  for (const file of files) {
    const fields = file === null ? null : fieldsOf(file);
    if (fields !== null) return fields;
  }
  return null;
}

/** As KnownShard; a list may not tell the number of items. */
type Known = Omit<KnownShard, 'itemCount' | 'open'> & {
  readonly itemCount: number | null;
  /** @param options of the opening of all; later it has no signal. */
  open(options?: OpenOptions): Work<SyrahFile>;
};

function knownOf(file: NamedShard, pool: SourcePool, options: ShardsOptions): Known {
  const { what, path, items = null, byteLength, etag = null } = file;
  const later = omitOptions(options, 'maxOpen', 'signal');
  const pooled: Pooled = { pool, source: null };
  const place = typeof what === 'string' || what instanceof URL ? String(what) : null;
  const isLocal = place === null || remoteUrl(place) === null;
  const target = (): Openable | Reopening =>
    place === null || byteLength === undefined ? what : handleOf(place, byteLength, etag, options);
  return {
    path,
    isLocal,
    itemCount: items,
    mark: byteLength === undefined || etag === null || isLocal ? null : `${String(byteLength)}-${etag}`,
    pooled,
    open: (now = later) => opening(target(), now, (source, how) => opened(pooled, source, how)),
    handle: () => {
      requireNoFunctions(path, options);
      const source = target();
      const file = isHandle(source) ? source : { what: String(place), options: plain(options) };
      return { path, itemCount: items ?? 0, isLocal, mark: null, file };
    },
  };
}

/** Through the pool where it is a local file. */
function* opened(
  pooled: Pooled,
  what: Parameters<SourcePool['opened']>[0],
  options: OpenSourceOptions,
): Work<RandomAccessSource> {
  const source = yield* pooled.pool.opened(what, options);
  if (source instanceof PooledSource) pooled.source = source;
  return source;
}

function handleOf(what: string, byteLength: number, version: string | null, options: ShardsOptions): SyrahHandle {
  return {
    kind: 'syrah-file',
    source: { what, options: plain(options) },
    byteLength,
    version,
    backend: options.backend ?? 'auto',
    ...(options.metadata === 'parts' ? { metadata: 'parts' as const } : {}),
  };
}

/** What an opened file tells in place of the list. */
function ofOpened(known: Known, file: SyrahFile): Pick<KnownShard, 'itemCount' | 'isLocal' | 'mark' | 'handle'> {
  const { itemCount, isLocal, byteLength, fileVersion } = file;
  const mark = isLocal || fileVersion === null ? null : `${String(byteLength)}-${fileVersion}`;
  const { path } = known;
  return { itemCount, isLocal, mark, handle: () => ({ path, itemCount, isLocal, mark, file: file.handle() }) };
}

function shardsOfHandle<E extends ItemTypes>(handle: SyrahShardsHandle, options: ShardsOptions): SyrahShards<E> {
  const { path, schema, backend, set } = handle;
  const maxOpen = options.maxOpen ?? handle.maxOpen;
  const pool = new SourcePool(maxOpen);
  const inner = { backend, ...omitOptions(options, 'maxOpen', 'signal') };
  const shards = handle.shards.map((each) => {
    const pooled: Pooled = { pool, source: null };
    const open = (): Work<SyrahFile> => opening(each.file, inner, (source, how) => opened(pooled, source, how));
    return new Shard({ ...each, pooled, open, handle: (): ShardHandle => each }, schema);
  });
  return new SyrahShards<E>(shards, { path, schema, maxOpen, backend, set });
}

function ofSource(options: ShardsOptions): OpenSourceOptions {
  return omitOptions(options, 'maxOpen', 'expect', 'metadata');
}

function ofFile(options: ShardsOptions): OpenOptions {
  return omitOptions(options, 'maxOpen');
}

/** What another thread can be told. */
function plain(options: ShardsOptions): Readonly<Record<string, unknown>> {
  return { ...omitOptions(options, 'maxOpen', 'expect', 'metadata', 'signal') };
}

/** @throws ArgumentError for files that only this thread can open. */
function requireNoFunctions(path: string, options: ShardsOptions): void {
  const functions = FUNCTIONS.filter((name) => options[name] !== undefined);
  if (functions.length === 0) return;
  const found = `${path}, opened with { ${functions.join(', ')} }, and functions stay in their thread`;
  throw new ArgumentError('ERR_ARGUMENT', 'file', 'files that another thread can open', found);
}
