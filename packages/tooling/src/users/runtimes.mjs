#!/usr/bin/env node
// `npm run test:runtimes [name …]`: other runtimes run the packages as npm brings them: one program over all formats,
// one that keeps threads at work, and the lines of each README; with the addon, without it, and with the addon under
// Electron's rule, which forbids buffers over foreign memory. Runtimes come from the npm registry, pinned. Exits with 1
// where one does not work.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, manifestOf, publishedFolders } from '../published.mjs';
import { installProject, installTools } from './installed.mjs';

const TIMEOUT_MS = 120_000;
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
/** What docs/where-it-runs.md says of permissions. */
const DENO = [
  'run',
  ...['read', 'env', 'write', 'sys', 'ffi'].map((what) => `--allow-${what}`),
  '--no-prompt',
  '--quiet',
];
/** Name -> what is installed, its program, and how it is called. */
const RUNTIMES = [
  { name: 'Node 20', packages: { [NODE]: '20.19.0' }, bin: `${NODE}/bin/node` },
  { name: 'Node 22', packages: { [NODE]: '22' }, bin: `${NODE}/bin/node` },
  { name: 'Node 24', packages: { [NODE]: '24' }, bin: `${NODE}/bin/node` },
  { name: 'Bun', packages: { bun: '1.4.5' }, bin: '.bin/bun' },
  { name: 'Deno', packages: { deno: '2.9.6' }, bin: '.bin/deno', parameters: DENO },
];
const WAYS = [
  { way: 'with the addon', env: { COLKIT_BACKEND: 'native' }, backend: 'native', view: 1 },
  { way: 'without the addon', env: { COLKIT_BACKEND: 'js' }, backend: 'js', view: 'ERR_NOT_MAPPED' },
  {
    way: "with the addon, under Electron's rule",
    env: { COLKIT_BACKEND: 'native', COLKIT_NO_EXTERNAL_BUFFERS: '1' },
    backend: 'native',
    view: 'ERR_NOT_MAPPED',
  },
];

const chosen = process.argv.slice(2).map((name) => name.toLowerCase());
const work = mkdtempSync(join(tmpdir(), 'colkit-runtimes-'));
let failed = 0;
try {
  const hasAddon = installProject(work, peers());
  if (!hasAddon) console.log('no addon here: not tried with it');
  for (const program of ['program.mjs', 'threads.mjs'])
    copyFileSync(fileURLToPath(new URL(`../../users/${program}`, import.meta.url)), join(work, program));
  for (const runtime of RUNTIMES) {
    if (chosen.length > 0 && !chosen.some((part) => runtime.name.toLowerCase().includes(part))) continue;
    const tools = installTools(`runtime-${runtime.name.toLowerCase().replace(' ', '-')}`, runtime.packages);
    const command = join(tools, 'node_modules', runtime.bin);
    for (const way of WAYS) {
      if (way.backend === 'native' && !hasAddon) continue;
      tryRuntime(runtime, command, way);
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/** READMEs show what the optional peers are for. */
function peers() {
  const named = publishedFolders().flatMap((folder) => Object.entries(manifestOf(folder).peerDependencies ?? {}));
  return [...new Map(named)].map(([name, versions]) => `${name}@${versions}`);
}

function tryRuntime({ name, parameters = [] }, command, { way, env, backend, view }) {
  const call = (script, cwd) =>
    spawnSync(command, [...parameters, script], {
      cwd,
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      env: { ...process.env, NODE_PATH: '', NODE_NO_WARNINGS: '1', ...env },
    });
  const { stdout, stderr } = call(join(work, 'program.mjs'), work);
  let found;
  try {
    found = JSON.parse(stdout.trim().split('\n').at(-1));
  } catch {
    found = { error: (stdout + stderr).slice(-1500) };
  }
  const right =
    found.backend === backend && found.view === view && found.same === true && found.byWorkers === found.loaded;
  const wrong = right ? [] : [`the program: ${JSON.stringify(found)}`];
  const threads = call(join(work, 'threads.mjs'), work);
  if (threads.stdout.trim() !== '{"written":true,"imported":true}')
    wrong.push(`by threads: ${(threads.stdout + threads.stderr).slice(-300)}`);
  let count = 0;
  for (const folder of publishedFolders()) {
    const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    const place = join(work, 'readme', `${name}-${way}-${manifestOf(folder).name}`.replaceAll(/\W+/g, '-'));
    mkdirSync(place, { recursive: true });
    for (const [index, [, code]] of [...readme.matchAll(/^```js\n([^]*?)^```$/gm)].entries()) {
      const script = join(place, `readme-${index}.mjs`);
      writeFileSync(script, code);
      const { status, stderr: complaint, stdout: told } = call(script, place);
      count++;
      if (status !== 0)
        wrong.push(`${manifestOf(folder).name}, snippet ${index}: ${(told + complaint).trim().slice(0, 300)}`);
    }
  }
  if (wrong.length > 0) failed++;
  console.log(`${name}, ${way}: ${wrong.length === 0 ? `works, ${count} snippets of READMEs run` : 'WRONG'}`);
  for (const line of wrong) console.log(`  ${line}`);
}
