// A set of files was replaced by another: what is left of the old one behind the last part of the new. Only files go
// that say of themselves that they are the part of a set that their name says; somebody else's file of such a name
// stays.
import type { FileOperations } from '@colkit/io';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { reserve } from '@colkit/io/durable';
import { basename, dirname, join } from 'node:path';
import { readdirSync } from 'node:fs';
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
  const folder = dirname(path);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    const number = entry.isFile() ? partNumber(basename(path), name) : null;
    if (number === null || number < partCount) continue;
    const part = join(folder, name);
    if ((yield* markOf(part))?.number !== number) continue;
    const reserved = yield* perform(reserve(part, { to: 'recover', durable, operations }));
    try {
      yield* perform(reserved.remove(''));
    } finally {
      yield* perform(reserved.release());
    }
  }
}
