// A reserved path on a file system in memory.
import { reserve } from '@colkit/io/durable';
import type {
  FileFacts,
  FileOperation,
  FileOperations,
  FileResult,
  Reservation,
  ReserveOptions,
} from '@colkit/io/durable';
import { FakeFiles } from './fake-files.ts';

export const PATH = '/data/table.bin';
export const PARTIAL = `${PATH}.partial`;

export function filesWith(content: Readonly<Record<string, string>> = {}, mode = 0o644): FakeFiles {
  const files = new FakeFiles();
  for (const [path, text] of Object.entries(content)) files.put(path, text, mode);
  return files;
}

export const take = (operations: FileOperations, to: ReserveOptions['to'], durable = true): Reservation =>
  reserve(PATH, { to, durable, operations }).runSync();
export const kindsOf = (files: FakeFiles): string[] => files.log.map(({ kind }) => kind);
/** A file system on which things look otherwise. */
export function seen(files: FakeFiles, view: (path: string, facts: FileFacts) => FileFacts): FileOperations {
  const runSync = (operation: FileOperation): FileResult => {
    const result = files.runSync(operation);
    const path = operation.kind === 'inspect' ? operation.path : operation.kind === 'stat' ? 'open' : null;
    return path === null || result === null ? result : view(path, result as FileFacts);
  };
  return { runSync, run: async (operation) => Promise.resolve(runSync(operation)) };
}
