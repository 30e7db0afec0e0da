// Many ranges at once, as Node copies them: by one kernel over a mapping.
import { copyRanges, copyRangesSync } from '../copy-ranges-native.ts';
import type { RandomAccessSource } from '../source.ts';
import { Ranges } from './ranges.ts';
import type { RangesRequest } from './ranges.ts';

/** Many ranges of a source into one buffer. All are checked before one byte is read. */
export class ReadRanges extends Ranges {
  protected copy(request: RangesRequest): Promise<void> {
    return copyRanges(this.source, request, backendOf(this.source));
  }

  protected copySync(request: RangesRequest): void {
    copyRangesSync(this.source, request, backendOf(this.source));
  }
}

/** What is mapped was mapped by the addon: nobody needs to ask the process's settings, and its environment, again for each read. */
function backendOf(source: RandomAccessSource): { readonly backend: 'native' | 'auto' } {
  return source.kind === 'mapped' ? BY_ADDON : AS_SET;
}

const BY_ADDON = { backend: 'native' } as const;
const AS_SET = { backend: 'auto' } as const;
