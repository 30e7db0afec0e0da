// What can be said at opening many files, and which paths are of lists of files.
import { option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { OPEN_OPTIONS } from '../open.ts';
import type { OpenOptions } from '../open.ts';

export interface ShardsOptions extends OpenOptions {
  /** Of many local files: how many are open at a time, in each thread. Default 64. */
  readonly maxOpen?: number;
}

export const SHARDS_OPTIONS: OptionSet<ShardsOptions> = { ...OPEN_OPTIONS, maxOpen: option.count('files', 1) };

/** A list in JSON tells itself by its name. */
export function isListPath(what: unknown): what is string | URL {
  if (typeof what !== 'string' && !(what instanceof URL)) return false;
  return /\.json$/iu.test(String(what).replace(/[?#].*$/u, ''));
}
