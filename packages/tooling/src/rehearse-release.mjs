#!/usr/bin/env node
// Rehearses a release: `pnpm release:rehearse`. Publishes every package to a registry on this machine (verdaccio, which
// asks the configured registry for what is not ours), then, in an empty folder for each format that knows no other
// registry, installs it as a user would, runs the lines of its README with the addon, and shows what was installed.
// Exits with 1 on the first failure. `pnpm prebuild` first brings the binaries of the other platforms; those that are
// not there are left out, and said so.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformName } from '../../../native/platform.js';
import { packageOf } from '../../../native/platforms.js';
import { PNPM, ROOT, binaryFolders, manifestOf, publishedFolders, run } from './published.mjs';

/** One of its dependencies asks for node-fetch by a tag that not every registry has. */
const REGISTRY = { dependencies: { verdaccio: '6.7.4' }, overrides: { 'node-fetch': '2.7.0' } };
const CACHE = fileURLToPath(new URL('../.cache/verdaccio', import.meta.url));
/** What users name in `npm install`. */
const INSTALLED = ['colstore', 'columna', 'syrah'];
const START_TIMEOUT_MS = 120_000;

const work = mkdtempSync(join(tmpdir(), 'colkit-release-'));
let server = null;
try {
  const registry = await startRegistry();
  publishAll(registry);
  for (const name of INSTALLED) installAsUser(name, registry);
  console.log('release rehearsal: passed');
} finally {
  server?.kill();
  rmSync(work, { recursive: true, force: true });
}

/** Starts verdaccio with an empty storage; its address. */
async function startRegistry() {
  const port = await freePort();
  const uplink = run('npm', ['config', 'get', 'registry'], ROOT).trim();
  const ours = "{ access: '$all', publish: '$all' }";
  const config = join(work, 'verdaccio.yaml');
  writeFileSync(
    config,
    [
      `storage: ${join(work, 'storage')}`,
      `uplinks: { public: { url: '${uplink}', maxage: 60m, timeout: 60s } }`,
      'packages:',
      ...['@colkit/*', 'colkit', ...INSTALLED].map((name) => `  '${name}': ${ours}`),
      "  '**': { access: '$all', proxy: public }",
      'log: { type: stdout, level: warn }',
      '',
    ].join('\n'),
  );
  const program = installVerdaccio();
  server = spawn(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    cwd: work,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const address = `http://127.0.0.1:${port}/`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(address))) {
    if (server.exitCode !== null || Date.now() > deadline) throw new Error('verdaccio does not start');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return address;
}

/** Its program; installed once, under .cache. */
function installVerdaccio() {
  const program = join(CACHE, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const manifest = JSON.stringify({ private: true, ...REGISTRY });
  const file = join(CACHE, 'package.json');
  if (existsSync(program) && readFileSync(file, 'utf8') === manifest) return program;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(file, manifest);
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], CACHE);
  return program;
}

/** Everything that is not private, with the binaries that are there. */
function publishAll(registry) {
  const npmrc = join(work, 'npmrc');
  // Any token does: everybody may publish there.
  writeFileSync(npmrc, `registry=${registry}\n${registry.replace('http:', '')}:_authToken=rehearsal\n`);
  const { built, missing } = binaryFolders();
  for (const folder of missing)
    console.log(`  ${manifestOf(folder).name}: not published, its binary is not built here (pnpm prebuild)`);
  const options = ['--no-git-checks', '--access', 'public', '--registry', registry];
  for (const folder of [...built, ...publishedFolders()]) {
    run('npx', ['--yes', PNPM, 'publish', ...options], join(ROOT, folder), { NPM_CONFIG_USERCONFIG: npmrc });
    console.log(`  ${manifestOf(folder).name}: published`);
  }
}

function installAsUser(name, registry) {
  const folder = join(work, 'users', name);
  mkdirSync(folder, { recursive: true });
  const environment = { NPM_CONFIG_REGISTRY: registry, NPM_CONFIG_USERCONFIG: join(work, 'none') };
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['init', '--yes'], folder, environment);
  run('npm', ['install', name, ...quiet], folder, environment);
  const binaries = readdirSync(join(folder, 'node_modules', '@colkit')).filter((entry) => entry.startsWith('native-'));
  if (binaries.join() !== packageOf(platformName()).replace('@colkit/', ''))
    throw new Error(`npm install ${name}: brings the binaries [${binaries.join()}], not that of ${platformName()}`);
  console.log(run('npm', ['ls', '--all'], folder, environment).trim());
  const size = run('du', ['-sk', join(folder, 'node_modules')], folder).split('\t')[0];
  console.log(`  npm install ${name}: ${size} kB on disk`);

  writeFileSync(
    join(folder, 'backend.mjs'),
    `import { backendInfo } from '${name}';\nconst info = backendInfo();\nif (info.backend !== 'native') throw ` +
      `new Error(info.reason);\nconsole.log(info.reason);\n`,
  );
  console.log(`  ${run(process.execPath, ['backend.mjs'], folder, environment).trim()}`);
  // The README shows what the optional peers are for.
  const installed = join(folder, 'node_modules', name);
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const peers = Object.entries(peerDependencies).map(([peer, versions]) => `${peer}@${versions}`);
  if (peers.length > 0) run('npm', ['install', ...peers, ...quiet], folder, environment);
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const snippets = [...readme.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
  if (snippets.length === 0) throw new Error(`${name}: its README has no lines to run`);
  for (const [index, code] of snippets.entries()) {
    writeFileSync(join(folder, `readme-${index}.mjs`), code);
    run(process.execPath, [`readme-${index}.mjs`], folder, environment);
  }
  console.log(`  ${name}: ${snippets.length} snippets of its README run`);
}

async function answers(address) {
  return fetch(`${address}-/ping`).then(
    (response) => response.ok,
    () => false,
  );
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
