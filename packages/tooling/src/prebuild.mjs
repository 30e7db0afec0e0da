#!/usr/bin/env node
// Cross-compiles the addon for the platforms that are published: `pnpm prebuild [PLATFORM …]`, all of them without
// names. The compiler is zig (a pinned wheel from PyPI, in a virtual environment under .cache): one for every system,
// with old C libraries to link against, so that the binary loads on older systems too. Minutes a platform the first
// time.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLATFORMS, packageOf } from '../../../native/platforms.js';

const NATIVE = fileURLToPath(new URL('../../../native/', import.meta.url));
const CACHE = join(NATIVE, '.cache', 'prebuild');
const ZIG = 'ziglang==0.17.1';
const LARGEST_BINARY = 700_000;
/** Without a number it would be as many as there are sources. */
const JOBS = process.env.CMAKE_BUILD_PARALLEL_LEVEL ?? String(availableParallelism());
/** Node-API's headers are dependencies of the addon. */
const require = createRequire(join(NATIVE, 'package.json'));

const names = process.argv.slice(2);
const unknown = names.filter((name) => PLATFORMS[name] === undefined);
if (unknown.length > 0) {
  console.error(`unknown platform ${unknown.join(', ')}; known: ${Object.keys(PLATFORMS).join(', ')}`);
  process.exit(2);
}

const zig = installZig();
for (const name of names.length > 0 ? names : Object.keys(PLATFORMS)) {
  const binary = compile(name, PLATFORMS[name]);
  const { size } = statSync(binary);
  if (size > LARGEST_BINARY) throw new Error(`${binary}: ${size} bytes, at most ${LARGEST_BINARY}`);
  console.log(`${packageOf(name)}: ${binary}, ${size} bytes`);
}

/** The interpreter that runs zig: `python -m ziglang`. */
function installZig() {
  const python = join(CACHE, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  if (!existsSync(python)) run('python3', ['-m', 'venv', join(CACHE, 'venv')]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ZIG]);
  return python;
}

function compile(name, platform) {
  const work = join(CACHE, name);
  mkdirSync(work, { recursive: true });
  // CMake wants one program for each tool.
  const tools = {
    CMAKE_CXX_COMPILER: tool(work, 'c++', ['c++', '-target', platform.zig]),
    CMAKE_AR: tool(work, 'ar', ['ar']),
    CMAKE_RANLIB: tool(work, 'ranlib', ['ranlib']),
  };
  const definitions = {
    ...tools,
    CMAKE_BUILD_TYPE: 'Release',
    CMAKE_SYSTEM_NAME: platform.cmake,
    CMAKE_SYSTEM_PROCESSOR: platform.cpu,
    // Cross compilers cannot run what they link.
    CMAKE_TRY_COMPILE_TARGET_TYPE: 'STATIC_LIBRARY',
    CMAKE_JS_INC: [
      require('node-api-headers').include_dir,
      dirname(require.resolve('node-addon-api/package.json')),
    ].join(';'),
    CMAKE_JS_LIB: platform.os === 'win32' ? importLibrary(work, platform) : '',
    // What Node brings is resolved when it loads the addon.
    CMAKE_SHARED_LINKER_FLAGS:
      platform.os === 'darwin' ? '-Wl,-undefined,dynamic_lookup -Wl,-dead_strip -Wl,-x -s' : '-s',
  };
  run('cmake', [
    '-S',
    NATIVE,
    '-B',
    join(work, 'build'),
    ...Object.entries(definitions).map(([key, value]) => `-D${key}=${value}`),
  ]);
  run('cmake', ['--build', join(work, 'build'), '--parallel', JOBS, '--target', 'colkit_native']);
  const binary = join(NATIVE, 'platforms', name, 'colkit_native.node');
  copyFileSync(join(work, 'build', 'colkit_native.node'), binary);
  return binary;
}

/** A program that runs one of zig's. */
function tool(work, name, parameters) {
  const path = join(work, name);
  writeFileSync(path, `#!/bin/sh\nexec "${zig}" -m ziglang ${parameters.join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** What Windows links against in place of Node itself: made of the names that Node-API's headers list. */
function importLibrary(work, { cpu }) {
  const { def_paths: definitions } = require('node-api-headers');
  const names = Object.values(definitions).flatMap((path) => readFileSync(path, 'utf8').split(/\r?\n/).slice(2));
  const definition = join(work, 'node.def');
  const library = join(work, 'node.lib');
  writeFileSync(
    definition,
    `NAME node.exe\nEXPORTS\n${[...new Set(names)].filter((line) => line !== '').join('\n')}\n`,
  );
  run(zig, [
    '-m',
    'ziglang',
    'dlltool',
    '-m',
    cpu === 'x64' ? 'i386:x86-64' : 'arm64',
    '-D',
    'node.exe',
    '-d',
    definition,
    '-l',
    library,
  ]);
  return library;
}

function run(command, parameters) {
  try {
    execFileSync(command, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
  } catch (error) {
    throw new Error(`${command} ${parameters.join(' ')}:\n${error.stdout ?? ''}${error.stderr ?? error.message}`);
  }
}
