// What can be said at opening a source, in Node and in browsers.
import type { HttpSourceOptions } from './http/http-options.ts';
import { HTTP_OPTIONS } from './http/http-options.ts';
import { option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import { BACKENDS, ADVICE } from '../backend/settings.ts';
import type { Backend, Madvise } from '../backend/settings.ts';

/** `headers`, `fetch`, `timeoutMs` and `signal` are for URLs, the others for files. */
export interface OpenSourceOptions extends HttpSourceOptions {
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
  ...HTTP_OPTIONS,
};
