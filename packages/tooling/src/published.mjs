// Which folders become packages on npm, and how the programs that pack, publish and try them run commands.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLATFORMS } from '../../../native/platforms.js';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The pnpm that this repository is built with, for npx. */
export const PNPM = manifestOf('').packageManager;

export function manifestOf(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

/** The packages that are not private, but for the binaries. */
export function publishedFolders() {
  const folders = ['native', ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)];
  return folders.filter(
    (folder) => existsSync(join(ROOT, folder, 'package.json')) && manifestOf(folder).private !== true,
  );
}

/** The packages of binaries, one a platform: those that are built here, and those that `pnpm prebuild` would bring. */
export function binaryFolders() {
  const folders = Object.keys(PLATFORMS).map((name) => `native/platforms/${name}`);
  const isBuilt = (folder) => existsSync(join(ROOT, folder, manifestOf(folder).main));
  return { built: folders.filter(isBuilt), missing: folders.filter((folder) => !isBuilt(folder)) };
}

/** What a command prints. It gets neither our own variables nor those of the npm that runs this. */
export function run(command, parameters, cwd, extra = {}) {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^(COLKIT_|npm_|pnpm_|NODE_PATH|TURBO_)/i.test(key)),
  );
  try {
    return execFileSync(command, parameters, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, ...extra },
    });
  } catch (error) {
    throw new Error(
      `${command} ${parameters.join(' ')} (in ${cwd}):\n${error.stdout ?? ''}${error.stderr ?? error.message}`,
    );
  }
}
