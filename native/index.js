// Finds the addon's binary for this platform and loads it; says what it did and why. Never throws: where nothing loads,
// `binding` is null and callers go on in TypeScript. Nothing here is for a bundler to follow: names of binaries are
// computed, and a bundle looks for them from where it stands (docs/native.md says what to put beside it).
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformName } from './platform.js';
import { PLATFORMS, packageOf } from './platforms.js';

const BINARY = 'colkit_native.node';
/** What Node says of every addon (ERR_DLOPEN_DISABLED) where none may be loaded. */
const NO_ADDONS = 'Cannot load native addon because';
/** What Linux says of a binary in a file system from which nothing is run. */
const NO_EXEC = 'failed to map segment';
const here = ownFile();
// Not imported by name: bundlers would follow what it loads, and warn that they cannot.
const load = process.getBuiltinModule('node:module').createRequire(here);

let lookup;

export function loadNative() {
  lookup ??= lookUp();
  return lookup;
}

function lookUp() {
  const platform = platformName();
  const isPublished = PLATFORMS[platform] !== undefined;
  const tried = [];
  for (const candidate of candidates(platform, isPublished)) {
    try {
      const path = load.resolve(candidate);
      const binding = load(path);
      if (typeof binding?.gatherSync !== 'function') throw new Error('not the colkit addon');
      return { binding, path, reason: `the addon was loaded from ${path}`, tried, isPublished };
    } catch (error) {
      tried.push({ path: candidate, error: firstLine(error) });
    }
  }
  return { binding: null, path: null, reason: whyNone(platform, isPublished, tried), tried, isPublished };
}

/**
 * Paths and package names in the order of trying: what this machine built, what npm installed, what stands beside a
 * bundle.
 */
function candidates(platform, isPublished) {
  const named = process.env.COLKIT_NATIVE_PATH;
  if (named) return [named];
  const installed = isPublished ? [packageOf(platform)] : [];
  // Parts of a bundle may lie in folders of their own: the program is what was started, or the executable.
  const beside = [here, process.argv[1] ?? here, process.execPath].map((file) => join(dirname(file), BINARY));
  return [...new Set([join(dirname(here), 'build', 'Release', BINARY), ...installed, ...beside])];
}

function whyNone(platform, isPublished, tried) {
  // Whatever there is: another binary would not load either.
  if (tried.some(({ error }) => error.startsWith(NO_ADDONS)))
    return 'this process may load no addons (--no-addons, or --permission without --allow-addons)';
  if (process.env.COLKIT_NATIVE_PATH) return `COLKIT_NATIVE_PATH names a file that does not load (${tried[0].error})`;
  // By its path: pnpm and Yarn link no commands of a dependency's dependency.
  const builder = join(dirname(here), 'bin', 'colkit-native.js');
  const remedy = tried.some(({ error }) => error.includes(NO_EXEC))
    ? 'its folder may be mounted with noexec: let COLKIT_NATIVE_PATH name a copy elsewhere'
    : existsSync(builder)
      ? `\`node "${builder}" build\` builds it here`
      : `put ${BINARY} beside the program`;
  if (!isPublished) return `no binary is published for ${platform}; ${remedy}`;
  const name = packageOf(platform);
  const { error } = tried.find(({ path }) => path === name);
  if (!error.startsWith('Cannot find')) return `${name} does not load (${error}); ${remedy}`;
  return `${name} is not installed: install with optional dependencies, on the platform that runs it, or ${remedy}`;
}

/**
 * This file, or the bundle that it has become part of. A bundle in CommonJS has no `import.meta.url`, or webpack's: the
 * path at the time of bundling, which need not be there where it runs.
 */
function ownFile() {
  const file = import.meta.url?.startsWith('file:') ? fileURLToPath(import.meta.url) : null;
  if (file !== null && existsSync(file)) return file;
  try {
    return __filename;
  } catch {
    return join(process.cwd(), 'bundle.js');
  }
}

function firstLine(error) {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
}
