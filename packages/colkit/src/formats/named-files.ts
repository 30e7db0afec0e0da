// A word of the command line that names files -> the files: a path as it is, a folder, or a pattern, for shells that
// leave it as it is. In the order in which they are one table.
import { join } from 'node:path';
import { IoError } from '@colkit/io';
import { run } from '@colkit/io/effects';
import { filesBelow, filesMatching, filesOfFolder, hasWildcards, kindOfPath } from '@colkit/io/listing';
import { committedVersion } from '@colkit/table';
import { cstoreParts } from 'colstore';
import { openDataset } from 'columna';

const COLSTORE = '.cstore';
const COLUMNA = '.cna';

export interface SeveralFiles {
  readonly files: readonly string[];
  /** How they are one table: as files of colstore alone, or as a dataset, whose folders may say values. */
  readonly as: 'colstore' | 'dataset';
  /** What they are is told by a manifest: they stay as they are, and others in the folder are none. */
  readonly isCommitted: boolean;
}

/**
 * Null: it is the path of one file, whether it is there or not. A folder that is committed to has the files of its
 * newest manifest; one with .cstore files and no .cna files in it has these; any other the files of both forms in it
 * and in the folders below.
 * @throws IoError ERR_NOT_FOUND for a folder without such files; what reading a manifest throws.
 */
export async function severalFiles(word: string): Promise<SeveralFiles | null> {
  const found = await filesOrItems(word);
  if (found !== 'items') return found;
  throw new IoError('ERR_NOT_FOUND', 'open', word, 'it is a folder without .cstore and .cna files');
}

/** The same, but for 'items': a folder without such files, whose files are items. */
export async function filesOrItems(word: string): Promise<SeveralFiles | 'items' | null> {
  const kind = await run(kindOfPath(word));
  if (kind === 'folder') {
    const committed = await committedFiles(word);
    if (committed !== null) return { files: committed, as: 'dataset', isCommitted: true };
    const own = await run(filesOfFolder(word, COLSTORE));
    const isColstore = own.length > 0 && (await run(filesOfFolder(word, COLUMNA))).length === 0;
    if (isColstore) return { files: own, as: 'colstore', isCommitted: false };
    const below = await run(filesBelow(word, (path) => path.endsWith(COLUMNA) || path.endsWith(COLSTORE)));
    if (below.length === 0) return 'items';
    return { files: below.map((path) => join(word, path)), as: 'dataset', isCommitted: false };
  }
  if (kind !== null || !hasWildcards(word)) return null;
  const files = await run(filesMatching(word));
  const as = files.some((path) => path.endsWith(COLUMNA)) ? 'dataset' : 'colstore';
  return { files, as, isCommitted: false };
}

/** In the order of their rows. Null: the folder is not committed to. */
async function committedFiles(folder: string): Promise<readonly string[] | null> {
  if ((await run(committedVersion(folder))) === null) return null;
  using dataset = await openDataset(folder, { formats: [cstoreParts] });
  return dataset.files.map(({ path }) => path);
}

/** All files that words name, each as a path. */
export async function namedFiles(words: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const word of words) for (const file of (await severalFiles(word))?.files ?? [word]) files.push(file);
  return files;
}
