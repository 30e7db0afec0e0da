// The system's files with a hook around every operation: crash tests announce phases in it, failure tests throw in it
// what a disk would.
import { SYSTEM_FILES } from '@colkit/io/durable';
import type { FileOperation, FileOperations, FileResult } from '@colkit/io/durable';

/** Whether it is an operation on a lock, or on what makes one: tests of the file itself look past them. */
export function isOfLock(operation: FileOperation): boolean {
  if (operation.kind === 'write') return new TextDecoder().decode(operation.bytes.subarray(0, 8)) === '{"host":';
  const paths =
    operation.kind === 'rename' || operation.kind === 'link'
      ? [operation.to]
      : 'path' in operation
        ? [operation.path]
        : [];
  return paths.some((path) => /\.lock(\.|$)|colkit-locks-/u.test(path));
}

export type Hook = (operation: FileOperation, when: 'before' | 'after') => void;

export class WatchedFiles implements FileOperations {
  readonly #hook: Hook;

  constructor(hook: Hook) {
    this.#hook = hook;
  }

  async run(operation: FileOperation): Promise<FileResult> {
    await Promise.resolve();
    return this.runSync(operation);
  }

  runSync(operation: FileOperation): FileResult {
    try {
      this.#hook(operation, 'before');
    } catch (error) {
      // A close that fails closes all the same.
      if (operation.kind === 'close') SYSTEM_FILES.runSync(operation);
      throw error;
    }
    const result = SYSTEM_FILES.runSync(operation);
    this.#hook(operation, 'after');
    return result;
  }
}

/** A hook that fails the `nth` operation (from 0) of a kind, as the system would. */
export function failing(kind: FileOperation['kind'], code: string, nth = 0): Hook {
  let seen = 0;
  return (operation, when) => {
    if (when !== 'before' || operation.kind !== kind) return;
    if (seen === nth) throw systemError(code, kind);
    seen += 1;
  };
}

export const systemError = (code: string, kind: string): Error =>
  Object.assign(new Error(`${code}: injected, ${kind}`), { code });
