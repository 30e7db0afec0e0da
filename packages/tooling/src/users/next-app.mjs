// A Next.js app: a server component and a route handler that read and write files of ours; built, started and asked.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../published.mjs';

const START_TIMEOUT_MS = 60_000;

const APP = fileURLToPath(new URL('../../users/next', import.meta.url));

/**
 * @param options `config`: text of next.config.mjs; `build`: parameters of `next build`; `standalone`: whether what
 *   `output: 'standalone'` leaves is started, in a folder of its own.
 * @returns what the route handler and the server component answer.
 */
export async function tryNext({ project, tools }, folder, { config, build = [], standalone = false }) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(tools, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  cpSync(join(project, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  cpSync(APP, folder, { recursive: true });
  writeFileSync(join(folder, 'next.config.mjs'), config);
  const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
  const environment = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  const told = run(process.execPath, [next, 'build', ...build], folder, environment);
  const warnings = told.split('\n').filter((line) => /warn|can't resolve/i.test(line));
  const port = await freePort();
  const alone = `${folder}-alone`;
  if (standalone) cpSync(join(folder, '.next', 'standalone'), alone, { recursive: true, verbatimSymlinks: true });
  const start = standalone ? ['server.js'] : [next, 'start', '-p', String(port), '-H', '127.0.0.1'];
  const server = spawn(process.execPath, start, {
    cwd: standalone ? alone : folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment, COLKIT_BACKEND: 'auto', PORT: String(port), HOSTNAME: '127.0.0.1' },
  });
  let complaints = '';
  server.stderr.on('data', (text) => (complaints += text));
  try {
    const address = `http://127.0.0.1:${port}`;
    const route = await asked(`${address}/api/answer`, server);
    const page = /<pre>(.*?)<\/pre>/.exec(await asked(`${address}/`, server))?.[1]?.replaceAll('&quot;', '"');
    return { route: parsed(route), page: parsed(page), warnings, complaints: complaints.slice(0, 1500) };
  } finally {
    server.kill();
  }
}

async function asked(address, server) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await (await fetch(address)).text();
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return String(text).slice(0, 500);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
