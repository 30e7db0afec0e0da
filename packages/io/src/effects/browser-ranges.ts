// Many ranges at once, as browsers copy them: read by read.
import { copyRangesByReads, copyRangesByReadsSync } from '../copy-ranges.ts';
import { Ranges } from './ranges.ts';
import type { RangesRequest } from './ranges.ts';

/** Many ranges of a source into one buffer. All are checked before one byte is read. */
export class ReadRanges extends Ranges {
  protected copy(request: RangesRequest): Promise<void> {
    return copyRangesByReads(this.source, request);
  }

  protected copySync(request: RangesRequest): void {
    copyRangesByReadsSync(this.source, request);
  }
}
