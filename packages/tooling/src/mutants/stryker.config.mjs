// One area for the mutation tester; `run.mjs` says which.
import { AREAS } from './areas.mjs';

const area = process.env.COLKIT_MUTANT_AREA ?? 'durable';

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './packages/tooling/src/mutants/ignore-texts.mjs'],
  ignorers: ['texts'],
  vitest: { configFile: 'packages/tooling/src/mutants/vitest.config.mjs', related: false },
  mutate: AREAS[area].mutate,
  // What runs once at import (tables of codes, limits) is tried too, with every test of the area.
  ignoreStatic: false,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 20_000,
  incremental: true,
  incrementalFile: `.cache/mutants/${area}-incremental.json`,
  tempDirName: '.cache/mutants/copy',
  ignorePatterns: ['docs/**/*', '!docs/formats/*.md', 'bench', 'native', 'packages/*/dist', '.turbo', '.cache'],
  reporters: ['json', 'progress-append-only'],
  allowConsoleColors: false,
  jsonReporter: { fileName: `.cache/mutants/${area}.json` },
};
