// Builds the addon from the sources beside it: build/Release/colkit_native.node, and a stripped copy in this platform's
// package, where the repository has one. Does nothing where what is there was built from the same sources with the same
// tools.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformName } from '../platform.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CMAKE_JS = 'cmake-js@8.0.0';
const BINARY = join(ROOT, 'build', 'Release', 'colkit_native.node');
/** Absent in what npm installs: there the platform's package is a dependency. */
const PLATFORM = join(ROOT, 'platforms', platformName());
const STAMP = join(dirname(BINARY), 'built-from.txt');

export const binaryPath = BINARY;

/** `{ built: false }` where all was up to date. @throws Error with the compiler's output where the build fails. */
export function build(tools) {
  const stamp = stampOf(tools);
  if (existsSync(BINARY) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return { built: false };
  const [command, parameters] = cmakeJs();
  const run = spawnSync(command, [...parameters, 'compile', '--config', 'Release'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (run.status !== 0 || !existsSync(BINARY))
    throw new Error(
      `${run.stdout ?? ''}${run.stderr ?? ''}${run.error?.message ?? ''}\nthe build of the native addon failed`,
    );
  if (existsSync(PLATFORM)) {
    const copy = join(PLATFORM, 'colkit_native.node');
    copyFileSync(BINARY, copy);
    strip(copy);
  }
  writeFileSync(STAMP, stamp);
  return { built: true };
}

/** The installed cmake-js where there is one (in this repository), else a pinned one through npm. */
export function cmakeJs() {
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve('cmake-js/package.json');
    return [process.execPath, [join(dirname(manifest), require(manifest).bin['cmake-js'])]];
  } catch {
    return ['npm', ['exec', '--yes', CMAKE_JS, '--']];
  }
}

/** Names and contents of all sources, the platform and the tools. */
function stampOf(tools) {
  const hash = createHash('sha256');
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('tests'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
  for (const path of ['CMakeLists.txt', 'package.json', ...sources])
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return `${hash.digest('hex')} ${platformName()} ${tools}\n`;
}

function strip(path) {
  if (process.platform === 'win32') return;
  spawnSync('strip', [process.platform === 'darwin' ? '-x' : '--strip-unneeded', path]);
}
