// What opening a file, or looking at its header, is told.
import { SOURCE_OPTIONS, option } from '@colkit/io';
import type { OpenSourceOptions, OptionSet } from '@colkit/io';
import { EXPECT_OPTIONS } from '@colkit/table';
import type { ExpectOptions, OnMismatch } from '@colkit/table';

export interface OpenOptions extends OpenSourceOptions, ExpectOptions {
  /** Most threads of one read of this table; default: what `setMaxWorkers` set. */
  readonly maxWorkers?: number;
  /**
   * Also demand what readers may ignore: zeros in padding, nothing behind the data but sound statistics, bool items of
   * 0 and 1, code points in U items. Reads the bool and U columns. Changed numbers are not found: the format has no
   * checksum over values.
   */
  readonly verify?: boolean;
  /**
   * Of several files: what happens where they have different columns (the order may differ): an error, the default, or
   * the table has those that all of them have with one type.
   */
  readonly onMismatch?: OnMismatch;
}

export const OPEN_OPTIONS: OptionSet<OpenOptions> = {
  ...SOURCE_OPTIONS,
  ...EXPECT_OPTIONS,
  maxWorkers: option.count('threads', 1),
  verify: option.flag,
  onMismatch: option.word('strict', 'drop'),
};

/** Several files are told by `onMismatch`. */
export interface InfoOptions extends OpenSourceOptions {
  /** Of several files: 'strict', the default, wants the same columns in all; 'drop' keeps those that all have. */
  readonly onMismatch?: OnMismatch;
}

export const INFO_OPTIONS: OptionSet<InfoOptions> = { ...SOURCE_OPTIONS, onMismatch: option.word('strict', 'drop') };
