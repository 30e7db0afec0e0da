// What opens a file of a dataset, or many: where that is. In builds for browsers what opens many is loaded when that is
// asked for.
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { SyrahFile } from '../items/file.ts';
import type { ShardsInput } from './named-files.ts';
import { openedItems } from './opened-shards.ts';
import type { SyrahShards } from './shards.ts';
import type { ShardsOptions } from './shards-options.ts';

export function openItems(what: ShardsInput, options: ShardsOptions): Promise<SyrahFile | SyrahShards> {
  return run(openedItems(what, options), contextOf(options));
}

export function openItemsSync(what: ShardsInput, options: ShardsOptions): SyrahFile | SyrahShards {
  return runSync(openedItems(what, options), contextOf(options));
}
