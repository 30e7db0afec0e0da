// The one option of what is decided by backend: gathers, copies and page decoders.
import { option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import { BACKENDS } from './settings.ts';
import type { Backend } from './settings.ts';

export interface BackendOptions {
  /** Default: what `setDefaultBackend` set. */
  readonly backend?: Backend;
}

export const BACKEND_OPTIONS: OptionSet<BackendOptions> = { backend: option.word(...BACKENDS) };
