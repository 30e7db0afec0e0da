// Peers too large for everybody's install (native binaries, WebAssembly): `pnpm bench peers --install` brings them into
// .cache/peers, in the versions named here, and only there are they looked for. Whoever does not ask for them sees them
// reported as missing, with this remedy.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from './package-folder.ts';

export const ON_REQUEST: Readonly<Record<string, string>> = {
  // The last one with Parquet in it: later ones load that from a server of theirs.
  '@duckdb/duckdb-wasm': '1.28.0',
  '@duckdb/node-api': '1.5.6-r.1',
  'nodejs-polars': '0.26.1',
  'parquet-wasm': '0.8.0',
};

const FOLDER = join(PACKAGE_FOLDER, '.cache', 'peers');

/**
 * Polars' binary says that it wants Node 22, so that npm leaves it out on 20, where it runs too: it is asked for by
 * name, and npm forced. (Not with musl, whose npm would refuse the whole.)
 */
const POLARS_BINARIES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64-gnu',
  'linux-arm64': 'linux-arm64-gnu',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64-msvc',
};

function dependencies(): Record<string, string> {
  const binary = POLARS_BINARIES[`${process.platform}-${process.arch}`];
  const header = (process.report.getReport() as { header?: { glibcVersionRuntime?: string } }).header;
  const musl = process.platform === 'linux' && header?.glibcVersionRuntime === undefined;
  return {
    ...ON_REQUEST,
    ...(binary === undefined || musl ? {} : { [`nodejs-polars-${binary}`]: ON_REQUEST['nodejs-polars'] ?? '' }),
  };
}

/**
 * Installs them with npm, in the versions that are named.
 * @returns whether that worked; what npm says goes to stderr.
 */
export function installPeers(): boolean {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    join(FOLDER, 'package.json'),
    `${JSON.stringify({ name: 'colkit-bench-peers', private: true, dependencies: dependencies() }, null, 2)}\n`,
  );
  const windows = process.platform === 'win32';
  const { status } = spawnSync(
    windows ? 'npm.cmd' : 'npm',
    ['install', '--force', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: FOLDER, stdio: ['ignore', 2, 2], shell: windows },
  );
  return status === 0;
}

/** @throws Error that says how to get it, where it is not installed in this version. */
export function installedVersion(name: string): string {
  const manifest = join(FOLDER, 'node_modules', name, 'package.json');
  const found = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
    : null;
  if (found === null)
    throw new Error(`${name} is not installed: \`pnpm bench peers --install\` brings it into bench/.cache`);
  if (found !== ON_REQUEST[name])
    throw new Error(
      `${name} is there in version ${found}, ${ON_REQUEST[name] ?? ''} is wanted: \`pnpm bench peers --install\` ` +
        'brings it',
    );
  return found;
}

/** The module, as the caller describes it. @throws as `installedVersion`; what importing it throws. */
export async function importInstalled(name: string): Promise<unknown> {
  installedVersion(name);
  const path = createRequire(join(FOLDER, 'package.json')).resolve(name);
  return import(pathToFileURL(path).href);
}
