// The bootstrap behind every root command: from an empty node_modules it brings pnpm, installs the workspace, builds
// what is needed and runs the task. Uses nothing but Node and npm. Says what is missing for the native addon, and goes
// on without it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeToolchain } from '../../../native/bin/toolchain.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ROOT_PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const MINIMUM_NODE = [20, 19];

const TASKS = {
  setup: [],
  build: [['turbo', 'run', 'build']],
  test: [['turbo', 'run', 'test', '--concurrency=4']],
  demo: [
    ['turbo', 'run', 'build', '--filter=@colkit/demo...', '--output-logs=errors-only'],
    ['--filter', '@colkit/demo', 'run', 'demo'],
  ],
  bench: [
    ['turbo', 'run', 'build', '--filter=@colkit/bench...', '--output-logs=errors-only'],
    ['--filter', '@colkit/bench', 'run', 'bench'],
  ],
  tarballs: [
    ['turbo', 'run', 'build', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/tarballs.mjs'],
  ],
  rehearse: [
    ['turbo', 'run', 'build', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/rehearse-release.mjs'],
  ],
  bundlers: [
    ['turbo', 'run', 'build', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/bundlers.mjs'],
  ],
  browsers: [
    ['turbo', 'run', 'build', '--filter=colkit', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/browsers.mjs'],
  ],
  runtimes: [
    ['turbo', 'run', 'build', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/runtimes.mjs'],
  ],
  models: [
    ['turbo', 'run', 'build', '--filter=syrah', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/models.mjs'],
  ],
  recipes: [
    ['turbo', 'run', 'build', '--filter=colkit', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/recipes.mjs'],
  ],
  torch: [
    ['turbo', 'run', 'build', '--filter=syrah', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/torch.mjs'],
  ],
  engines: [
    ['turbo', 'run', 'build', '--filter=colkit', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/engines.mjs'],
  ],
  python: [
    ['turbo', 'run', 'build', '--filter=colkit', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/engines.mjs', 'package'],
  ],
  queries: [
    ['turbo', 'run', 'build', '--filter=columna', '--filter=colstore', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/queries/run.mjs'],
  ],
  temporal: [
    ['turbo', 'run', 'build', '--filter=columna', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/temporal.mjs'],
  ],
  s3: [
    ['turbo', 'run', 'build', '--filter=@colkit/s3...', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/s3.mjs'],
  ],
  bullmq: [
    ['turbo', 'run', 'build', '--filter=@colkit/bullmq...', '--output-logs=errors-only'],
    ['exec', 'node', 'packages/tooling/src/users/bullmq.mjs'],
  ],
  fuzz: [
    ['turbo', 'run', 'build', '--filter=@colkit/fuzz', '--filter=@colkit/native', '--output-logs=errors-only'],
    ['--filter', '@colkit/fuzz', 'run', 'fuzz'],
  ],
  check: [
    ['turbo', 'run', 'build', '--filter=!@colkit/docs', '--output-logs=errors-only'],
    // The site is built beside the others: most of its minutes are one thread's.
    'turbo run lint format:check layers options typecheck packages build --concurrency=3'.split(' '),
  ],
};

const [task = 'test', ...rest] = process.argv.slice(2);
const steps = TASKS[task];
if (steps === undefined) fail(`unknown task ${JSON.stringify(task)}; one of ${Object.keys(TASKS).join(', ')}`);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor < MINIMUM_NODE[1])) {
  fail(`Node ${MINIMUM_NODE.join('.')} or newer is needed; this is ${process.versions.node}`);
}

const toolchain = describeToolchain();
if (toolchain.missing.length > 0) {
  console.log(
    `[colkit] ${toolchain.missing.join(' and ')} not found: the native addon is not built; everything runs in ` +
      'pure TypeScript (same results, slower).',
  );
}

const environment = {
  ...process.env,
  COLKIT_TOOLCHAIN: toolchain.tools,
  TURBO_TELEMETRY_DISABLED: '1',
  NODE_MATRIX: process.env.NODE_MATRIX ?? String(major),
};

install();
for (const [index, step] of steps.entries()) {
  const last = index === steps.length - 1;
  const code = pnpm(step[0] === 'turbo' ? ['exec', ...step] : step, last ? rest : []);
  if (code !== 0) process.exit(code);
}

/** Installs the locked dependencies; skipped where the lock file is the one that the last install here saw. */
function install() {
  const stamp = join(ROOT, 'node_modules', '.cache', 'colkit-install');
  const lock = join(ROOT, 'pnpm-lock.yaml');
  const digest = createHash('sha256').update(readFileSync(lock)).update(process.versions.modules).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const code = pnpm(['install', '--frozen-lockfile'], []);
  if (code !== 0) fail('the dependencies could not be installed (see above)');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

/** Runs pnpm, the version that package.json names, through npx: nothing needs to be installed globally. */
function pnpm(parameters, more) {
  const windows = process.platform === 'win32';
  const { status, error } = spawnSync(
    windows ? 'npx.cmd' : 'npx',
    ['--yes', ROOT_PACKAGE.packageManager, ...parameters, ...more],
    {
      cwd: ROOT,
      env: environment,
      stdio: 'inherit',
      shell: windows,
    },
  );
  if (error !== undefined) fail(`npx could not be started: ${error.message}`);
  return status ?? 1;
}

function fail(message) {
  console.error(`[colkit] ${message}`);
  process.exit(1);
}
