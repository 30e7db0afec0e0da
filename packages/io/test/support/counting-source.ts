// A source that records every read: what was asked for, how many reads were under way at once, and optionally a failure
// or a delay.
import { MemorySource } from '@colkit/io';
import type { RandomAccessSource, SourceCapabilities } from '@colkit/io';

/** What a file costs, and a URL. */
export const LOCAL = { concurrency: 4, gapBytes: 16 * 1024 };
export const REMOTE = { concurrency: 6, gapBytes: 64 * 1024 };

export class CountingSource implements RandomAccessSource {
  readonly isSync = true;
  readonly canView = false;
  readonly concurrency: number;
  readonly gapBytes: number;
  readonly path = '<counting>';
  readonly byteLength: number;
  readonly reads: { readonly byteOffset: number; readonly out: Uint8Array }[] = [];
  underWay = 0;
  mostUnderWay = 0;
  /** Called before each asynchronous read. */
  onRead: (number: number) => void | Promise<void> = () => undefined;
  readonly #memory: MemorySource;

  constructor(bytes: Uint8Array, cost: Pick<SourceCapabilities, 'concurrency' | 'gapBytes'> = LOCAL) {
    this.#memory = new MemorySource(bytes);
    this.byteLength = bytes.byteLength;
    this.concurrency = cost.concurrency;
    this.gapBytes = cost.gapBytes;
  }

  get closed(): boolean {
    return this.#memory.closed;
  }

  get bytesRead(): number {
    return this.reads.reduce((sum, { out }) => sum + out.byteLength, 0);
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    this.reads.push({ byteOffset, out });
    this.#memory.readSync(byteOffset, out);
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    this.underWay++;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    try {
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      await this.onRead(this.reads.length);
      this.readSync(byteOffset, out);
    } finally {
      this.underWay--;
    }
  }

  view(): Uint8Array {
    throw new Error('not in these tests');
  }

  reopen(): null {
    return null;
  }

  close(): void {
    this.#memory.close();
  }
}
