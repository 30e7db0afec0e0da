// What a worker thread runs: one row group for every message. Its own entry of the build.
import { answerTasks } from '@colkit/io/threads';
import { encodeRowGroup } from '../encode/encode-row-group.ts';
import type { EncodeTask } from './encode-wire.ts';

answerTasks<undefined, EncodeTask>({
  prepare: () => Promise.resolve(({ columns, options }) => ({ value: encodeRowGroup(columns, options) })),
});
