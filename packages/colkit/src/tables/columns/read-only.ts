// The writer of an edit whose table is only read.
import type { EditWriter } from '@colkit/table';

function noWriter(): never {
  throw new Error('an edit that is only read has no writer');
}

export const READ_ONLY: EditWriter<unknown, unknown, unknown> = { write: noWriter, writeSync: noWriter };
