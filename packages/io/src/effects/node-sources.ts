// The effects on sources that Node performs in its own way: opening, and many ranges by one kernel over a mapping.
import { copyRanges, copyRangesSync } from '../gather/copy-ranges-native.ts';
import type { Backend } from '../backend/settings.ts';
import { readSmallFiles } from '../source/held/small-files.ts';
import { openSource, openSourceSync } from '../source/open-source.ts';
import type { Openable } from '../source/open-other-source.ts';
import type { RandomAccessSource, Reopening } from '../source/source.ts';
import type { OpenSourceOptions } from '../source/source-options.ts';
import { perform } from './effect.ts';
import type { Operation, Work } from './effect.ts';
import { Ranges } from './ranges.ts';
import type { RangesRequest } from './ranges.ts';

/**
 * Opens a source, or gives back the one that was passed.
 * @throws as `openSource`; in the Sync form UnsupportedError for what is remote.
 */
export function openedSource(what: Openable | Reopening, options: OpenSourceOptions): Work<RandomAccessSource> {
  return perform({ run: () => openSource(what, options), runSync: () => openSourceSync(what, options) });
}

/**
 * Small local files, each as a whole; null for what has to be opened: it is large, or not there, or there is no addon.
 * In the Sync form, where opening one by one costs no more, all of them are. @param paths an empty one is no file.
 */
export function smallFiles(
  paths: readonly string[],
  mostBytes: number,
  backend: Backend | undefined,
): Operation<readonly (Uint8Array | null)[]> {
  return { run: () => readSmallFiles(paths, mostBytes, backend), runSync: () => paths.map(() => null) };
}

/** Many ranges of a source into one buffer. All are checked before one byte is read. */
export class ReadRanges extends Ranges {
  protected copy(request: RangesRequest): Promise<void> {
    return copyRanges(this.source, request, BY_ADDON);
  }

  protected copySync(request: RangesRequest): void {
    copyRangesSync(this.source, request, BY_ADDON);
  }
}

/**
 * What is mapped was mapped by the addon: nobody needs to ask the process's settings, and its environment, again for
 * each read.
 */
const BY_ADDON = { backend: 'native' } as const;
