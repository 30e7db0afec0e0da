// A word of the command line that names files -> the files: a path as it is, a folder, or a pattern, for shells that
// leave it as it is. In the order in which they are one table.
import { join } from 'node:path';
import { IoError } from '@colkit/io';
import { run } from '@colkit/io/effects';
import { filesBelow, filesMatching, filesOfFolder, hasWildcards, kindOfPath } from '@colkit/io/listing';

const COLSTORE = '.cstore';
const COLUMNA = '.cna';

export interface SeveralFiles {
  readonly files: readonly string[];
  /** How they are one table: as files of colstore alone, or as a dataset, whose folders may say values. */
  readonly as: 'colstore' | 'dataset';
}

/**
 * Null: it is the path of one file, whether it is there or not. A folder has the .cstore files in it, or else the files
 * of both forms in it and in the folders below. @throws IoError ERR_NOT_FOUND for a folder without such files.
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
    const own = await run(filesOfFolder(word, COLSTORE));
    if (own.length > 0) return { files: own, as: 'colstore' };
    const below = await run(filesBelow(word, (path) => path.endsWith(COLUMNA) || path.endsWith(COLSTORE)));
    return below.length === 0 ? 'items' : { files: below.map((path) => join(word, path)), as: 'dataset' };
  }
  if (kind !== null || !hasWildcards(word)) return null;
  const files = await run(filesMatching(word));
  return { files, as: files.some((path) => path.endsWith(COLUMNA)) ? 'dataset' : 'colstore' };
}

/** All files that words name, each as a path. */
export async function namedFiles(words: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const word of words) for (const file of (await severalFiles(word))?.files ?? [word]) files.push(file);
  return files;
}
