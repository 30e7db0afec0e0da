// What a worker thread runs: one row group, or one column of it, for every message. Its own entry of the build.
import { setDefaultBackend } from '@colkit/io';
import { answerTasks } from '@colkit/io/threads';
import { finished } from '../encode/encode-chunk.ts';
import { encodeRowGroup, encodingAlone } from '../encode/encode-row-group.ts';
import type { ColumnValues } from '../values/column-values.ts';
import type { EncodeTask } from './encode-wire.ts';

answerTasks<undefined, EncodeTask>({
  prepare: () =>
    Promise.resolve(({ columns, alone, options, backend }) => {
      setDefaultBackend(backend);
      if (alone === null) return { value: encodeRowGroup(columns, options) };
      return { value: [finished(encodingAlone(columns[0] as ColumnValues, alone, options))] };
    }),
});
