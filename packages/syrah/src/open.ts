// A path, URL, bytes, Blob, source or handle -> an open SyrahFile.
import { IoError, SOURCE_OPTIONS, checkOptions, openSource, openSourceSync } from '@colkit/io';
import type { OpenSourceOptions, OptionSet, RandomAccessSource } from '@colkit/io';
import { runActions, runActionsSync } from '@colkit/table';
import { SyrahFile } from './items/file.ts';
import { isHandle } from './items/handle.ts';
import type { SyrahHandle } from './items/handle.ts';
import { partOf } from './items/part-files.ts';
import { readLayout } from './layout/read-layout.ts';
import type { FileLayout } from './layout/read-layout.ts';
import { runSteps, runStepsSync } from './layout/steps.ts';
import type { Steps } from './layout/steps.ts';

export type Openable = string | URL | Uint8Array | ArrayBuffer | Blob | RandomAccessSource | SyrahHandle;

/** `signal` gives up the opening. */
export type OpenOptions = Pick<OpenSourceOptions, 'io' | 'backend' | 'signal'>;

const { io, backend, signal } = SOURCE_OPTIONS;
export const OPEN_OPTIONS: OptionSet<OpenOptions> = { io, backend, signal };

/**
 * Opens a .syr file of any form. Reads the header and the structure of the metadata: well under a millisecond for a local file, however many items it has.
 * @throws CorruptFileError, UnsupportedError, LimitError for what is no .syr file; IoError where it cannot be read.
 */
export async function open(what: Openable, options: OpenOptions = {}): Promise<SyrahFile> {
  checkOptions('open', OPEN_OPTIONS, options);
  const { target, settings, handle } = resolveTarget(what, options);
  const { signal } = options;
  const source = await openSource(target, signal === undefined ? settings : { ...settings, signal });
  try {
    checkHandle(source, handle);
    const layout = await runSteps(layoutSteps(source), source, signal);
    return new SyrahFile(source, layout, settings, layout.mark === null ? null : await runActions(partOf(source.path, layout.mark)));
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The same on the calling thread, for local files and bytes. */
export function openSync(what: Openable, options: OpenOptions = {}): SyrahFile {
  checkOptions('openSync', OPEN_OPTIONS, options);
  const { target, settings, handle } = resolveTarget(what, options);
  const source = openSourceSync(target, settings);
  try {
    checkHandle(source, handle);
    const layout = runStepsSync(layoutSteps(source), source);
    return new SyrahFile(source, layout, settings, layout.mark === null ? null : runActionsSync(partOf(source.path, layout.mark)));
  } catch (error) {
    source.close();
    throw error;
  }
}

function resolveTarget(what: Openable, options: OpenOptions) {
  const handle = isHandle(what) ? what : null;
  const settings = { io: options.io ?? handle?.io ?? 'auto', backend: options.backend ?? handle?.backend ?? 'auto' } as const;
  return { target: isHandle(what) ? what.what : what, settings, handle };
}

function layoutSteps(source: RandomAccessSource): Steps<FileLayout> {
  return readLayout(source.path, source.byteLength, { piecewise: source.kind !== 'http' && source.kind !== 'blob' });
}

/** @throws IoError ERR_FILE_CHANGED where the file is not the one that the handle was made of. */
function checkHandle(source: RandomAccessSource, handle: SyrahHandle | null): void {
  if (handle === null) return;
  const changed = (expected: string, found: string): IoError => new IoError('ERR_FILE_CHANGED', 'open', source.path, `expected ${expected} of the handle but found ${found}`);
  if (source.byteLength !== handle.byteLength) throw changed(`the ${String(handle.byteLength)} bytes`, String(source.byteLength));
  const [expected, found] = [handle.version ?? null, source.version ?? null];
  if (expected !== null && found !== null && expected !== found) throw changed('the file', 'another one at its place, or one that was written to');
}
