// What a worker thread runs: one row group for every message. Its own entry of the build.
import { encodeRowGroup } from './encode-row-group.ts';
import type { EncodeTask } from './encode-wire.ts';
import { answerQuestions } from './worker-answers.ts';

answerQuestions((question) => {
  const { columns, options } = question as EncodeTask;
  return encodeRowGroup(columns, options);
});
