// What goes to another thread or process instead of many open files: plain data that `openShards` takes.
import type { Reopening } from '@colkit/io';
import type { SyrahHandle } from '../items/handle.ts';
import type { NamedFields } from './align-keys.ts';

/** One of the files, as it is opened there. */
export interface ShardHandle {
  readonly path: string;
  readonly itemCount: number;
  readonly isLocal: boolean;
  /** Of a file that was opened here its handle; of others how they are opened. */
  readonly file: SyrahHandle | Reopening;
  readonly mark: string | null;
}

/** Made by `shards.handle()`; survives structuredClone, postMessage and, for files and URLs, JSON. */
export interface SyrahShardsHandle {
  readonly kind: 'syrah-shards';
  readonly path: string;
  readonly schema: NamedFields | null;
  readonly shards: readonly ShardHandle[];
  readonly maxOpen: number;
  readonly set: string | null;
  readonly backend: SyrahHandle['backend'];
}

export function isShardsHandle(what: unknown): what is SyrahShardsHandle {
  return (
    typeof what === 'object' &&
    what !== null &&
    (what as { kind?: unknown }).kind === 'syrah-shards' &&
    'shards' in what
  );
}
