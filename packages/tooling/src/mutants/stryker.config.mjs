// One area for the mutation tester; `run.mjs` says which.
import { AREAS } from './areas.mjs';

const area = process.env.COLKIT_MUTANT_AREA ?? 'durable';

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './packages/tooling/src/mutants/ignore-texts.mjs'],
  ignorers: ['texts'],
  vitest: { configFile: 'packages/tooling/src/mutants/vitest.config.mjs', related: false },
  mutate: AREAS[area].mutate,
  // A mutant of what runs once at import needs every test again, in a new process.
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 20_000,
  incremental: true,
  incrementalFile: `.cache/mutants/${area}-incremental.json`,
  tempDirName: '.cache/mutants/copy',
  ignorePatterns: ['docs/**/*', '!docs/formats/*.md', 'bench', 'native', 'packages/*/dist', '.turbo', '.cache'],
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false, logTests: false },
  jsonReporter: { fileName: `.cache/mutants/${area}.json` },
};
