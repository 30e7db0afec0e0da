// What a worker thread of a CSV import runs: a block to parse or a row group to encode for every message. Its own entry
// of the build.
import { CsvAnswers } from './csv-lanes.ts';
import type { CsvQuestion } from './csv-lanes.ts';
import { answerQuestions } from './worker-answers.ts';

const answers = new CsvAnswers();

answerQuestions((question) => answers.answer(question as CsvQuestion));
