// The full crash test: 500 kills for a new file and 500 for an overwrite, with the counts printed. `pnpm --filter colstore run test:crash`, about three minutes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('./vitest.mjs', import.meta.resolve('vitest/package.json')));
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'js', 'test/crash/crash.test.ts'], {
  stdio: 'inherit',
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  env: { ...process.env, COLSTORE_KILLS: process.env.COLSTORE_KILLS ?? '500' },
});
process.exit(status ?? 1);
