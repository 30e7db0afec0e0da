// The same names as opening.ts for browsers: what opens many files is loaded when they are asked for.
import { omitOptions } from '@colkit/io';
import { LazyPart, contextOf, run, runSync } from '@colkit/io/effects';
import type { SyrahFile } from '../items/file.ts';
import { open, openLoadedSync } from '../open.ts';
import type { Openable } from '../open.ts';
import type { ShardsInput } from './named-files.ts';
import type * as Shards from './opened-shards.ts';
import type { SyrahShards } from './shards.ts';
import { isListPath } from './shards-options.ts';
import type { ShardsOptions } from './shards-options.ts';

const part = new LazyPart<typeof Shards>(() => import('./opened-shards.ts'));

function isMany(what: ShardsInput): boolean {
  return Array.isArray(what) || isListPath(what);
}

export async function openItems(what: ShardsInput, options: ShardsOptions): Promise<SyrahFile | SyrahShards> {
  if (!isMany(what)) {
    const file = await open(what as Openable, omitOptions(options, 'maxOpen'));
    if (file.part?.number !== 0 || file.part.count === 1) return file;
    file.close();
  }
  return run((await part.load()).openedItems(what, options), contextOf(options));
}

export function openItemsSync(what: ShardsInput, options: ShardsOptions): SyrahFile | SyrahShards {
  if (!isMany(what)) return openLoadedSync(what as Openable, omitOptions(options, 'maxOpen'));
  return runSync(part.loaded.openedItems(what, options), contextOf(options));
}
