// The full form of the crash tests: node full-crash.mjs TESTS [KILLS [SAMPLES]], in the folder of a package. 500 kills
// of each kind of writer and 200 states of each kind at each loss of power unless told, with the counts of every phase
// printed; minutes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [test, kills = '500', samples = '200'] = process.argv.slice(2);
const vitest = fileURLToPath(new URL('./vitest.mjs', import.meta.resolve('vitest/package.json')));
// What is written does not depend on the backend: once is enough.
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'js', test], {
  stdio: 'inherit',
  env: { ...process.env, COLKIT_KILLS: kills, COLKIT_CRASH_SAMPLES: samples },
});
process.exit(status ?? 1);
