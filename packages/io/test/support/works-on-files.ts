// Works over files, performed on doubles.
import type { FileOperations } from '@colkit/io/durable';
import { contextOf, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

export const runOn = <T>(work: Work<T>, operations: FileOperations): T => runSync(work, contextOf({ operations }));
