// The side journal of a file being written (PATH.journal): which arrays are where, appended after each item's bytes have reached the file (PATH.partial) and before the item is
// acknowledged. `recover` makes a whole file of the two when the writer has died. It survives the death of the process, not that of the machine.
//
//    0  "SYRAHJ" 00 02
//    8  u32 length A, u32 CRC-32 of the owner; then the owner, JSON { host, pid, name }, A bytes
//       u32 length B, u32 CRC-32 of the keys; then the keys, JSON [[name, dtype], …], B bytes: with the first item
//       a record for each item: u32 CRC-32 (of the record's rest, continued from the record before), then for each key i64 offset, i64 size
import { crc32 } from '@colkit/io';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import type { Actions } from '@colkit/table';
import type { KeySpec } from './item-encoder.ts';
import { ownerOfThisProcess } from './journal-owner.ts';
import { attempt, writeFully, writeFullySync } from './partial-file.ts';

export const JOURNAL_MAGIC: Uint8Array = Uint8Array.of(0x53, 0x59, 0x52, 0x41, 0x48, 0x4a, 0x00, 0x02);
/** Length and checksum of a part of the header. */
export const PART_HEAD_BYTES = 8;
/** What is in the place of the magic's last byte once the writer has given up: its process goes on, and is no longer at work. */
export const GIVEN_UP = 0xff;

export const journalPath = (path: string): string => `${path}.journal`;
export const recordBytes = (keyCount: number): number => 4 + 16 * keyCount;

export class Journal {
  readonly #path: string;
  readonly #fd: number;
  #open = true;
  #position = 0;
  #record = new Uint8Array(0);
  #previous = 0;

  /** Creates it, with its owner. @throws IoError ERR_EXISTS where there is one. */
  constructor(target: string) {
    this.#path = journalPath(target);
    this.#fd = attempt('create', this.#path, () => openSync(this.#path, 'wx'));
    try {
      const owner = headerPart(ownerOfThisProcess());
      const bytes = new Uint8Array(JOURNAL_MAGIC.length + owner.length);
      bytes.set(JOURNAL_MAGIC);
      bytes.set(owner, JOURNAL_MAGIC.length);
      writeFullySync(this.#fd, this.#path, bytes, 0);
      this.#position = bytes.length;
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** The keys, once, before the first record. */
  *begin(keys: readonly KeySpec[]): Actions {
    this.#record = new Uint8Array(recordBytes(keys.length));
    yield* this.#append(headerPart(keys.map(({ name, dtype }) => [name, dtype])));
  }

  /** One item: places[key] = [offset, size]. */
  *add(places: readonly (readonly [number, number])[]): Actions {
    const view = new DataView(this.#record.buffer);
    for (const [key, [byteOffset, byteLength]] of places.entries()) {
      view.setBigInt64(4 + 16 * key, BigInt(byteOffset), true);
      view.setBigInt64(12 + 16 * key, BigInt(byteLength), true);
    }
    this.#previous = crc32(this.#record.subarray(4), this.#previous);
    view.setUint32(0, this.#previous, true);
    yield* this.#append(this.#record);
  }

  /** Stops writing and keeps it, as one whose writer is not at work any more. Idempotent. */
  giveUp(): void {
    if (!this.#open) return;
    try {
      writeSync(this.#fd, Uint8Array.of(GIVEN_UP), 0, 1, JOURNAL_MAGIC.length - 1);
    } catch {
      // Then it counts as at work until the process ends.
    }
    this.#close();
  }

  remove(): void {
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#fd);
  }

  *#append(bytes: Uint8Array): Actions {
    const position = this.#position;
    yield { run: () => writeFully(this.#fd, this.#path, bytes, position), runSync: () => writeFullySync(this.#fd, this.#path, bytes, position) };
    this.#position += bytes.length;
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
