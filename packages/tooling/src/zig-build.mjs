// One cross compiler for every platform: zig, a pinned wheel from PyPI, in a virtual environment under native/.cache.
// Configures and builds native's CMake project for one of them.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const NATIVE = fileURLToPath(new URL('../../../native/', import.meta.url));
const CACHE = join(NATIVE, '.cache', 'prebuild');
const ZIG = 'ziglang==0.17.1';
/** Without a number it would be as many as there are sources. */
const JOBS = process.env.CMAKE_BUILD_PARALLEL_LEVEL ?? String(availableParallelism());
/** Node-API's headers are dependencies of the addon. */
const require = createRequire(join(NATIVE, 'package.json'));

/** The interpreter that runs zig: `python -m ziglang`. */
export function installZig() {
  const python = join(CACHE, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  if (!existsSync(python)) run('python3', ['-m', 'venv', join(CACHE, 'venv')]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ZIG]);
  return python;
}

/** The addon for a platform: the path of the binary. */
export function buildAddon(zig, name, platform) {
  const work = join(CACHE, name);
  const folder = build(zig, work, platform, 'build', ['--target', 'colkit_native'], {
    CMAKE_JS_INC: [
      require('node-api-headers').include_dir,
      dirname(require.resolve('node-addon-api/package.json')),
    ].join(';'),
    CMAKE_JS_LIB: platform.os === 'win32' ? importLibrary(zig, work, platform) : '',
    // What Node brings is resolved when it loads the addon.
    CMAKE_SHARED_LINKER_FLAGS:
      platform.os === 'darwin' ? '-Wl,-undefined,dynamic_lookup -Wl,-dead_strip -Wl,-x -s' : '-s',
  });
  return join(folder, 'colkit_native.node');
}

/**
 * The kernels' own tests for a platform, to be run by `ctest` in the folder that is returned.
 * @param emulator the words of the command that runs a program of that platform here.
 */
export function buildKernelTests(zig, name, platform, emulator) {
  return build(zig, join(CACHE, name), platform, 'kernel-tests', [], {
    COLKIT_TESTS: 'ON',
    CMAKE_CROSSCOMPILING_EMULATOR: emulator.join(';'),
    CMAKE_EXE_LINKER_FLAGS: '-s',
  });
}

function build(zig, work, platform, subfolder, parameters, more) {
  mkdirSync(work, { recursive: true });
  const definitions = {
    // CMake wants one program for each tool.
    CMAKE_CXX_COMPILER: tool(zig, work, 'c++', ['c++', '-target', platform.zig]),
    CMAKE_AR: tool(zig, work, 'ar', ['ar']),
    CMAKE_RANLIB: tool(zig, work, 'ranlib', ['ranlib']),
    CMAKE_BUILD_TYPE: 'Release',
    CMAKE_SYSTEM_NAME: platform.cmake,
    CMAKE_SYSTEM_PROCESSOR: platform.cpu,
    // Cross compilers cannot run what they link.
    CMAKE_TRY_COMPILE_TARGET_TYPE: 'STATIC_LIBRARY',
    ...more,
  };
  const folder = join(work, subfolder);
  run('cmake', ['-S', NATIVE, '-B', folder, ...Object.entries(definitions).map(([key, value]) => `-D${key}=${value}`)]);
  run('cmake', ['--build', folder, '--parallel', JOBS, ...parameters]);
  return folder;
}

/** A program that runs one of zig's. */
function tool(zig, work, name, parameters) {
  const path = join(work, name);
  writeFileSync(path, `#!/bin/sh\nexec "${zig}" -m ziglang ${parameters.join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** What Windows links against in place of Node itself: made of the names that Node-API's headers list. */
function importLibrary(zig, work, { cpu }) {
  mkdirSync(work, { recursive: true });
  const { def_paths: definitions } = require('node-api-headers');
  const names = Object.values(definitions).flatMap((path) => readFileSync(path, 'utf8').split(/\r?\n/).slice(2));
  const definition = join(work, 'node.def');
  const library = join(work, 'node.lib');
  const machine = cpu === 'x64' ? 'i386:x86-64' : 'arm64';
  const exports = [...new Set(names)].filter((line) => line !== '');
  writeFileSync(definition, `NAME node.exe\nEXPORTS\n${exports.join('\n')}\n`);
  run(zig, ['-m', 'ziglang', 'dlltool', '-m', machine, '-D', 'node.exe', '-d', definition, '-l', library]);
  return library;
}

function run(command, parameters) {
  try {
    execFileSync(command, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
  } catch (error) {
    throw new Error(`${command} ${parameters.join(' ')}:\n${error.stdout ?? ''}${error.stderr ?? error.message}`);
  }
}
