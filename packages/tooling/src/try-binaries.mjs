#!/usr/bin/env node
// Runs the prebuilt binaries: `node packages/tooling/src/try-binaries.mjs [platform …]`, all that are there without
// names. One bundle, with the addon beside it and nothing else, makes files of all formats and reads them in many ways,
// with the addon and without it; its digest is the same everywhere. platform-runners.mjs says how Node for another
// platform is run; one of which nobody told is named and passed over. Exits with 1 where a binary does not load or
// gives something else.
import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformName } from '../../../native/platform.js';
import { chosenPlatforms, runnerOf, variableOf } from './platform-runners.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TIMEOUT_MS = 30 * 60_000;
const esbuild = createRequire(join(ROOT, 'native', 'package.json'))('esbuild');

const names = chosenPlatforms(process.argv.slice(2));

const work = mkdtempSync(join(tmpdir(), 'colkit-try-'));
try {
  const program = bundle();
  const expected = runOn(platformName(), program, 'js');
  if (expected.digest === undefined) throw new Error(expected.error);
  console.log(`${platformName()}: in TypeScript, Node ${expected.node}, digest ${expected.digest.slice(0, 12)}`);
  for (const platform of names) tryOn(platform, program, expected.digest);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function bundle() {
  const outfile = join(work, 'check.mjs');
  esbuild.buildSync({
    entryPoints: [join(ROOT, 'packages', 'tooling', 'platform-check', 'check.mjs')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias: Object.fromEntries(
      ['colstore', 'columna', 'syrah'].map((name) => [name, join(ROOT, 'packages', name, 'dist', 'index.js')]),
    ),
    external: ['apache-arrow', 'hyparquet', 'hyparquet-compressors', 'hyparquet-writer'],
    logLevel: 'error',
  });
  return outfile;
}

function tryOn(platform, program, digest) {
  const binary = join(ROOT, 'native', 'platforms', platform, 'colkit_native.node');
  if (!existsSync(binary)) return console.log(`${platform}: no binary here`);
  if (runnerOf(platform) === null) return console.log(`${platform}: not run, ${variableOf(platform)} is not set`);
  copyFileSync(binary, join(work, 'colkit_native.node'));
  for (const backend of ['native', 'js']) {
    const found = runOn(platform, program, backend);
    const right = found.backend === backend && found.digest === digest;
    if (!right) process.exitCode = 1;
    console.log(
      `${platform}: ${backend}, ${found.platform} Node ${found.node}, ` +
        `${right ? 'the same files and answers' : `WRONG: ${JSON.stringify(found)}`}`,
    );
  }
}

/** What the bundle found, told in a file. */
function runOn(platform, program, backend) {
  const [command, ...parameters] = runnerOf(platform);
  const result = join(work, 'result.json');
  rmSync(result, { force: true });
  // Files in place of pipes: under Wine, Node cannot write to pipes of the system below.
  const said = join(work, 'said.txt');
  const output = openSync(said, 'w');
  const run = spawnSync(command, [...parameters, program, result], {
    timeout: TIMEOUT_MS,
    stdio: ['ignore', output, output],
    env: { ...process.env, COLKIT_BACKEND: backend, NODE_SKIP_PLATFORM_CHECK: '1', WINEDEBUG: '-all' },
  });
  closeSync(output);
  if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8'));
  const how = run.error ?? `exit ${run.status} ${run.signal ?? ''}\n${readFileSync(said, 'utf8')}`;
  return { error: `nothing was found out: ${how}` };
}
