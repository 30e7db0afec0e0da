// A path, URL, bytes, Blob, source or handle -> an open SyrahFile.
import { IoError, SOURCE_OPTIONS, checkOptions, isSource } from '@colkit/io';
import type { OpenSourceOptions, Openable as OpenableSource, OptionSet, RandomAccessSource } from '@colkit/io';
import { contextOf, openedSource, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { SyrahFile } from './items/file.ts';
import { isHandle } from './items/handle.ts';
import type { SyrahHandle } from './items/handle.ts';
import { partOf } from './items/part-files.ts';
import { readLayout } from './layout/read-layout.ts';

export type Openable = OpenableSource | SyrahHandle;

/** `signal` gives up the opening. What a handle says of its source holds where nothing else is said here. */
export type OpenOptions = OpenSourceOptions;

export const OPEN_OPTIONS: OptionSet<OpenOptions> = SOURCE_OPTIONS;

/**
 * Opens a .syr file of any form. Reads the header and the structure of the metadata: well under a millisecond for a
 * local file, however many items it has. The result owns the source: closing it closes a source that was passed in,
 * too.
 * @throws CorruptFileError, UnsupportedError, LimitError for what is no .syr file; IoError where it cannot be read.
 */
export async function open(what: Openable, options: OpenOptions = {}): Promise<SyrahFile> {
  checkOptions('open', OPEN_OPTIONS, options);
  return run(opening(what, options), contextOf(options));
}

/** The same on the calling thread, for local files and bytes. */
export function openSync(what: Openable, options: OpenOptions = {}): SyrahFile {
  checkOptions('openSync', OPEN_OPTIONS, options);
  return runSync(opening(what, options), contextOf(options));
}

function* opening(what: Openable, options: OpenOptions): Work<SyrahFile> {
  const source = yield* openedSource(isHandle(what) ? what.source : what, options);
  try {
    checkHandle(source, what);
    const layout = yield* readLayout(source, { piecewise: source.isSync });
    const part = layout.mark === null ? null : yield* partOf(source.path, layout.mark);
    return new SyrahFile(source, layout, backendOf(what, options), part);
  } catch (error) {
    if (!isSource(what)) source.close();
    throw error;
  }
}

function backendOf(what: Openable, { backend }: OpenOptions): SyrahHandle['backend'] {
  return backend ?? (isHandle(what) ? what.backend : 'auto');
}

/** @throws IoError ERR_FILE_CHANGED where the file is not the one that the handle was made of. */
function checkHandle(source: RandomAccessSource, handle: Openable): void {
  if (!isHandle(handle)) return;
  const changed = (expected: string, found: string): IoError =>
    new IoError('ERR_FILE_CHANGED', 'open', source.path, `expected ${expected} of the handle but found ${found}`);
  if (source.byteLength !== handle.byteLength)
    throw changed(`the ${String(handle.byteLength)} bytes`, String(source.byteLength));
  const [expected, found] = [handle.version ?? null, source.version ?? null];
  if (expected !== null && found !== null && expected !== found)
    throw changed('the file', 'another one at its place, or one that was written to');
}
