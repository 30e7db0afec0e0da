// What there is on this machine to build the addon with. `COLKIT_TOOLCHAIN=none` in the environment plays a machine
// without a compiler.
import { spawnSync } from 'node:child_process';

/** The first line of what `command --version` prints, or null where it cannot be run. */
function versionOf(command) {
  const { status, stdout } = spawnSync(command, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return status === 0 ? stdout.split('\n', 1)[0].trim() : null;
}

/** `missing` names what is absent, in words; `tools` tells one set of tools from another. */
export function describeToolchain() {
  if (process.env.COLKIT_TOOLCHAIN === 'none') return { missing: ['a C++ compiler', 'cmake'], tools: 'none' };
  const compilers = process.env.CXX ? [process.env.CXX] : ['c++', 'g++', 'clang++'];
  // On Windows cmake finds the compiler of Visual Studio by itself, wherever it is.
  const compiler =
    process.platform === 'win32'
      ? 'found by cmake'
      : (compilers.map(versionOf).find((found) => found !== null) ?? null);
  const cmake = versionOf('cmake');
  const missing = [];
  if (compiler === null) missing.push('a C++ compiler');
  if (cmake === null) missing.push('cmake');
  return { missing, tools: `${compiler}; ${cmake}` };
}
