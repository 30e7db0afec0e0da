// What is there to build the native addon with. `COLKIT_TOOLCHAIN=none` in the environment plays a machine without a compiler.
import { spawnSync } from 'node:child_process';

/** The first line of a tool's version, or null where it cannot be run. */
function version(command, parameters) {
  const { status, stdout } = spawnSync(command, parameters, { encoding: 'utf8', shell: process.platform === 'win32' });
  return status === 0 ? stdout.split('\n', 1)[0].trim() : null;
}

/** `missing` names what is absent; `fingerprint` changes when the tools do, so that no cached build outlives its compiler. */
export function describeToolchain() {
  if (process.env.COLKIT_TOOLCHAIN === 'none') return { missing: ['a C++ compiler', 'cmake'], fingerprint: 'none' };
  const compilers = process.env.CXX === undefined ? ['c++', 'g++', 'clang++'] : [process.env.CXX];
  const compiler = process.platform === 'win32' ? 'msvc (found by cmake)' : compilers.map((name) => version(name, ['--version'])).find((found) => found !== null) ?? null;
  const cmake = version('cmake', ['--version']);
  const missing = [...(compiler === null ? ['a C++ compiler'] : []), ...(cmake === null ? ['cmake'] : [])];
  return { missing, fingerprint: missing.length > 0 ? 'none' : `${process.platform}-${process.arch} ${compiler} ${cmake}` };
}
