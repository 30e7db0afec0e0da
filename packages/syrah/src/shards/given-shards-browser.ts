// The same name as given-shards.ts for browsers, which have no folders and patterns: lists of URLs, Blobs and bytes,
// and lists in a JSON file.
import type { OpenSourceOptions } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import type { Openable } from '../open.ts';
import { listedUrl, nameOf, namedAs, requireFiles, requireShard } from './named-files.ts';
import type { GivenShards, ShardsInput } from './named-files.ts';
import { readShardList } from './shard-list.ts';
import { isListPath } from './shards-options.ts';

export function* givenShards(what: ShardsInput, options: OpenSourceOptions): Work<GivenShards> {
  if (Array.isArray(what)) {
    const files = (what as readonly Openable[]).map((each, position) => {
      requireShard(each, position);
      return { what: each, path: nameOf(each) };
    });
    return requireFiles(files);
  }
  const one = what as Openable;
  if (!isListPath(one)) return { kind: 'one', what: one };
  const entries = yield* readShardList(one, options);
  return requireFiles(entries.map((entry) => ({ ...entry, ...namedAs(listedUrl(String(one), entry.path)) })));
}
