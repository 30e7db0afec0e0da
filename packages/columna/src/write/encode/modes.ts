// The ways to write: what a nanosecond of decoding is worth, in bytes.
import type { Rules } from '../../columns/chooser.ts';

/**
 * 'default': small, and fast to decode: as though the file came at 110 MB/s. 'fast': as though it came at 500 MB/s.
 * 'smallest': the fewest bytes. 'plain': arrays in the file, for zero-copy views.
 */
export type WriteMode = 'default' | 'fast' | 'smallest' | 'plain';

export const WRITE_MODES = ['default', 'fast', 'smallest', 'plain'] as const satisfies readonly WriteMode[];

const RULES: Record<WriteMode, Rules> = {
  default: {
    bytesPerNanosecond: 0.11,
    deflateLevel: 4,
    symbolRounds: 6,
    gapsLog2: 12,
    sharingLog2: 4,
    inflatedTimes: 1,
  },
  fast: { bytesPerNanosecond: 0.5, deflateLevel: 4, symbolRounds: 2, gapsLog2: 8, sharingLog2: 0, inflatedTimes: 2 },
  smallest: {
    bytesPerNanosecond: 0,
    deflateLevel: 9,
    symbolRounds: 6,
    gapsLog2: 12,
    sharingLog2: 16,
    inflatedTimes: 1,
  },
  // Nothing is chosen: everything is PLAIN.
  plain: { bytesPerNanosecond: 0, deflateLevel: 0, symbolRounds: 0, gapsLog2: 12, sharingLog2: 4, inflatedTimes: 1 },
};

export function rulesOf(mode: WriteMode): Rules {
  return RULES[mode];
}
