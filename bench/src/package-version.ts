// The installed version of a package, whatever its `exports` hide.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** @throws Error where the package is not installed. */
export function versionOf(name: string): string {
  let folder = dirname(createRequire(import.meta.url).resolve(name));
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
