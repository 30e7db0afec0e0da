// Many ranges at once, as Node copies them: by one kernel over a mapping.
import { copyRanges, copyRangesSync } from '../copy-ranges-native.ts';
import { Ranges } from './ranges.ts';
import type { RangesRequest } from './ranges.ts';

/** Many ranges of a source into one buffer. All are checked before one byte is read. */
export class ReadRanges extends Ranges {
  protected copy(request: RangesRequest): Promise<void> {
    return copyRanges(this.source, request, BY_ADDON);
  }

  protected copySync(request: RangesRequest): void {
    copyRangesSync(this.source, request, BY_ADDON);
  }
}

/** What is mapped was mapped by the addon: nobody needs to ask the process's settings, and its environment, again for each read. */
const BY_ADDON = { backend: 'native' } as const;
