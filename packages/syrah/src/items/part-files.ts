// A file that is a part of a set -> which part it is, of how many, and whether those beside it are of the same set.
import { isColkitError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { openedSource, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { partPath, readMarkOfFile } from '../layout/part-mark.ts';
import type { PartMark } from '../layout/part-mark.ts';

/** Of a file that `create(path, { roll: true })` went on from, or to. */
export interface FilePart {
  /** Which writing it is of: other sets have other texts. */
  readonly set: string;
  /** From 0: PATH, PATH with .00001 before the extension, and so on. */
  readonly number: number;
  /**
   * How many parts the set has. The first and the last part know it; null in others, and where the set is not whole.
   */
  readonly count: number | null;
  /** The paths of all parts, in order; only of the first part of a whole set of local files. */
  readonly paths: readonly string[] | null;
  /** What is wrong with the set, seen from its first part: a part is missing, or belongs to another writing. */
  readonly problem: string | null;
}

/**
 * Walks from the first part to the last, where they are local files: of others each would be a request, made with what
 * the first one was opened with, which is for who opens the whole set (shards/open-set.ts).
 */
export function* partOf({ path, isSync }: Pick<RandomAccessSource, 'path' | 'isSync'>, own: PartMark): Work<FilePart> {
  const { set, number } = own;
  if (number > 0 || !isSync) return { set, number, count: own.count, paths: null, problem: null };
  const paths = [path];
  for (let mark = own; mark.count === null; ) {
    const next = partPath(path, paths.length);
    const found = yield* markOf(next);
    if (found === null)
      return broken(set, `${next} is missing, or no part of a set: it is being written, or its writer died`);
    if (found.set !== set || found.number !== paths.length)
      return broken(set, `${next} is a part of another set: one replaces the other, or its writer died`);
    paths.push(next);
    mark = found;
  }
  return { set, number, count: paths.length, paths, problem: null };
}

function broken(set: string, problem: string): FilePart {
  return { set, number: 0, count: null, paths: null, problem };
}

/** The mark of a local file; null where it has none, or is no .syr file. */
export function* markOf(path: string): Work<PartMark | null> {
  try {
    return yield* withSource(path, openedSource(path, { io: 'pread' }), 'close', readMarkOfFile);
  } catch (error) {
    if (isColkitError(error)) return null;
    throw error;
  }
}
