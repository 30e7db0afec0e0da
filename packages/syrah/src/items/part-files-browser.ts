// The same name as part-files.ts for browsers, where nothing lies beside a file: what its mark says is all.
import type { Work } from '@colkit/io/effects';
import type { PartMark } from '../layout/part-mark.ts';
import type { FilePart } from './part-files.ts';

// eslint-disable-next-line require-yield -- in Node it looks at the files beside
export function* partOf(_source: object, { set, number, count }: PartMark): Work<FilePart> {
  return { set, number, count, paths: null, problem: null };
}
