// The three ways to write: what may cost decoding time for how many bytes.
import type { Rules } from '../../columns/chooser.ts';

/**
 * 'default': small and fast to decode. 'smallest': the fewest bytes. 'plain': arrays in the file, for zero-copy views.
 */
export type WriteMode = 'default' | 'smallest' | 'plain';

export const WRITE_MODES = ['default', 'smallest', 'plain'] as const satisfies readonly WriteMode[];

const RULES: Record<WriteMode, Rules> = {
  // Inflating is ten times slower than unpacking bits, an entropy decoder three to five times; digits of base 3 and 5
  // about 1.7 times.
  default: { digitsGain: 0.05, entropyGain: 0.1, deflateGain: 0.1, deflateLevel: 6, jointGain: 0.05 },
  smallest: { digitsGain: 0, entropyGain: 0, deflateGain: 0, deflateLevel: 9, jointGain: 0 },
  plain: { digitsGain: 1, entropyGain: 1, deflateGain: 1, deflateLevel: 0, jointGain: 1 },
};

export function rulesOf(mode: WriteMode): Rules {
  return RULES[mode];
}
