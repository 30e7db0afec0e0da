// The tests of an area as the mutation tester runs them: one backend, one thread, no second import of what is the same.
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { AREAS } from './areas.mjs';
import { FailedFiles } from './failed-files.mjs';
import { mendedSetup } from './mended-setup.mjs';

const COPY = `${process.cwd()}/`;
const ORIGIN = process.env.COLKIT_MUTANT_ORIGIN;

/** The tester works on a copy, in which links between our packages still lead to the original: they are led back. */
const packagesOfTheCopy = {
  name: 'packages-of-the-copy',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (found === null || found.external !== false || found.id.startsWith(COPY)) return found;
    return found.id.startsWith(`${ORIGIN}/packages/`) ? { ...found, id: COPY + relative(ORIGIN, found.id) } : found;
  },
};

const { tests, last = [] } = AREAS[process.env.COLKIT_MUTANT_AREA];

/** The quickest first: the first failure ends a run. */
class QuickFirst extends BaseSequencer {
  sort(files) {
    const rank = ({ moduleId }) => last.findIndex((name) => moduleId.endsWith(`/${name}`));
    return [...files].sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  plugins: [packagesOfTheCopy, mendedSetup],
  ssr: { resolve: { conditions: ['@colkit/source'], externalConditions: ['@colkit/source'] } },
  test: {
    env: { COLKIT_BACKEND: 'js' },
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    reporters: [new FailedFiles()],
    sequence: { sequencer: QuickFirst },
    include: tests,
    exclude: ['**/node_modules/**'],
  },
});
