// The files of streaming writers with a hook before every operation: crash tests announce phases in it.
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
