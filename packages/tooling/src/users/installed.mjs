// A project as a user has it: a folder with the packages installed from what npm would get, without optional peers; and
// tools of others, pinned, installed once under .cache.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformName } from '../../../../native/platform.js';
import { packageOf } from '../../../../native/platforms.js';
import { PNPM, ROOT, publishedFolders, run } from '../published.mjs';

const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));
/** What this machine built; what `pnpm prebuild` left may be older than the sources. */
const BUILT_ADDON = join(ROOT, 'native', 'build', 'Release', 'colkit_native.node');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs every published package into a new project, others on request (`name@version`), and the addon that was built
 * here, where it was; whether there is one.
 */
export function installProject(folder, others = []) {
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs, { recursive: true });
  for (const published of publishedFolders())
    run('npx', ['--yes', PNPM, 'pack', '--pack-destination', tarballs], join(ROOT, published));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const files = readdirSync(tarballs).map((name) => join(tarballs, name));
  // The binaries of other platforms are on no registry: npm passes over optional packages that it cannot have.
  run('npm', ['install', '--omit=peer', ...QUIET, ...files, ...others], folder);
  const binary = addonPackage(folder);
  if (existsSync(BUILT_ADDON)) {
    mkdirSync(binary, { recursive: true });
    copyFileSync(BUILT_ADDON, join(binary, 'colkit_native.node'));
    copyFileSync(join(ROOT, 'native', 'platforms', platformName(), 'package.json'), join(binary, 'package.json'));
  }
  return existsSync(join(binary, 'colkit_native.node'));
}

/** The folder of the package with the addon's binary for this machine, in the project. */
export function addonPackage(folder) {
  return join(folder, 'node_modules', packageOf(platformName()));
}

/** Packages of others, versions and all, in a folder of their own; its path. Kept from run to run. */
export function installTools(name, dependencies, more = []) {
  const folder = join(CACHE, name);
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies });
  const file = join(folder, 'package.json');
  if (existsSync(join(folder, 'node_modules')) && readFileSync(file, 'utf8') === manifest) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, manifest);
  run('npm', ['install', ...QUIET, ...more], folder);
  return folder;
}
