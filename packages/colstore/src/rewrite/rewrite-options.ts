// What can be asked of every function that writes a file anew.
import { option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import type { WriteProgress } from '../write/stream-file.ts';

export interface RewriteOptions {
  /** Where the new file goes; the old one stays as it is then. Default: in its place, in one step at the end. */
  readonly out?: string | URL;
  /** Replace what is at `out`; without it, an existing file there is ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Called after every piece of about 8 MiB. What it throws stops the work; the old file stays. */
  readonly onProgress?: (progress: WriteProgress) => void;
  /**
   * 'full', the default: the file survives a power failure once the call is over. 'none' does not wait for the disk.
   */
  readonly durability?: 'full' | 'none';
  /** Gives the work up with the signal's reason; no file is left behind. */
  readonly signal?: AbortSignal;
}

export const OUT_OPTION = option.kind<string | URL>(
  'a path or a file URL',
  (value) => typeof value === 'string' || value instanceof URL,
);

export const REWRITE_OPTIONS: OptionSet<RewriteOptions> = {
  out: OUT_OPTION,
  overwrite: option.flag,
  onProgress: option.callback(),
  durability: option.word('full', 'none'),
  signal: option.signal,
};
