// A file system in memory that runs the sink's operations, records them, fails where it is told to, and can tell what a
// disk would hold after a power failure at any moment: bytes that were not synced may be lost, and so may names that
// were made, replaced or removed since their folder was synced.
import type { FileFacts, FileOperation, FileOperations, FileResult } from '@colkit/io';

interface Inode {
  readonly number: bigint;
  bytes: Uint8Array;
  /** What a power failure leaves of the bytes. */
  synced: Uint8Array;
  mode: number;
}

export type Fault = (operation: FileOperation, number: number) => string | number | undefined;

export class FakeFiles implements FileOperations {
  readonly log: FileOperation[] = [];
  /** Asked before each operation: an error code fails it, a number is how many bytes a write takes. */
  fault: Fault = () => undefined;
  /** As on Windows: a file that is open is not replaced. */
  keepsOpenFiles = false;
  readonly #names = new Map<string, Inode>();
  /** What the folder holds on the disk: as it was when it was last synced. */
  #syncedNames = new Map<string, Inode>();
  readonly #open = new Map<number, Inode | 'folder'>();
  /** Whole files that are locked, and the descriptors that hold them. */
  readonly #locks = new Map<bigint, number>();
  #nextFd = 100;
  #nextInode = 1n;
  readonly #folders = new Set<string>();

  /** A file that has been on the disk for long. */
  put(path: string, content: string, mode = 0o644): void {
    const bytes = new TextEncoder().encode(content);
    const inode = { number: this.#nextInode++, bytes, synced: bytes, mode };
    this.#names.set(path, inode);
    this.#syncedNames.set(path, inode);
  }

  get names(): string[] {
    return [...this.#names.keys()].sort();
  }

  /** Descriptors that were closed though they are closed already: by then, another file may have the number. */
  readonly closedTwice: number[] = [];

  get openCount(): number {
    return this.#open.size;
  }

  text(path: string): string | null {
    const inode = this.#names.get(path);
    return inode === undefined ? null : new TextDecoder().decode(inode.bytes);
  }

  mode(path: string): number | undefined {
    return this.#names.get(path)?.mode;
  }

  /**
   * What may stand at a path after a power failure now: each change of the folder since its last sync may have happened
   * or not (a journal keeps their order, so a prefix of them did), and each file has its synced bytes, or those written
   * since, or none.
   */
  afterPowerFailure(path: string): Set<string | null> {
    const outcomes = new Set<string | null>();
    for (const names of [this.#syncedNames, ...this.#namesSince]) {
      const inode = names.get(path);
      for (const bytes of inode === undefined ? [null] : [inode.synced, inode.bytes])
        outcomes.add(bytes === null ? null : new TextDecoder().decode(bytes));
    }
    return outcomes;
  }

  run(operation: FileOperation): Promise<FileResult> {
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          resolve(this.runSync(operation));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  runSync(operation: FileOperation): FileResult {
    const fault = this.fault(operation, this.log.length);
    this.log.push(operation);
    if (typeof fault === 'string') {
      // On Linux a failing close closes all the same.
      if (operation.kind === 'close') this.#open.delete(operation.fd);
      throw failure(fault, operation);
    }
    return this.#perform(operation, fault);
  }

  /** The folder as it was after each of its changes since its last sync. */
  #namesSince: Map<string, Inode>[] = [];

  #perform(operation: FileOperation, mostBytes: number | undefined): FileResult {
    switch (operation.kind) {
      case 'create': {
        if (this.#names.has(operation.path)) throw failure('EEXIST', operation);
        const inode = {
          number: this.#nextInode++,
          bytes: new Uint8Array(0),
          synced: new Uint8Array(0),
          mode: operation.mode,
        };
        this.#change(() => this.#names.set(operation.path, inode));
        return this.#opened(inode);
      }
      case 'openFolder':
        return this.#opened('folder');
      case 'write':
        return this.#write(
          this.#file(operation.fd, operation),
          operation.bytes.subarray(0, mostBytes),
          operation.byteOffset,
        );
      case 'sync': {
        const inode = this.#open.get(operation.fd);
        if (inode === undefined) throw failure('EBADF', operation);
        if (inode === 'folder') {
          this.#syncedNames = new Map(this.#names);
          this.#namesSince = [];
        } else {
          inode.synced = inode.bytes;
        }
        return undefined;
      }
      case 'setMode':
        this.#file(operation.fd, operation).mode = operation.mode;
        return undefined;
      case 'lock': {
        const { number } = this.#file(operation.fd, operation);
        if (this.#locks.has(number)) return 'held';
        this.#locks.set(number, operation.fd);
        return 'locked';
      }
      case 'close': {
        for (const [number, fd] of this.#locks) if (fd === operation.fd) this.#locks.delete(number);
        if (this.#open.delete(operation.fd)) return undefined;
        this.closedTwice.push(operation.fd);
        throw failure('EBADF', operation);
      }
      case 'rename': {
        const inode = this.#named(operation.from, operation);
        const old = this.#names.get(operation.to);
        if (this.keepsOpenFiles && [...this.#open.values()].some((open) => open === old))
          throw failure('EPERM', operation);
        this.#change(() => this.#names.set(operation.to, inode) && this.#names.delete(operation.from));
        return undefined;
      }
      case 'link': {
        const inode = this.#named(operation.from, operation);
        if (this.#names.has(operation.to)) throw failure('EEXIST', operation);
        this.#change(() => this.#names.set(operation.to, inode));
        return undefined;
      }
      case 'unlink': {
        this.#named(operation.path, operation);
        this.#change(() => this.#names.delete(operation.path));
        return undefined;
      }
      case 'list':
        return this.names.map((name) => name.slice(name.lastIndexOf('/') + 1));
      case 'inspect': {
        const inode = this.#names.get(operation.path);
        if (this.#folders.has(operation.path))
          return {
            type: 'folder',
            mode: 0o700,
            byteLength: 0,
            device: 1n,
            inode: 1_000_000n,
            links: 2,
            owner: process.getuid?.() ?? 0,
          };
        return inode === undefined ? null : this.#facts(inode);
      }
      case 'open':
        return this.#opened(this.#named(operation.path, operation));
      case 'stat':
        return this.#facts(this.#file(operation.fd, operation));
      case 'truncate': {
        const inode = this.#file(operation.fd, operation);
        inode.bytes = inode.bytes.slice(0, operation.byteLength);
        return undefined;
      }
      case 'read':
        return this.#names.get(operation.path)?.bytes ?? null;
      case 'makeFolder':
        this.#folders.add(operation.path);
        return undefined;
      case 'wait':
        return undefined;
      case 'resolve':
        return operation.path;
    }
  }

  #facts({ number: inode, mode, bytes }: Inode): FileFacts {
    const links = [...this.#names.values()].filter((each) => each.number === inode).length;
    return { type: 'file', mode, byteLength: bytes.length, device: 1n, inode, links, owner: process.getuid?.() ?? 0 };
  }

  #change(change: () => unknown): void {
    change();
    this.#namesSince.push(new Map(this.#names));
  }

  #opened(what: Inode | 'folder'): number {
    const fd = this.#nextFd++;
    this.#open.set(fd, what);
    return fd;
  }

  #file(fd: number, operation: FileOperation): Inode {
    const inode = this.#open.get(fd);
    if (inode === undefined || inode === 'folder') throw failure('EBADF', operation);
    return inode;
  }

  #named(path: string, operation: FileOperation): Inode {
    const inode = this.#names.get(path);
    if (inode === undefined) throw failure('ENOENT', operation);
    return inode;
  }

  #write(inode: Inode, bytes: Uint8Array, byteOffset: number): number {
    const grown = new Uint8Array(Math.max(inode.bytes.byteLength, byteOffset + bytes.byteLength));
    grown.set(inode.bytes);
    grown.set(bytes, byteOffset);
    inode.bytes = grown;
    return bytes.byteLength;
  }
}

function failure(code: string, operation: FileOperation): Error {
  return Object.assign(new Error(`${code}: ${operation.kind}`), { code });
}
