// The effects on sources as browsers perform them: no files, and ranges read by read.
import { openSource, openSourceSync } from '../browser-parts.ts';
import { copyRangesByReads, copyRangesByReadsSync } from '../gather/copy-ranges.ts';
import type { Openable } from '../source/open-other-source.ts';
import type { RandomAccessSource, Reopening } from '../source/source.ts';
import type { OpenSourceOptions } from '../source/source-options.ts';
import { perform } from './effect.ts';
import type { Operation, Work } from './effect.ts';
import { Ranges } from './ranges.ts';
import type { RangesRequest } from './ranges.ts';

/**
 * Opens a source, or gives back the one that was passed.
 * @throws as `openSource`; in the Sync form UnsupportedError for what needs a file.
 */
export function openedSource(what: Openable | Reopening, options: OpenSourceOptions): Work<RandomAccessSource> {
  return perform({ run: () => openSource(what, options), runSync: () => openSourceSync(what, options) });
}

/** All of them are null: there are no files. */
export function smallFiles(paths: readonly string[]): Operation<readonly null[]> {
  const runSync = (): readonly null[] => paths.map(() => null);
  return { run: () => Promise.resolve(runSync()), runSync };
}

/** Nothing: there are no files. */
export function willReadFiles(): void {
  // What is not there is not read ahead.
}

/** Many ranges of a source into one buffer. All are checked before one byte is read. */
export class ReadRanges extends Ranges {
  protected copy(request: RangesRequest): Promise<void> {
    return copyRangesByReads(this.source, request);
  }

  protected copySync(request: RangesRequest): void {
    copyRangesByReadsSync(this.source, request);
  }
}
