#!/usr/bin/env node
// Runs the kernels' own tests and the suites of native and colstore on a platform that is emulated here:
// `pnpm try-suites PLATFORM [kernels|native|colstore …] [FILE …]`, all three without names, of suites all files.
// platform-runners.mjs says how Node for it is run. The kernels' tests are cross-compiled; of the suites, vitest itself
// runs on this machine, and every process that it starts, with those that tests start, is Node for that platform with
// its prebuilt binary (`pnpm prebuild PLATFORM` first). Exits with 1 where something fails.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PLATFORMS } from '../../../native/platforms.js';
import { chosenPlatforms, runnerOf, variableOf } from './platform-runners.mjs';
import { NATIVE, buildKernelTests, installZig } from './zig-build.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SUITES = { native: NATIVE, colstore: join(ROOT, 'packages', 'colstore') };
/** Emulated processors are slow. */
const TEST_TIMEOUT_MS = 900_000;

const [platform, ...words] = process.argv.slice(2);
const chosen = words.filter((word) => word === 'kernels' || Object.hasOwn(SUITES, word));
const files = words.filter((word) => !chosen.includes(word));
if (platform === undefined) {
  console.error('usage: try-suites PLATFORM [kernels|native|colstore …] [FILE …]');
  process.exit(2);
}
chosenPlatforms([platform]);
const runner = runnerOf(platform);
if (runner === null) {
  console.error(`how Node for ${platform} is run is not told: ${variableOf(platform)} is not set`);
  process.exit(2);
}
const wanted = (name) => chosen.length === 0 || chosen.includes(name);

const work = mkdtempSync(join(tmpdir(), 'colkit-suites-'));
try {
  if (wanted('kernels')) kernels();
  for (const [name, folder] of Object.entries(SUITES)) if (wanted(name)) suite(name, folder);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function kernels() {
  const folder = buildKernelTests(installZig(), platform, PLATFORMS[platform], runner.slice(0, -1));
  report('kernels', spawnSync('ctest', ['--test-dir', folder, '--output-on-failure'], { stdio: 'inherit' }).status);
}

function suite(name, folder) {
  if (!existsSync(join(NATIVE, 'platforms', platform, 'colkit_native.node')))
    throw new Error(`no binary here: pnpm prebuild ${platform}`);
  const node = join(work, 'node');
  // Tests that bundle do so by this machine's esbuild.
  const variables = `COLKIT_EMULATED=1 ESBUILD_BINARY_PATH='${esbuildBinary()}'`;
  writeFileSync(node, `#!/bin/sh\n${variables} exec ${runner.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(node, 0o755);
  // Read by every process before its program: what it starts as Node is the other platform's. Which processor it has
  // met is told, so that nothing passes that ran here.
  const preload = join(work, 'preload.mjs');
  const met = join(work, `met-${name}`);
  writeFileSync(
    preload,
    `import { writeFileSync } from 'node:fs';
process.execPath = ${JSON.stringify(node)};
if (process.env.COLKIT_EMULATED) writeFileSync(${JSON.stringify(met)}, process.arch);\n`,
  );
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const parameters = [
    'run',
    ...files,
    '--pool=forks',
    `--testTimeout=${TEST_TIMEOUT_MS}`,
    `--hookTimeout=${TEST_TIMEOUT_MS}`,
    ...(name === 'native' ? [] : ['--project', 'native']),
  ];
  const env = {
    ...process.env,
    NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
    COLKIT_REQUIRE_NATIVE: '1',
  };
  const { status } = spawnSync(process.execPath, [vitest, ...parameters], { cwd: folder, env, stdio: 'inherit' });
  const ran = existsSync(met) && readFileSync(met, 'utf8') === PLATFORMS[platform].cpu;
  if (!ran) console.error(`the tests did not run on ${PLATFORMS[platform].cpu}`);
  report(name, ran ? status : 1);
}

function esbuildBinary() {
  const esbuild = createRequire(join(NATIVE, 'package.json')).resolve('esbuild/package.json');
  return createRequire(esbuild).resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`);
}

function report(name, status) {
  console.log(`${platform}: ${name}: ${status === 0 ? 'passed' : 'FAILED'}`);
  if (status !== 0) process.exitCode = 1;
}
