// What a user names as the files of a dataset: a list, a folder, a pattern, a list in a JSON file; or one file.
import { dirname, isAbsolute, join } from 'node:path';
import { IoError } from '@colkit/io';
import type { OpenSourceOptions } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { filesBelow, filesMatching, hasWildcards, kindOfPath, localPath } from '@colkit/io/listing';
import { setAndNumber } from '../layout/part-mark.ts';
import type { Openable } from '../open.ts';
import { listedUrl, nameOf, namedAs, requireFiles, requireShard } from './named-files.ts';
import type { GivenShards, NamedShard, ShardsInput } from './named-files.ts';
import { readShardList } from './shard-list.ts';
import { isListPath } from './shards-options.ts';

/** @throws IoError ERR_NOT_FOUND; ArgumentError; what reading a list throws. */
export function* givenShards(what: ShardsInput, options: OpenSourceOptions): Work<GivenShards> {
  if (Array.isArray(what)) {
    const files: NamedShard[] = [];
    for (const [position, each] of (what as readonly Openable[]).entries()) {
      requireShard(each, position);
      const path = localPath(each);
      const found = path === null ? null : yield* filesOf(path);
      if (found === null) files.push({ what: each, path: nameOf(each) });
      else for (const file of found) files.push(file);
    }
    return requireFiles(files);
  }
  const one = what as Openable;
  const path = localPath(one);
  if (path === null) {
    if (!isListPath(one)) return { kind: 'one', what: one };
    const entries = yield* readShardList(one, options);
    return requireFiles(entries.map((entry) => ({ ...entry, ...namedAs(listedUrl(String(one), entry.path)) })));
  }
  const found = yield* filesOf(path);
  if (found !== null) return requireFiles(found);
  if (!isListPath(one) || (yield* kindOfPath(path)) !== 'file') return { kind: 'one', what: one };
  const entries = yield* readShardList(path, options);
  const placeOf = (each: string): string =>
    isAbsolute(each) || localPath(each) !== each ? each : join(dirname(path), each);
  return requireFiles(entries.map((entry) => ({ ...entry, ...namedAs(placeOf(entry.path)) })));
}

/** Those of a folder or a pattern; null for a path of one file, of which a bracket may be in the name. */
function* filesOf(path: string): Work<NamedShard[] | null> {
  const kind = yield* kindOfPath(path);
  if (kind === 'folder') {
    const found = yield* filesBelow(path, (each) => each.endsWith('.syr'));
    if (found.length === 0) throw new IoError('ERR_NOT_FOUND', 'open', path, 'the folder has no .syr files');
    return inOrder(found.map((each) => join(path, each)));
  }
  return kind !== null || !hasWildcards(path) ? null : inOrder(yield* filesMatching(path));
}

/** As they were found, but parts of a set in the order of their numbers: its first part has none. */
function inOrder(paths: readonly string[]): NamedShard[] {
  const sets = new Map<string, { path: string; number: number }[]>();
  for (const path of paths) {
    const { set, number } = setAndNumber(path);
    const others = sets.get(set);
    if (others === undefined) sets.set(set, [{ path, number }]);
    else others.push({ path, number });
  }
  return [...sets.values()].flatMap((parts) =>
    parts.sort((one, other) => one.number - other.number).map(({ path }) => namedAs(path)),
  );
}
