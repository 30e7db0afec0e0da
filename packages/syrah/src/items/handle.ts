// What goes to another thread or process instead of an open file: plain data that `open` takes. The receiver opens the
// file itself; the page cache is shared.
import { ArgumentError } from '@colkit/io';
import type { RandomAccessSource, Reopening } from '@colkit/io';
import type { KnownLayout } from '../layout/read-layout.ts';

/** Made by `file.handle()`; survives structuredClone, postMessage and, for files and URLs, JSON. */
export interface SyrahHandle {
  readonly kind: 'syrah-file';
  /** How its source is opened again. Bytes of a file in memory are copied on the way. */
  readonly source: Reopening;
  readonly byteLength: number;
  /** Which version of it, as the system or server tells; none where it does not. */
  readonly version?: string | null;
  readonly backend: 'auto' | 'native' | 'js';
  /** Of a remote file, for threads of this process alone: its metadata, so that it is loaded once. */
  readonly known?: KnownLayout;
  /** Of a remote file that was opened so: its metadata is loaded by parts there, too. */
  readonly metadata?: 'parts';
}

/**
 * @param known of a remote file all metadata; null: it has parts of it.
 * @throws ArgumentError for a source that only this thread has.
 */
export function makeHandle(
  source: RandomAccessSource,
  backend: SyrahHandle['backend'],
  known: KnownLayout | null,
  where: 'this process' | 'anywhere',
): SyrahHandle {
  const reopening = source.reopen();
  if (reopening !== null) {
    const version = source.version ?? null;
    const { byteLength } = source;
    return {
      kind: 'syrah-file',
      source: reopening,
      byteLength,
      version,
      backend,
      ...(known === null || where === 'anywhere' ? {} : { known }),
      ...(known === null && !source.isSync ? { metadata: 'parts' as const } : {}),
    };
  }
  const expected =
    'a source that another thread can open: a file, a URL without functions (fetch, sign, renew), bytes, or one with ' +
    'reopen()';
  const why = source.whyNotReopened ?? null;
  throw new ArgumentError('ERR_ARGUMENT', 'file', expected, why === null ? source.path : `${source.path}, ${why}`);
}

export function isHandle(what: unknown): what is SyrahHandle {
  return (
    typeof what === 'object' && what !== null && (what as { kind?: unknown }).kind === 'syrah-file' && 'source' in what
  );
}
