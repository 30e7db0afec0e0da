// What a worker thread runs: one row group for every message. Its own entry of the build.
import { setDefaultBackend } from '@colkit/io';
import { answerTasks } from '@colkit/io/threads';
import { encodeRowGroup } from '../encode/encode-row-group.ts';
import type { EncodeTask } from './encode-wire.ts';

answerTasks<undefined, EncodeTask>({
  prepare: () =>
    Promise.resolve(({ columns, options, backend }) => {
      setDefaultBackend(backend);
      return { value: encodeRowGroup(columns, options) };
    }),
});
