// The side journal of a file being written (PATH.journal): which arrays are where, appended after each item's bytes
// have reached the file (PATH.partial) and before the item is acknowledged. `recover` makes a whole file of the two
// when the writer has died; the lock of the file tells whether it has. It survives the death of the process. After that
// of the machine some of its items may be gone; checksums of records and arrays tell which are there.
//
//    0  "SYRAHJ" 00 04
//    8  u32 length A, u32 CRC-32 of the keys; then the keys, JSON [[name, dtype], …], A bytes: with the first item
//       a record for each item: u32 CRC-32, then for each key i64 offset, i64 size. The CRC is of the record's rest
//       and of the item's arrays, key by key, and goes on from the record before
import { crc32 } from '@colkit/io';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { GrowingFile, Reservation } from '@colkit/io/durable';
import type { KeySpec } from './item-encoder.ts';

export const JOURNAL_MAGIC: Uint8Array = Uint8Array.of(0x53, 0x59, 0x52, 0x41, 0x48, 0x4a, 0x00, 0x04);
/** Length and checksum of the keys. */
export const PART_HEAD_BYTES = 8;

export const recordBytes = (keyCount: number): number => 4 + 16 * keyCount;

export class Journal {
  readonly #reserved: Reservation;
  readonly #file: GrowingFile;
  #record = new Uint8Array(0);
  #previous = 0;

  private constructor(reserved: Reservation, file: GrowingFile) {
    this.#reserved = reserved;
    this.#file = file;
  }

  /** @throws IoError ERR_EXISTS where there is one. */
  static *create(reserved: Reservation): Work<Journal> {
    const journal = new Journal(reserved, yield* perform(reserved.create('.journal')));
    try {
      yield* perform(journal.#file.append([JOURNAL_MAGIC]));
    } catch (error) {
      yield* journal.remove();
      throw error;
    }
    return journal;
  }

  /** The keys, once, before the first record. */
  *begin(keys: readonly KeySpec[]): Work<void> {
    this.#record = new Uint8Array(recordBytes(keys.length));
    yield* perform(this.#file.append([headerPart(keys.map(({ name, dtype }) => [name, dtype]))]));
  }

  /** One item: the offset of each key's array in the file, and its bytes. */
  *add(arrays: readonly (readonly [number, Uint8Array])[]): Work<void> {
    const view = new DataView(this.#record.buffer);
    for (const [key, [byteOffset, bytes]] of arrays.entries()) {
      view.setBigInt64(4 + 16 * key, BigInt(byteOffset), true);
      view.setBigInt64(12 + 16 * key, BigInt(bytes.length), true);
    }
    this.#previous = crc32(this.#record.subarray(4), this.#previous);
    for (const [, bytes] of arrays) this.#previous = crc32(bytes, this.#previous);
    view.setUint32(0, this.#previous, true);
    yield* perform(this.#file.append([this.#record]));
  }

  /** Stops writing and keeps it. May be called again. */
  *close(): Work<void> {
    yield* perform(this.#file.close());
  }

  *remove(): Work<void> {
    yield* this.close();
    yield* perform(this.#reserved.remove('.journal'));
  }
}

/** A value as JSON behind its length and its checksum. */
function headerPart(value: unknown): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(value));
  const bytes = new Uint8Array(PART_HEAD_BYTES + text.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length, true);
  view.setUint32(4, crc32(text), true);
  bytes.set(text, PART_HEAD_BYTES);
  return bytes;
}
