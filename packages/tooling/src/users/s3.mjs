#!/usr/bin/env node
// `npm run test:s3`: the tests of @colkit/s3 against a real server of its API, moto's, which is installed from PyPI
// into an environment of its own by COLKIT_PYTHON or python3. Exits with 1 where one fails, or where the server does
// not enforce If-None-Match.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../published.mjs';

const MOTO = 'moto[server]==5.2.5';
const STARTING_MS = 60_000;

const folder = join(ROOT, 'packages', 'tooling', '.cache', 'moto');
const server = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin', 'moto_server');
if (!existsSync(server)) install();
const port = await freePort();
const endpoint = `http://127.0.0.1:${port}`;
const running = spawn(server, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
try {
  await started();
  await putTwice();
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', 'test/store.test.ts', 'test/datasets.test.ts', 'test/formats.test.ts', '--project', 'js'],
    {
      cwd: join(ROOT, 'packages', 's3'),
      stdio: 'inherit',
      env: { ...process.env, COLKIT_S3_ENDPOINT: endpoint },
    },
  );
  process.exitCode = status === 0 ? 0 : 1;
} finally {
  running.kill();
}

function install() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const python = process.env.COLKIT_PYTHON ?? 'python3';
  const pip = join(server, '..', 'pip');
  for (const [command, ...parameters] of [
    [python, '-m', 'venv', folder],
    [pip, 'install', '--quiet', MOTO],
  ]) {
    const { status } = spawnSync(command, parameters, { stdio: 'inherit' });
    if (status === 0) continue;
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${command} ${parameters.join(' ')} failed`);
  }
}

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

async function started() {
  const until = Date.now() + STARTING_MS;
  for (;;) {
    if (running.exitCode !== null) throw new Error(`moto_server ended with ${running.exitCode}`);
    const isThere = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (isThere) break;
    if (Date.now() > until) throw new Error('moto_server did not start');
    await new Promise((done) => setTimeout(done, 100));
  }
  await fetch(`${endpoint}/bucket`, { method: 'PUT' });
}

/** @throws Error where the second write of a key is not refused. */
async function putTwice() {
  const { s3Store } = await import(pathToFileURL(join(ROOT, 'packages', 's3', 'dist', 'index.js')).href);
  const store = s3Store({ endpoint, bucket: 'bucket', credentials: { accessKeyId: 'id', secretAccessKey: 'key' } });
  const written = [
    await store.putIfAbsent('probe', Uint8Array.of(1)),
    await store.putIfAbsent('probe', Uint8Array.of(2)),
  ];
  if (written.join() !== 'true,false') throw new Error(`${MOTO} does not enforce If-None-Match`);
  await store.delete('probe');
  console.log(`${MOTO} at ${endpoint}: If-None-Match is enforced`);
}
