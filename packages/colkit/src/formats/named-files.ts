// A word of the command line that names files -> the files: a path as it is, a folder of .cstore files, or a pattern,
// for shells that leave it as it is. In the order in which they are one table.
import { run } from '@colkit/io/effects';
import { filesMatching, filesOfFolder, hasWildcards, kindOfPath } from '@colkit/io/listing';

const EXTENSION = '.cstore';

/** Null: it is the path of one file, whether it is there or not. A folder without such files is none of tables. */
export async function severalFiles(word: string): Promise<readonly string[] | null> {
  const kind = await run(kindOfPath(word));
  if (kind === 'folder') {
    const files = await run(filesOfFolder(word, EXTENSION));
    return files.length === 0 ? null : files;
  }
  return kind === null && hasWildcards(word) ? run(filesMatching(word)) : null;
}

/** All files that words name, each as a path. */
export async function namedFiles(words: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const word of words) for (const file of (await severalFiles(word)) ?? [word]) files.push(file);
  return files;
}
