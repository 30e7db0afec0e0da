// Finds the addon's binary for this platform and loads it; says what it did and why. Never throws: where nothing loads, `binding` is null and callers go on in
// TypeScript. The paths are literals, so that bundlers and tracers see which files belong to the package.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { platformTarget } from './platform.js';

const require = createRequire(import.meta.url);

/** Where a binary can stand, in the order of trying. A fresh build of this machine comes before what was shipped. */
const BUILT = { path: './build/Release/colkit_native.node', load: () => require('./build/Release/colkit_native.node') };
const PREBUILT = {
  'linux-x64': { path: './prebuilds/linux-x64/colkit_native.node', load: () => require('./prebuilds/linux-x64/colkit_native.node') },
  'linux-x64-musl': { path: './prebuilds/linux-x64-musl/colkit_native.node', load: () => require('./prebuilds/linux-x64-musl/colkit_native.node') },
  'linux-arm64': { path: './prebuilds/linux-arm64/colkit_native.node', load: () => require('./prebuilds/linux-arm64/colkit_native.node') },
  'linux-arm64-musl': { path: './prebuilds/linux-arm64-musl/colkit_native.node', load: () => require('./prebuilds/linux-arm64-musl/colkit_native.node') },
  'darwin-x64': { path: './prebuilds/darwin-x64/colkit_native.node', load: () => require('./prebuilds/darwin-x64/colkit_native.node') },
  'darwin-arm64': { path: './prebuilds/darwin-arm64/colkit_native.node', load: () => require('./prebuilds/darwin-arm64/colkit_native.node') },
  'win32-x64': { path: './prebuilds/win32-x64/colkit_native.node', load: () => require('./prebuilds/win32-x64/colkit_native.node') },
  'win32-arm64': { path: './prebuilds/win32-arm64/colkit_native.node', load: () => require('./prebuilds/win32-arm64/colkit_native.node') },
};

let lookup;

export function loadNative() {
  lookup ??= lookUp();
  return lookup;
}

function lookUp() {
  const target = platformTarget();
  const tried = [];
  for (const { path, load } of candidates(target)) {
    try {
      const binding = load();
      if (typeof binding?.gatherSync !== 'function') throw new Error('not the colkit addon');
      return { binding, path, reason: `the addon was loaded from ${path}`, tried };
    } catch (error) {
      tried.push({ path, error: firstLine(error) });
    }
  }
  const where = process.env.COLKIT_NATIVE_PATH ? 'COLKIT_NATIVE_PATH names a file that does not load' : `no binary for ${target} loads; \`npx colkit-native build\` builds one`;
  return { binding: null, path: null, reason: where, tried };
}

function candidates(target) {
  const named = process.env.COLKIT_NATIVE_PATH;
  if (named) return [{ path: named, load: () => require(named) }];
  const prebuilt = PREBUILT[target];
  return (prebuilt === undefined ? [BUILT] : [BUILT, prebuilt]).map(({ path, load }) => ({ path: fileURLToPath(new URL(path, import.meta.url)), load }));
}

function firstLine(error) {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
}
