// The installed version of a package, whatever its `exports` hide.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** @throws Error where the package is not installed. */
export function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  let folder = dirname(resolveFirst(require, [`${name}/package.json`, name]));
  for (;;) {
    const found = readManifest(join(folder, 'package.json'));
    if (found?.name === name && found.version !== undefined) return found.version;
    if (dirname(folder) === folder) throw new Error(`no version of ${name} was found`);
    folder = dirname(folder);
  }
}

function readManifest(path: string): { name?: string; version?: string } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string };
  } catch {
    return null;
  }
}

/** Where a package exports its manifest, that is asked for: it is there before the package is built. */
function resolveFirst(require: NodeJS.Require, [first, second]: readonly [string, string]): string {
  try {
    return require.resolve(first);
  } catch {
    return require.resolve(second);
  }
}
