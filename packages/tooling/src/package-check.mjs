// What npm users get, checked: every published package is packed, linted (publint, are-the-types-wrong), and installed
// from its tarball into an empty folder outside the workspace, without install scripts, where plain Node imports and
// requires it and runs its example, with the binary of this platform alone; and TypeScript compiles a user's program.
// Prints one line a check; exits with 1 on the first failure.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeToolchain } from '../../../native/bin/toolchain.js';
import { platformName } from '../../../native/platform.js';
import { PLATFORMS, packageOf } from '../../../native/platforms.js';
import { PNPM, ROOT, manifestOf, publishedFolders, run } from './published.mjs';
import { compileForUsers } from './typescript-users.mjs';

const TOOLS = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
const LARGEST_NATIVE_TARBALL = 272 * 1024;
const LARGEST_BINARY = 700_000;
const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url));

const work = mkdtempSync(join(tmpdir(), 'colkit-pack-'));
try {
  const packages = publishedFolders();
  const tarballs = packages.map((folder) => pack(folder));
  for (const { name, tarball, unpacked } of tarballs) lint(name, tarball, unpacked);
  installAndRun(tarballs, packPlatforms());
  compileForUsers(join(work, 'install', 'colkit'), process.argv.includes('--all-typescripts'));
  buildAsTold();
  console.log(`package check: ${packages.length} packages passed`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function pack(folder) {
  const { name } = manifestOf(folder);
  const destination = join(work, 'tarballs', name.replace('/', '-'));
  mkdirSync(destination, { recursive: true });
  run('npx', ['--yes', PNPM, 'pack', '--pack-destination', destination], join(ROOT, folder));
  const tarball = join(destination, readdirSync(destination)[0]);
  const unpacked = join(work, 'unpacked', name.replace('/', '-'));
  mkdirSync(unpacked, { recursive: true });
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked], work);
  return { name, tarball, unpacked };
}

function lint(name, tarball, unpacked) {
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const scripts = ['preinstall', 'install', 'postinstall'].filter((script) => manifest.scripts?.[script] !== undefined);
  if (scripts.length > 0) fail(`${name}: has an install script (${scripts.join(', ')})`);
  if (existsSync(join(unpacked, 'binding.gyp'))) fail(`${name}: ships binding.gyp, which npm builds on install`);
  if (JSON.stringify(manifest).includes('workspace:')) fail(`${name}: its manifest still says workspace:`);
  for (const file of ['README.md', 'LICENSE'])
    if (!existsSync(join(unpacked, file))) fail(`${name}: ${file} is missing from the tarball`);
  if (name === '@colkit/native') {
    if (statSync(tarball).size > LARGEST_NATIVE_TARBALL)
      fail(`${name}: the tarball is larger than ${LARGEST_NATIVE_TARBALL / 1024} KiB`);
    if (!existsSync(join(unpacked, 'CMakeLists.txt')) || !existsSync(join(unpacked, 'src')))
      fail(`${name}: its sources are missing`);
    const { optionalDependencies = {} } = manifest;
    for (const platform of Object.keys(PLATFORMS))
      if (optionalDependencies[packageOf(platform)] !== manifest.version)
        fail(`${name}: does not depend on ${packageOf(platform)}`);
  }
  run(join(TOOLS, 'publint'), ['run', unpacked, '--strict', '--pack', 'false'], ROOT);
  run(join(TOOLS, 'attw'), [tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii'], ROOT);
  console.log(`  ${name}: tarball, publint, types`);
}

/**
 * The packages of the platforms, by name: all of them, for npm to choose from, though only this platform's was built.
 */
function packPlatforms() {
  const destination = join(work, 'tarballs', 'platforms');
  mkdirSync(destination, { recursive: true });
  run(
    'npx',
    ['--yes', PNPM, '--recursive', '--filter', './native/platforms/*', 'pack', '--pack-destination', destination],
    ROOT,
  );
  const own = join(ROOT, 'native', 'platforms', platformName());
  const binary = join(own, 'colkit_native.node');
  if (existsSync(binary)) {
    if (statSync(binary).size > LARGEST_BINARY) fail(`${binary}: larger than ${LARGEST_BINARY} bytes`);
    run(join(TOOLS, 'publint'), ['run', own, '--strict', '--pack', 'false'], ROOT);
  }
  return Object.fromEntries(
    Object.entries(PLATFORMS).map(([platform, { os, cpu, libc }]) => {
      const manifest = manifestOf(`native/platforms/${platform}`);
      const says = JSON.stringify([manifest.name, manifest.os, manifest.cpu, manifest.libc]);
      const expected = JSON.stringify([packageOf(platform), [os], [cpu], libc === undefined ? undefined : [libc]]);
      if (says !== expected) fail(`native/platforms/${platform}: its manifest says ${says}, not ${expected}`);
      return [
        manifest.name,
        `file:${join(destination, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`)}`,
      ];
    }),
  );
}

/**
 * Each package in an empty folder of its own, with what it depends on and nothing else: a user of one installs only
 * that one.
 */
function installAndRun(tarballs, platforms) {
  for (const { name } of tarballs) {
    const folder = join(work, 'install', name.replace('/', '-'));
    mkdirSync(folder, { recursive: true });
    // Unpublished dependencies come from their tarballs; npm wants an override of a direct dependency to repeat it.
    const dependencies = Object.fromEntries(
      withDependencies(name, tarballs).map((other) => [other.name, `file:${other.tarball}`]),
    );
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({
        name: 'user',
        version: '1.0.0',
        private: true,
        dependencies,
        overrides: { ...dependencies, ...platforms },
      }),
    );
    run(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
      folder,
    );
    const example = readFileSync(join(EXAMPLES, `${name.replace('@colkit/', '')}.mjs`), 'utf8');
    const binaries = readdirSync(join(folder, 'node_modules', '@colkit')).filter((name) => name.startsWith('native-'));
    if (binaries.join() !== `native-${platformName()}`)
      fail(`${name}: brings the binaries ${binaries.join()}, not that of ${platformName()} alone`);
    for (const [backend, extra] of [
      ['auto', {}],
      ['js', { COLKIT_BACKEND: 'js' }],
    ]) {
      for (const [flavour, loader] of [
        ['import', 'mjs'],
        ['require', 'cjs'],
      ]) {
        const load =
          flavour === 'import' ? `import * as library from '${name}';` : `const library = require('${name}');`;
        writeFileSync(join(folder, `run.${loader}`), `${load}\n${example}`);
        const printed = run(process.execPath, [`run.${loader}`], folder, extra);
        const used = /backend (native|js)/.exec(printed)?.[1];
        const expected = backend === 'js' || describeToolchain().missing.length > 0 ? 'js' : 'native';
        if (used !== expected)
          fail(`${name}: by ${flavour} it ran with the backend ${used}, not ${expected}:\n${printed}`);
      }
    }
    console.log(
      `  ${name}: installed alone from its tarball, runs by import and by require, with and without the addon`,
    );
  }
}

/** Where no binary was installed, the reason names a command, which is typed: it builds one that is found. */
function buildAsTold() {
  const folder = join(work, 'install', 'colstore');
  const scope = join(folder, 'node_modules', '@colkit');
  rmSync(join(scope, `native-${platformName()}`), { recursive: true });
  const info = () => run('npx', ['colkit-native', 'info'], folder);
  const reason = /^reason: +(.*)$/m.exec(info())?.[1] ?? '';
  const words = /`(node) "(.*)" (build)` builds it here$/.exec(reason)?.slice(1);
  if (words === undefined) fail(`colkit-native info names no command: ${reason}`);
  if (describeToolchain().missing.length > 0) return;
  const built = run(words[0], words.slice(1), folder);
  const found = info();
  if (!built.startsWith('built ') || !found.includes(`found:    ${join(scope, 'native', 'build')}`))
    fail(`${words.join(' ')} built nothing that is found:\n${built}${found}`);
  const printed = run(process.execPath, ['run.mjs'], folder);
  if (!printed.includes('backend native')) fail(`what \`${words.join(' ')}\` built is not used:\n${printed}`);
  console.log(`  @colkit/native: \`${words.join(' ')}\` builds an addon that is found and used`);
}

/** A package and those of the workspace that it needs. */
function withDependencies(name, tarballs) {
  const found = tarballs.find((other) => other.name === name);
  const { dependencies = {} } = JSON.parse(readFileSync(join(found.unpacked, 'package.json'), 'utf8'));
  const needed = Object.keys(dependencies).filter((other) => tarballs.some((tarball) => tarball.name === other));
  return [...new Set([found, ...needed.flatMap((other) => withDependencies(other, tarballs))])];
}

function fail(message) {
  throw new Error(message);
}
