// An open file that grows: bytes at its end, patches, a barrier between what must be on the disk and what follows, a
// cut. Every call is an operation of either form; what the system says becomes an error of the family.
import { IoError } from '../errors/errors.ts';
import type { Work } from '../effects/effect.ts';
import { contextOf, operationOf } from '../effects/run.ts';
import type { BoundOperation } from '../effects/run.ts';
import { fileCall } from './file-call.ts';
import type { FileFacts, FileOperations } from '../effects/file-operations.ts';
import { writeAll } from './publish.ts';
import { writeFailed } from './target.ts';

interface GrowingFileParts {
  /** As errors name it, until it gets another name. */
  readonly path: string;
  readonly fd: number;
  readonly facts: FileFacts;
  readonly operations: FileOperations;
  readonly durable: boolean;
}

export class GrowingFile {
  /** Which file it is, and what it was when it was opened. */
  readonly facts: FileFacts;
  readonly #parts: GrowingFileParts;
  #path: string;
  #position: number;
  #reach: number;
  #open = true;

  constructor(parts: GrowingFileParts, position: number) {
    this.#path = parts.path;
    this.facts = parts.facts;
    this.#parts = parts;
    this.#position = position;
    this.#reach = position;
  }

  /** As errors name it. */
  get path(): string {
    return this.#path;
  }

  /** It has this name from now on. */
  setPath(path: string): void {
    this.#path = path;
  }

  /** Where the next byte goes. */
  get position(): number {
    return this.#position;
  }

  /** How far the file may go: a write that failed, as on a full disk, may have left a part of its bytes. */
  get reach(): number {
    return this.#reach;
  }

  /**
   * Goes on there, over what stands behind it. The file keeps its length until it is cut or grows beyond it: who has
   * mapped it goes on reading.
   */
  goTo(byteOffset: number): void {
    this.#position = byteOffset;
  }

  append(parts: readonly Uint8Array[]): BoundOperation<void> {
    return this.#action('write', () => this.#append(parts));
  }

  writeAt(byteOffset: number, bytes: Uint8Array): BoundOperation<void> {
    return this.#action('write', () => writeAll(this.#parts.fd, bytes, byteOffset));
  }

  /** Everything written so far is on the disk before anything written from now on; nothing without durability. */
  barrier(): BoundOperation<void> {
    return this.#action('sync', () => this.#barrier());
  }

  /**
   * Takes the file's own lock (flock) for as long as it is open, where there are such locks.
   * @throws IoError ERR_LOCKED.
   */
  lock(): BoundOperation<void> {
    return this.#action('lock', () => this.#lock());
  }

  /** Cuts the file, and goes on there. */
  cut(byteLength: number): BoundOperation<void> {
    return this.#action('truncate', () => this.#cut(byteLength));
  }

  /** May be called again. */
  close(): BoundOperation<void> {
    return this.#action('close', () => this.#close());
  }

  *#append(parts: readonly Uint8Array[]): Work<void> {
    for (const bytes of parts) {
      this.#reach = Math.max(this.#reach, this.#position + bytes.length);
      yield* writeAll(this.#parts.fd, bytes, this.#position);
      this.#position += bytes.length;
    }
  }

  *#barrier(): Work<void> {
    if (this.#parts.durable) yield* fileCall<'sync'>({ kind: 'sync', fd: this.#parts.fd });
  }

  *#lock(): Work<void> {
    if ((yield* fileCall<'lock'>({ kind: 'lock', fd: this.#parts.fd })) === 'held')
      throw new IoError('ERR_LOCKED', 'lock', this.path, 'another program holds its lock');
  }

  *#cut(byteLength: number): Work<void> {
    yield* fileCall<'truncate'>({ kind: 'truncate', fd: this.#parts.fd, byteLength });
    this.#position = byteLength;
    this.#reach = byteLength;
  }

  *#close(): Work<void> {
    if (!this.#open) return;
    this.#open = false;
    yield* fileCall<'close'>({ kind: 'close', fd: this.#parts.fd });
  }

  #action(operation: string, begin: () => Work<void>): BoundOperation<void> {
    return familyAction(this.#parts.operations, this.path, operation, begin);
  }
}

/** An operation on files of its own, whose failures are errors of the family, about a path. */
export function familyAction<T>(
  operations: FileOperations,
  path: string,
  operation: string,
  begin: () => Work<T>,
): BoundOperation<T> {
  return operationOf(() => inFamily(path, operation, begin), contextOf({ operations }));
}

function* inFamily<T>(path: string, operation: string, begin: () => Work<T>): Work<T> {
  try {
    return yield* begin();
  } catch (error) {
    throw writeFailed(path, error, operation);
  }
}
