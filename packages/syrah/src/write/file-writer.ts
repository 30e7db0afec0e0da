// One .syr file being written: array bytes as items come, then the metadata, then the header, then the file gets its name. Nothing is visible at the path before.
import type { Sink } from '@colkit/io';
import { alignUp } from '@colkit/io';
import type { Actions } from '@colkit/table';
import { HEADER_BYTES } from '../layout/constants.ts';
import { encodeHeader } from '../layout/header.ts';
import { BufferedOutput } from './buffered-output.ts';
import type { EncodedItem, KeySpec } from './item-encoder.ts';
import type { Journal } from './journal.ts';
import { MetadataBuilder } from './metadata-builder.ts';
import type { PartialFile } from './partial-file.ts';

/** What one file came to. */
export interface WrittenFile {
  readonly path: string;
  readonly itemCount: number;
  readonly byteLength: number;
}

export interface FileWriterParts {
  readonly path: string;
  readonly sink: Sink;
  /** With the sink that it describes. */
  readonly journaled: { readonly journal: Journal; readonly file: PartialFile } | null;
  /** Arrays start at multiples of it. */
  readonly align: number;
}

export class FileWriter {
  readonly path: string;
  readonly #parts: FileWriterParts;
  readonly #output: BufferedOutput;
  #metadata: MetadataBuilder | null = null;

  constructor(parts: FileWriterParts) {
    this.path = parts.path;
    this.#parts = parts;
    this.#output = new BufferedOutput(parts.sink);
  }

  get itemCount(): number {
    return this.#metadata?.itemCount ?? 0;
  }

  /** Array bytes so far, the header's place included. */
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
    if (metadata === null || this.#parts.journaled !== null || this.#parts.align > 1) return false;
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
  *append(item: EncodedItem, keys: readonly KeySpec[]): Actions {
    const metadata = this.#metadata ?? (yield* this.#begin(keys));
    const output = this.#output;
    const starts = new Array<number>(keys.length);
    const lengths = new Array<number>(keys.length);
    for (const { key, bytes } of item.arrays) {
      if (this.#parts.align > 1) yield* this.#pad();
      starts[key] = output.position;
      lengths[key] = bytes.length;
      // No generator for what only fills the buffer: small arrays would pay more for it than for their bytes.
      if (!output.tryPut(bytes)) yield* output.put(bytes);
    }
    if (this.#parts.journaled !== null) {
      yield* output.flush();
      yield* this.#parts.journaled.journal.add(keys.map((_, key) => [starts[key] ?? 0, lengths[key] ?? 0]));
    }
    for (let key = 0; key < keys.length; key += 1) metadata.add(key, starts[key] ?? 0, lengths[key] ?? 0);
    metadata.endItem();
  }

  /** Metadata, header, name. */
  *finish(): Actions<WrittenFile> {
    const { sink, journaled, path } = this.#parts;
    if (this.#metadata === null) yield* this.#begin([]);
    const metadata = this.#metadata ?? new MetadataBuilder([]);
    const metadataOffset = this.#output.position;
    for (const piece of metadata.pieces()) yield* this.#output.put(piece);
    yield* this.#output.flush();
    const byteLength = this.#output.position;
    const header = encodeHeader(metadataOffset, byteLength - metadataOffset);
    yield { run: () => sink.writeAt(0, header), runSync: () => sink.writeAtSync(0, header) };
    yield { run: () => sink.finish(), runSync: () => sink.finishSync() };
    journaled?.journal.remove();
    return { path, itemCount: metadata.itemCount, byteLength };
  }

  /** Leaves nothing behind, also after a failure. */
  *abort(): Actions {
    const { sink, journaled } = this.#parts;
    yield { run: () => sink.abort(), runSync: () => sink.abortSync() };
    journaled?.journal.remove();
  }

  /** After a failure: what a journal describes is kept for `recover`, everything else goes. */
  *giveUp(): Actions {
    const { sink, journaled } = this.#parts;
    if (journaled === null) yield { run: () => sink.abort(), runSync: () => sink.abortSync() };
    journaled?.file.close();
    journaled?.journal.giveUp();
  }

  *#begin(keys: readonly KeySpec[]): Actions<MetadataBuilder> {
    yield* this.#output.put(new Uint8Array(HEADER_BYTES));
    if (this.#parts.journaled !== null && keys.length > 0) {
      yield* this.#output.flush();
      yield* this.#parts.journaled.journal.begin(keys);
    }
    this.#metadata = new MetadataBuilder(keys);
    return this.#metadata;
  }

  *#pad(): Actions {
    const { align } = this.#parts;
    const padding = alignUp(this.#output.position, align) - this.#output.position;
    if (padding > 0) yield* this.#output.put(new Uint8Array(padding));
  }
}
