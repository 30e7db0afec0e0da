// A folder that is committed to (see @colkit/table) is the files that its newest manifest names, and not those that
// lie in it: as a plain folder it would also have the rows of writers that died, and of files that were replaced.
import { UnsupportedError } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { committedVersion } from '@colkit/table';

/**
 * @param remedy what to do in place of it.
 * @throws UnsupportedError ERR_FEATURE where a folder has a manifest; what listing it throws.
 */
export function* refuseCommitted(folder: string, remedy: string): Work<void> {
  if ((yield* committedVersion(folder)) === null) return;
  throw new UnsupportedError(
    'ERR_FEATURE',
    'folders that are committed to',
    `${folder}: its manifests say which of its files count; ${remedy}`,
  );
}
