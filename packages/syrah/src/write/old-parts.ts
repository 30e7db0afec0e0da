// A set of files was replaced by another: what is left of the old one behind the last part of the new. Only files go
// that say of themselves that they are the part of a set that their name says; somebody else's file of such a name
// stays.
import type { FileOperations } from '@colkit/io';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { GrowingFolder, reserve } from '@colkit/io/durable';
import { basename, dirname, join } from 'node:path';
import { markOf } from '../items/part-files.ts';
import { partNumber } from '../layout/part-mark.ts';

interface OldPartsOptions {
  readonly durable: boolean;
  readonly operations: FileOperations | undefined;
}

/** Whether the file at the path is the first part of a set. */
export function* isSet(path: string): Work<boolean> {
  return (yield* markOf(path))?.number === 0;
}

/** @throws IoError where one of them cannot be removed; the new set is whole then. */
export function* removeOldParts(path: string, partCount: number, { durable, operations }: OldPartsOptions): Work<void> {
  const folder = new GrowingFolder(dirname(path), operations);
  const isBehind = (name: string): boolean => (partNumber(basename(path), name) ?? 0) >= partCount;
  for (const name of yield* perform(folder.names())) {
    const part = join(folder.path, name);
    if (!isBehind(name) || (yield* markOf(part))?.number !== partNumber(basename(path), name)) continue;
    const reserved = yield* perform(reserve(part, { to: 'recover', durable, operations }));
    try {
      yield* perform(reserved.remove(''));
    } finally {
      yield* perform(reserved.release());
    }
  }
  // Of a writer that died before its parts had their names.
  yield* perform(folder.removeAbandoned(isBehind));
}
