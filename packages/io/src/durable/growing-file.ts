// An open file that grows: bytes at its end, patches, a barrier between what must be on the disk and what follows, a
// cut. Every call is an action in either form; what the system says becomes an error of the family.
import { fileAction } from './operations.ts';
import type { FileAction, FileFacts, FileOperations, FileSteps } from './operations.ts';
import { perform } from './operations.ts';
import { writeAll } from './publish.ts';
import { writeFailed } from './target.ts';

export interface GrowingFileParts {
  /** As errors name it. */
  readonly path: string;
  readonly fd: number;
  readonly facts: FileFacts;
  readonly operations: FileOperations;
  readonly durable: boolean;
}

export class GrowingFile {
  readonly path: string;
  /** Which file it is, and what it was when it was opened. */
  readonly facts: FileFacts;
  readonly #parts: GrowingFileParts;
  #position: number;
  #open = true;

  constructor(parts: GrowingFileParts, position: number) {
    this.path = parts.path;
    this.facts = parts.facts;
    this.#parts = parts;
    this.#position = position;
  }

  /** Where the next byte goes. */
  get position(): number {
    return this.#position;
  }

  append(parts: readonly Uint8Array[]): FileAction<void> {
    return this.#action('write', () => this.#append(parts));
  }

  writeAt(byteOffset: number, bytes: Uint8Array): FileAction<void> {
    return this.#action('write', () => writeAll(this.#parts.fd, bytes, byteOffset));
  }

  /** Everything written so far is on the disk before anything written from now on; nothing without durability. */
  barrier(): FileAction<void> {
    return this.#action('sync', () => this.#barrier());
  }

  /** Cuts the file, and goes on there. */
  cut(byteLength: number): FileAction<void> {
    return this.#action('truncate', () => this.#cut(byteLength));
  }

  /** May be called again. */
  close(): FileAction<void> {
    return this.#action('close', () => this.#close());
  }

  *#append(parts: readonly Uint8Array[]): FileSteps<void> {
    for (const bytes of parts) {
      yield* writeAll(this.#parts.fd, bytes, this.#position);
      this.#position += bytes.length;
    }
  }

  *#barrier(): FileSteps<void> {
    if (this.#parts.durable) yield* perform<'sync'>({ kind: 'sync', fd: this.#parts.fd });
  }

  *#cut(byteLength: number): FileSteps<void> {
    yield* perform<'truncate'>({ kind: 'truncate', fd: this.#parts.fd, byteLength });
    this.#position = byteLength;
  }

  *#close(): FileSteps<void> {
    if (!this.#open) return;
    this.#open = false;
    yield* perform<'close'>({ kind: 'close', fd: this.#parts.fd });
  }

  #action(operation: string, begin: () => FileSteps<void>): FileAction<void> {
    return familyAction(this.#parts.operations, this.path, operation, begin);
  }
}

/** An action whose failures are errors of the family, about a path. */
export function familyAction<T>(operations: FileOperations, path: string, operation: string, begin: () => FileSteps<T>): FileAction<T> {
  return fileAction(operations, function* () {
    try {
      return yield* begin();
    } catch (error) {
      throw writeFailed(path, error, operation);
    }
  });
}
