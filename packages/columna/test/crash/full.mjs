// The full crash test: 500 kills of each kind of writer, with the counts of every phase printed. `pnpm --filter columna run test:crash`, some minutes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('./vitest.mjs', import.meta.resolve('vitest/package.json')));
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'js', 'test/crash/crash.test.ts'], {
  stdio: 'inherit',
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  env: { ...process.env, COLUMNA_KILLS: process.env.COLUMNA_KILLS ?? '500' },
});
process.exit(status ?? 1);
