// Writing .syr files: items in, one after the other; a file whole or not at all. Calls may overlap: they take effect in
// the order in which they were made.
import { ArgumentError, LimitError, describeValue } from '@colkit/io';
import { WriterCalls, breaking } from '@colkit/io/durable';
import { isAwaited, iterated } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { PartMark } from '../layout/part-mark.ts';
import { partPath } from '../layout/part-mark.ts';
import type { FileWriter, WrittenFile } from './file-writer.ts';
import { ItemEncoder } from './item-encoder.ts';
import type { EncodedItem, ItemInput, KeySpec, NamedArrays } from './item-encoder.ts';

export interface WriterParts {
  readonly path: string;
  readonly startFile: (path: string) => Work<FileWriter>;
  readonly maxMetadataBytes: number;
  readonly roll: boolean;
  /** Parts of a set that is to replace another get their names at the end, all together. */
  readonly holdsBack: boolean;
  /** Takes away what is left of the set that was replaced, behind so many parts. */
  readonly removeOldParts: (partCount: number) => Work<void>;
  /** Null: the first item decides. */
  readonly keys: readonly KeySpec[] | null;
}

export class SyrahWriter {
  readonly path: string;
  readonly #parts: WriterParts;
  readonly #encoder: ItemEncoder;
  readonly #calls: WriterCalls;
  readonly #finished: WrittenFile[] = [];
  /** Complete parts without their names, in order. */
  readonly #held: FileWriter[] = [];
  /** Of the parts of this writing; made when there is a second one. */
  #set: string | null = null;
  #file: FileWriter;
  #itemCount = 0;

  /** Made by `create`. */
  constructor(file: FileWriter, parts: WriterParts) {
    this.path = parts.path;
    this.#parts = parts;
    this.#file = file;
    this.#encoder = new ItemEncoder(parts.keys);
    this.#calls = new WriterCalls(this, {
      path: parts.path,
      leak: {
        message: `${parts.path} was not written: its writer was never closed`,
        type: 'SyrahWriterLeak',
        detail: 'call close(), or declare the writer with "await using"',
      },
      giveUp: () => this.#giveUp(),
    });
  }

  /** Items accepted so far, over all files. */
  get itemCount(): number {
    return this.#itemCount;
  }

  /** Keys and dtypes; null before the first item where no schema was given. */
  get schema(): readonly KeySpec[] | null {
    return this.#encoder.keys;
  }

  get closed(): boolean {
    return this.#calls.closed;
  }

  /**
   * Appends an item. Waits while the file is behind (the arrays must not change before it resolves). A refused item
   * leaves nothing in the file.
   * @throws ArgumentError ERR_SCHEMA where keys or dtypes are not the first item's, ERR_VALUE; LimitError
   * ERR_METADATA_TOO_LARGE, after which the file can still be closed, whole; IoError.
   */
  async addItem<I extends NamedArrays<I>>(item: ItemInput | I): Promise<void> {
    if (this.#tryAdd(item)) return;
    const encoded = this.#encode('addItem', item);
    await this.#calls.run(() => this.#append(encoded));
  }

  addItemSync<I extends NamedArrays<I>>(item: ItemInput | I): void {
    if (this.#tryAdd(item)) return;
    const encoded = this.#encode('addItemSync', item);
    this.#calls.runSync('addItemSync', () => this.#append(encoded));
  }

  /** Appends each item, one at a time: an iterable is only taken as fast as the file is written. */
  async addItems<I extends NamedArrays<I>>(
    items: Iterable<ItemInput | I> | AsyncIterable<ItemInput | I>,
  ): Promise<void> {
    checkIterable(items);
    for await (const item of iterated(items)) await this.addItem(item);
  }

  addItemsSync<I extends NamedArrays<I>>(items: Iterable<ItemInput | I>): void {
    checkIterable(items);
    for (const item of items) this.addItemSync(item);
  }

  /**
   * Writes metadata and header, then gives the file its name. Idempotent.
   * @returns what was written, one entry for each file.
   */
  async close(): Promise<readonly WrittenFile[]> {
    await this.#calls.close(() => breaking(this.#finish()));
    return this.#finished;
  }

  closeSync(): readonly WrittenFile[] {
    this.#calls.closeSync('closeSync', () => breaking(this.#finish()));
    return this.#finished;
  }

  /**
   * Gives up the current file: nothing of it is left. Idempotent; does nothing after a failure, which leaves to
   * `recover` what a journal describes.
   */
  abort(): Promise<void> {
    return this.#calls.abort(() => this.#abort());
  }

  abortSync(): void {
    this.#calls.abortSync('abortSync', () => this.#abort());
  }

  [Symbol.dispose](): void {
    this.closeSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The short way of most items: into the buffer. False: nothing was done. */
  #tryAdd(item: ItemInput): boolean {
    if (!this.#calls.idle) return false;
    const arrays = this.#encoder.plainArrays(item);
    if (
      arrays === null ||
      this.#file.metadataBytesWithOneMore(this.#encoder.keys ?? []) > this.#parts.maxMetadataBytes ||
      !this.#file.tryAppend(arrays)
    )
      return false;
    this.#itemCount += 1;
    return true;
  }

  #encode(operation: string, item: ItemInput): EncodedItem {
    this.#calls.requireOpen(operation);
    const encoded = this.#encoder.encode(item, this.#itemCount);
    this.#itemCount += 1;
    return encoded;
  }

  *#append(item: EncodedItem): Work<void> {
    const keys = this.#encoder.keys ?? [];
    const bytes = this.#file.metadataBytesWithOneMore(keys);
    if (bytes > this.#parts.maxMetadataBytes) {
      if (!this.#parts.roll || this.#file.itemCount === 0) {
        this.#itemCount -= 1;
        throw new LimitError(
          'ERR_METADATA_TOO_LARGE',
          `${this.#file.path}: bytes of metadata with item ${String(this.#file.itemCount)} (close this file and ` +
            'go on in another one, or pass { roll: true })',
          this.#parts.maxMetadataBytes,
          bytes,
        );
      }
      yield* breaking(this.#roll(keys));
    }
    yield* breaking(this.#file.append(item, keys));
  }

  /** On to the next part. A part that replaces nothing has its name at once: should the writer die, it is there. */
  *#roll(keys: readonly KeySpec[]): Work<void> {
    this.#set ??= crypto.randomUUID().replaceAll('-', '');
    const written = yield* this.#file.complete(keys, this.#mark(null));
    if (this.#parts.holdsBack) this.#held.push(this.#file);
    else yield* this.#file.publish();
    this.#finished.push(written);
    this.#file = yield* this.#parts.startFile(partPath(this.path, this.#finished.length));
  }

  /**
   * The first part gets its name last: until then a reader finds the old file or set there, or sees by their marks that
   * the parts belong to two sets.
   */
  *#finish(): Work<void> {
    const written = yield* this.#file.complete(this.#encoder.keys ?? [], this.#mark(this.#finished.length + 1));
    for (const file of [...this.#held.splice(1), this.#file, ...this.#held]) yield* file.publish();
    this.#held.length = 0;
    this.#finished.push(written);
    yield* this.#parts.removeOldParts(this.#finished.length);
  }

  #mark(count: number | null): PartMark | null {
    return this.#set === null ? null : { set: this.#set, number: this.#finished.length, count };
  }

  *#abort(): Work<void> {
    for (const file of [...this.#held.splice(0), this.#file]) yield* file.abort();
  }

  *#giveUp(): Work<void> {
    for (const file of [...this.#held.splice(0), this.#file]) yield* file.giveUp();
  }
}

function checkIterable(items: unknown): void {
  if (isAwaited(items) || (typeof items === 'object' && items !== null && Symbol.iterator in items)) return;
  throw new ArgumentError('ERR_ARGUMENT', 'items', 'an iterable of items', describeValue(items));
}
