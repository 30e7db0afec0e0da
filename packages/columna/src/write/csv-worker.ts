// What a worker thread of a CSV import runs: a block to parse or a row group to encode for every message. Its own entry of the build.
import { workerData } from 'node:worker_threads';
import { BlockParser } from '@colkit/table/csv';
import type { BlockPlan } from '@colkit/table/csv';
import { answerCsv } from './csv-lanes.ts';
import type { CsvQuestion } from './csv-lanes.ts';
import { answerQuestions } from './worker-answers.ts';

const parser = new BlockParser(workerData as BlockPlan);

answerQuestions((question) => answerCsv(parser, question as CsvQuestion));
