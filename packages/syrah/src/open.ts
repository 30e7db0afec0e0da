// A path, URL, bytes, Blob, source or handle -> an open SyrahFile.
import { IoError, SOURCE_OPTIONS, checkOptions, isSource, openSource, openSourceSync } from '@colkit/io';
import type { OpenSourceOptions, Openable as OpenableSource, OptionSet, RandomAccessSource } from '@colkit/io';
import { runActions, runActionsSync } from '@colkit/table';
import { SyrahFile } from './items/file.ts';
import { isHandle } from './items/handle.ts';
import type { SyrahHandle } from './items/handle.ts';
import { partOf } from './items/part-files.ts';
import { readLayout } from './layout/read-layout.ts';
import type { FileLayout } from './layout/read-layout.ts';
import { runSteps, runStepsSync } from './layout/steps.ts';
import type { Steps } from './layout/steps.ts';

export type Openable = OpenableSource | SyrahHandle;

/** `signal` gives up the opening. What a handle says of its source holds where nothing else is said here. */
export type OpenOptions = OpenSourceOptions;

export const OPEN_OPTIONS: OptionSet<OpenOptions> = SOURCE_OPTIONS;

/**
 * Opens a .syr file of any form. Reads the header and the structure of the metadata: well under a millisecond for a local
 * file, however many items it has. The result owns the source: closing it closes a source that was passed in, too.
 * @throws CorruptFileError, UnsupportedError, LimitError for what is no .syr file; IoError where it cannot be read.
 */
export async function open(what: Openable, options: OpenOptions = {}): Promise<SyrahFile> {
  checkOptions('open', OPEN_OPTIONS, options);
  const source = await openSource(isHandle(what) ? what.source : what, options);
  try {
    checkHandle(source, what);
    const layout = await runSteps(layoutSteps(source), source, options.signal);
    const part = layout.mark === null ? null : await runActions(partOf(source.path, layout.mark));
    return new SyrahFile(source, layout, backendOf(what, options), part);
  } catch (error) {
    if (!isSource(what)) source.close();
    throw error;
  }
}

/** The same on the calling thread, for local files and bytes. */
export function openSync(what: Openable, options: OpenOptions = {}): SyrahFile {
  checkOptions('openSync', OPEN_OPTIONS, options);
  const source = openSourceSync(isHandle(what) ? what.source : what, options);
  try {
    checkHandle(source, what);
    const layout = runStepsSync(layoutSteps(source), source);
    const part = layout.mark === null ? null : runActionsSync(partOf(source.path, layout.mark));
    return new SyrahFile(source, layout, backendOf(what, options), part);
  } catch (error) {
    if (!isSource(what)) source.close();
    throw error;
  }
}

function backendOf(what: Openable, { backend }: OpenOptions): SyrahHandle['backend'] {
  return backend ?? (isHandle(what) ? what.backend : 'auto');
}

function layoutSteps(source: RandomAccessSource): Steps<FileLayout> {
  return readLayout(source.path, source.byteLength, { piecewise: source.isSync });
}

/** @throws IoError ERR_FILE_CHANGED where the file is not the one that the handle was made of. */
function checkHandle(source: RandomAccessSource, handle: Openable): void {
  if (!isHandle(handle)) return;
  const changed = (expected: string, found: string): IoError => new IoError('ERR_FILE_CHANGED', 'open', source.path, `expected ${expected} of the handle but found ${found}`);
  if (source.byteLength !== handle.byteLength) throw changed(`the ${String(handle.byteLength)} bytes`, String(source.byteLength));
  const [expected, found] = [handle.version ?? null, source.version ?? null];
  if (expected !== null && found !== null && expected !== found) throw changed('the file', 'another one at its place, or one that was written to');
}
