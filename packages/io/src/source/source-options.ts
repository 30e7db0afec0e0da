// What can be said at opening a source, in Node and in browsers.
import type { HttpSourceOptions } from './http/http-options.ts';
import { HTTP_OPTIONS } from './http/http-options.ts';
import { CACHE_OPTIONS } from './cache/cache-options.ts';
import type { CacheOptions } from './cache/cache-options.ts';
import { option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import { BACKENDS, ADVICE } from '../backend/settings.ts';
import type { Backend, Madvise } from '../backend/settings.ts';

/** `io`, `madvise` and `backend` are for files, the others for URLs. */
export interface OpenSourceOptions extends HttpSourceOptions {
  /** Keeps what is read of a URL, in memory and in a folder: what is read again is not asked for again. */
  readonly cache?: CacheOptions;
  /**
   * How a local file is read: mapped where the addon is there ('auto', the default), mapped or an error ('mmap'), by
   * position ('pread': the safe way where others may truncate the file).
   */
  readonly io?: 'auto' | 'mmap' | 'pread';
  /** Advice for the mapping; default: what `setDefaultMadvise` set. */
  readonly madvise?: Madvise;
  /** Which implementation copies and gathers; default: what `setDefaultBackend` set. */
  readonly backend?: Backend;
}

export const SOURCE_OPTIONS: OptionSet<OpenSourceOptions> = {
  io: option.word('auto', 'mmap', 'pread'),
  madvise: option.word(...ADVICE),
  backend: option.word(...BACKENDS),
  cache: option.inner(CACHE_OPTIONS),
  ...HTTP_OPTIONS,
};
