// The system's files with a hook before every operation: crash tests announce phases in it, failure tests throw in it what a disk would.
import type { FileOperation, FileOperations, FileResult } from '@colkit/io';
import { SYSTEM_STREAM_FILES } from '../../src/write/stream-files.ts';
import type { StreamFiles, StreamOperation } from '../../src/write/stream-files.ts';

export class WatchedStreamFiles implements StreamFiles {
  readonly #before: (operation: StreamOperation) => void;

  constructor(before: (operation: StreamOperation) => void) {
    this.#before = before;
  }

  async run(operation: StreamOperation): Promise<number> {
    await Promise.resolve();
    return this.runSync(operation);
  }

  runSync(operation: StreamOperation): number {
    this.#before(operation);
    return SYSTEM_STREAM_FILES.runSync(operation);
  }
}

/** The same for the operations of the atomic sink, of which these are performed here. */
export class WatchedFiles implements FileOperations {
  readonly #before: (operation: FileOperation) => void;
  readonly #system: FileOperations;

  constructor(before: (operation: FileOperation) => void, system: FileOperations) {
    this.#before = before;
    this.#system = system;
  }

  async run(operation: FileOperation): Promise<FileResult> {
    await Promise.resolve();
    return this.runSync(operation);
  }

  runSync(operation: FileOperation): FileResult {
    this.#before(operation);
    return this.#system.runSync(operation);
  }
}
