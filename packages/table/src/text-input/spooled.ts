// What was put by, to be read again.
import type { RandomAccessSource } from '@colkit/io';

export interface Spooled {
  readonly source: RandomAccessSource;
  readonly close: () => Promise<void>;
}
