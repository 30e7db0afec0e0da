// What goes to another thread or process instead of an open file: plain data that `open` takes. The receiver opens the file itself; the page cache is shared.
import { ArgumentError } from '@colkit/io';
import type { MemoryBacked, RandomAccessSource } from '@colkit/io';
import { resolve } from 'node:path';

/** Made by `file.handle()`; survives structuredClone, postMessage and, for files and URLs, JSON. */
export interface SyrahHandle {
  readonly kind: 'syrah-file';
  /** An absolute path, a URL, or the bytes themselves (copied on the way) of a file in memory. */
  readonly what: string | Uint8Array;
  readonly byteLength: number;
  /** Which version of it, as the system or server tells; none where it does not. */
  readonly version?: string | null;
  readonly io: 'auto' | 'mmap' | 'pread';
  readonly backend: 'auto' | 'native' | 'js';
}

export function makeHandle(source: RandomAccessSource, options: Pick<SyrahHandle, 'io' | 'backend'>): SyrahHandle {
  return { kind: 'syrah-file', what: locationOf(source), byteLength: source.byteLength, version: source.version ?? null, io: options.io, backend: options.backend };
}

function locationOf(source: RandomAccessSource): string | Uint8Array {
  switch (source.kind) {
    case 'mapped': case 'file': return resolve(source.path);
    case 'http': return source.path;
    case 'memory': return (source as MemoryBacked).bytes;
    case 'blob': throw new ArgumentError('ERR_ARGUMENT', 'file', 'a file, URL or bytes, which can be opened again elsewhere', 'a Blob (pass the Blob itself)');
  }
}

/** Whether only `open` opens it, not `openSync`. */
export function isRemote({ what }: SyrahHandle): boolean {
  return typeof what === 'string' && /^https?:/i.test(what);
}

export function isHandle(what: unknown): what is SyrahHandle {
  return typeof what === 'object' && what !== null && (what as { kind?: unknown }).kind === 'syrah-file' && 'what' in what;
}
