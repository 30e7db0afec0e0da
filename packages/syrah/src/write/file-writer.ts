// One .syr file being written: array bytes as items come, then the metadata, then the header, then the file gets its
// name. Nothing is visible at the path before.
import { ClosedError, alignUp, describeValue, isAttached } from '@colkit/io';
import type { Output } from '@colkit/io/durable';
import type { Work } from '@colkit/io/effects';
import { HEADER_BYTES } from '../layout/constants.ts';
import { encodeHeader } from '../layout/header.ts';
import { encodePartMark } from '../layout/part-mark.ts';
import type { PartMark } from '../layout/part-mark.ts';
import { BufferedOutput } from './buffered-output.ts';
import type { EncodedItem, KeySpec } from './item-encoder.ts';
import type { Journal } from './journal.ts';
import { MetadataBuilder } from './metadata-builder.ts';

/** What one file came to. */
export interface WrittenFile {
  readonly path: string;
  readonly itemCount: number;
  readonly byteLength: number;
}

export interface FileWriterParts {
  readonly path: string;
  readonly output: Output;
  /** Of what is in the output. */
  readonly journal: Journal | null;
  /** Called last, whatever became of the file; `keep`: a journal's file is left to `recover`. */
  readonly end: (how: 'published' | 'aborted' | 'kept') => Work<void>;
  /** Arrays start at multiples of it. */
  readonly align: number;
}

const NO_BYTES = new Uint8Array(0);

export class FileWriter {
  readonly path: string;
  readonly #parts: FileWriterParts;
  readonly #output: BufferedOutput;
  #metadata: MetadataBuilder | null = null;

  constructor(parts: FileWriterParts) {
    this.path = parts.path;
    this.#parts = parts;
    this.#output = new BufferedOutput(parts.output);
  }

  get itemCount(): number {
    return this.#metadata?.itemCount ?? 0;
  }

  /** Array bytes so far, the header included. */
  get byteLength(): number {
    return Math.max(HEADER_BYTES, this.#output.position);
  }

  /** Bytes of metadata with one more item. */
  metadataBytesWithOneMore(keys: readonly KeySpec[]): number {
    return (this.#metadata ?? new MetadataBuilder(keys)).byteLengthWith(this.itemCount + 1);
  }

  /** Takes the arrays of an item, one for each key in their order, if that needs no action; false: nothing was done. */
  tryAppend(arrays: readonly ArrayBufferView[]): boolean {
    const metadata = this.#metadata;
    const output = this.#output;
    if (metadata === null || this.#parts.journal !== null || this.#parts.align > 1) return false;
    let byteLength = 0;
    for (let key = 0; key < arrays.length; key += 1) byteLength += (arrays[key] as ArrayBufferView).byteLength;
    if (!output.hasRoom(byteLength)) return false;
    let position = output.position;
    for (let key = 0; key < arrays.length; key += 1) {
      const array = arrays[key] as ArrayBufferView;
      metadata.add(key, position, array.byteLength);
      output.putArray(array);
      position += array.byteLength;
    }
    metadata.endItem();
    return true;
  }

  /** With a journal, the item's bytes and its record have left the process when this ends. */
  *append(item: EncodedItem, keys: readonly KeySpec[]): Work<void> {
    const metadata = this.#metadata ?? (yield* this.#begin(keys));
    const output = this.#output;
    const starts = new Array<number>(keys.length);
    const lengths = new Array<number>(keys.length).fill(0);
    const arrays = new Array<Uint8Array>(keys.length).fill(NO_BYTES);
    for (const { key, bytes } of item.arrays) {
      if (this.#parts.align > 1) yield* this.#pad();
      starts[key] = output.position;
      arrays[key] = bytes;
      // No generator for what only fills the buffer: small arrays would pay more for it than for their bytes.
      const { length } = bytes;
      lengths[key] = length;
      if (!isAttached(bytes)) throw detached(keys[key]);
      if (!output.tryPut(bytes)) yield* output.put(bytes);
      // Half of it may have been written.
      if (bytes.length !== length) throw detached(keys[key]);
    }
    if (this.#parts.journal !== null) {
      yield* output.flush();
      for (const [key, { length }] of arrays.entries()) if (length !== lengths[key]) throw detached(keys[key]);
      yield* this.#parts.journal.add(arrays.map((bytes, key) => [starts[key] ?? 0, bytes]));
    }
    for (let key = 0; key < keys.length; key += 1) metadata.add(key, starts[key] ?? 0, lengths[key] ?? 0);
    metadata.endItem();
  }

  /** Metadata and header: all bytes of the file, under a name of their own. @param keys of a file without items. */
  *complete(keys: readonly KeySpec[], mark: PartMark | null): Work<WrittenFile> {
    const { output, path } = this.#parts;
    const metadata = this.#metadata ?? (yield* this.#begin(keys));
    if (mark !== null) yield* this.#output.put(encodePartMark(mark));
    const metadataOffset = this.#output.position;
    for (const block of metadata.blocks()) yield* this.#output.put(block);
    yield* this.#output.flush();
    const byteLength = this.#output.position;
    const header = encodeHeader(metadataOffset, byteLength - metadataOffset);
    yield output.writeAt(0, header);
    return { path, itemCount: metadata.itemCount, byteLength };
  }

  /** Gives the complete file its name. */
  *publish(): Work<void> {
    const { output, journal, end } = this.#parts;
    yield output.finish();
    if (journal !== null) yield* journal.remove();
    yield* end('published');
  }

  /** Leaves nothing behind, also after a failure. */
  *abort(): Work<void> {
    const { output, journal, end } = this.#parts;
    yield output.abort();
    if (journal !== null) yield* journal.remove();
    yield* end('aborted');
  }

  /** After a failure: what a journal describes is kept for `recover`, everything else goes. */
  *giveUp(): Work<void> {
    const { output, journal, end } = this.#parts;
    if (journal === null) yield output.abort();
    else yield* journal.close();
    yield* end('kept');
  }

  *#begin(keys: readonly KeySpec[]): Work<MetadataBuilder> {
    yield* this.#output.put(new Uint8Array(HEADER_BYTES));
    if (this.#parts.journal !== null && keys.length > 0) {
      yield* this.#output.flush();
      yield* this.#parts.journal.begin(keys);
    }
    this.#metadata = new MetadataBuilder(keys);
    return this.#metadata;
  }

  *#pad(): Work<void> {
    const { align } = this.#parts;
    const padding = alignUp(this.#output.position, align) - this.#output.position;
    if (padding > 0) yield* this.#output.put(new Uint8Array(padding));
  }
}

/** The caller sent an array to another thread, or cut its buffer, while its item was being written. */
function detached(key: KeySpec | undefined): ClosedError {
  return new ClosedError('addItem', `key ${describeValue(key?.name)}`, 'ERR_DETACHED');
}
