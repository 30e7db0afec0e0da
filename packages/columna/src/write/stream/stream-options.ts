// What can be asked of a streaming writer, and what `create` and `appender` share in starting one.
import { option } from '@colkit/io';
import type { FileOperations, OptionSet } from '@colkit/io';
import { filesOf } from '@colkit/io/durable';
import type { Checkpoint } from './table-writer.ts';
import { ENCODING_OPTIONS } from '../file/write-options.ts';
import type { EncodingOptions } from '../file/write-options.ts';
import type { RowGroupReport } from '../file/write-report.ts';

export interface StreamOptions extends EncodingOptions {
  /**
   * 'auto', the default: after a row group, a footer is written too, as often as footers take at most a sixty-fourth of
   * the file. 'never': only where `checkpoint()` asks for it, and at the end.
   */
  readonly checkpoints?: 'auto' | 'never';
  /**
   * 'full', the default: checkpoints, and the file, survive a power failure. 'none' does not wait for the disk: they
   * survive the death of the process only.
   */
  readonly durability?: 'full' | 'none';
  /**
   * Called with every row group: which encoding each page got, and the sizes of those that lost. What it throws fails
   * the writer.
   */
  readonly onRowGroup?: (report: RowGroupReport) => void;
  /** Called once a checkpoint is kept, whatever happens. */
  readonly onCheckpoint?: (checkpoint: Checkpoint) => void;
}

export const STREAM_OPTIONS: OptionSet<StreamOptions> = {
  ...ENCODING_OPTIONS,
  checkpoints: option.word('auto', 'never'),
  durability: option.word('full', 'none'),
  onRowGroup: option.callback(),
  onCheckpoint: option.callback(),
};

interface StreamSetup {
  readonly operations: FileOperations | undefined;
  readonly durable: boolean;
  readonly checkpoints: boolean;
}

export function streamSetup(options: StreamOptions): StreamSetup {
  const { checkpoints = 'auto', durability = 'full' } = options;
  return { operations: filesOf(options), durable: durability === 'full', checkpoints: checkpoints === 'auto' };
}
