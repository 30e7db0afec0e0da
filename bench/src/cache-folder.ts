// Data files are made once and kept in bench/.cache: a step is finished when its stamp is there, so that an interrupted
// one starts again.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from './checkouts/package-folder.ts';

export const CACHE_FOLDER = join(PACKAGE_FOLDER, '.cache');

/** Runs `make` on an empty folder unless an earlier run finished it. `version` changes when what is made changes. */
export async function makeOnce(folder: string, version: string, make: () => void | Promise<void>): Promise<void> {
  const stamp = join(folder, `.finished-${version}`);
  if (existsSync(stamp)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await make();
  writeFileSync(stamp, '');
}
