// What a worker thread of a CSV import runs: a block to parse or a row group to encode for every message. Its own entry
// of the build.
import { answerTasks } from '@colkit/io/threads';
import { CsvAnswers } from './csv-lanes.ts';
import type { CsvQuestion } from './csv-lanes.ts';

const answers = new CsvAnswers();

answerTasks<undefined, CsvQuestion>({
  prepare: () => Promise.resolve((question) => ({ value: answers.answer(question) })),
});
