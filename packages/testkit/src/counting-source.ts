// A source of bytes that keeps a record of every read: how bytes read and requests are asserted. It shows no memory and
// no mapping, so that nothing gets past the count.

/** What is asked of the source behind it: the byte source contract, without its memory. */
export interface ReadableBytes {
  readonly path: string;
  readonly byteLength: number;
  readonly closed: boolean;
  read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void>;
  readSync(byteOffset: number, out: Uint8Array): void;
  view(byteOffset: number, byteLength: number): Uint8Array;
  close(): void;
}

export interface ReadRecord {
  readonly kind: 'read' | 'view';
  readonly byteOffset: number;
  readonly byteLength: number;
}

export class CountingSource implements ReadableBytes {
  readonly isSync = true;
  readonly canView = false;
  /** As of a file. */
  readonly concurrency = 4;
  readonly gapBytes = 16 * 1024;
  readonly reads: ReadRecord[] = [];
  readonly #source: ReadableBytes;

  constructor(source: ReadableBytes) {
    this.#source = source;
  }

  get path(): string {
    return this.#source.path;
  }

  get byteLength(): number {
    return this.#source.byteLength;
  }

  get closed(): boolean {
    return this.#source.closed;
  }

  /** Bytes that were copied out so far. */
  get bytesRead(): number {
    return this.reads.reduce((sum, { kind, byteLength }) => (kind === 'read' ? sum + byteLength : sum), 0);
  }

  /** Forgets the reads so far. */
  reset(): void {
    this.reads.length = 0;
  }

  read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    this.reads.push({ kind: 'read', byteOffset, byteLength: out.byteLength });
    return this.#source.read(byteOffset, out, signal);
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    this.reads.push({ kind: 'read', byteOffset, byteLength: out.byteLength });
    this.#source.readSync(byteOffset, out);
  }

  view(byteOffset: number, byteLength: number): Uint8Array {
    this.reads.push({ kind: 'view', byteOffset, byteLength });
    return this.#source.view(byteOffset, byteLength);
  }

  reopen(): null {
    return null;
  }

  close(): void {
    this.#source.close();
  }
}
