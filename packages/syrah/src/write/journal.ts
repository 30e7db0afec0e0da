// The side journal of a file being written (PATH.journal): which arrays are where, appended after each item's bytes have reached the file (PATH.partial) and before the item is
// acknowledged. `recover` makes a whole file of the two when the writer has died. It survives the death of the process, not that of the machine.
//
//    0  "SYRAHJ" 00 01
//    8  u32 length L, u32 CRC-32 of the header
//   16  header: JSON { owner: { host, pid, startedAt }, keys: [[name, dtype], …] }
//   16 + L  a record for each item: u32 CRC-32 (of the record's rest, continued from the record before), then for each key i64 offset, i64 size
import { crc32 } from '@colkit/io';
import { closeSync, openSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Actions } from '@colkit/table';
import type { KeySpec } from './item-encoder.ts';
import { attempt, writeFully, writeFullySync } from './partial-file.ts';

export const JOURNAL_MAGIC: Uint8Array = Uint8Array.of(0x53, 0x59, 0x52, 0x41, 0x48, 0x4a, 0x00, 0x01);
export const JOURNAL_HEADER_OFFSET = 16;

export interface JournalHeader {
  readonly owner: JournalOwner;
  readonly keys: readonly (readonly [string, string])[];
}

/** The process that writes. */
export interface JournalOwner {
  readonly host: string;
  readonly pid: number;
  /** Milliseconds since 1970: tells a process from a later one of the same number. */
  readonly startedAt: number;
}

export const journalPath = (path: string): string => `${path}.journal`;
export const recordBytes = (keyCount: number): number => 4 + 16 * keyCount;
export const thisProcess = (): JournalOwner => ({ host: hostname(), pid: process.pid, startedAt: Math.round(performance.timeOrigin) });

export class Journal {
  readonly #path: string;
  readonly #fd: number;
  #open = true;
  #position = 0;
  #record = new Uint8Array(0);
  #previous = 0;

  /** Creates it, empty. @throws IoError ERR_EXISTS where there is one. */
  constructor(target: string) {
    this.#path = journalPath(target);
    this.#fd = attempt('create', this.#path, () => openSync(this.#path, 'wx'));
  }

  /** The header, once, before the first record. */
  *begin(keys: readonly KeySpec[]): Actions {
    const header: JournalHeader = { owner: thisProcess(), keys: keys.map(({ name, dtype }) => [name, dtype]) };
    const text = new TextEncoder().encode(JSON.stringify(header));
    const bytes = new Uint8Array(JOURNAL_HEADER_OFFSET + text.length);
    const view = new DataView(bytes.buffer);
    bytes.set(JOURNAL_MAGIC);
    view.setUint32(8, text.length, true);
    view.setUint32(12, crc32(text), true);
    bytes.set(text, JOURNAL_HEADER_OFFSET);
    this.#record = new Uint8Array(recordBytes(keys.length));
    yield* this.#append(bytes);
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

  /** Stops writing and keeps it. Idempotent. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#fd);
  }

  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }

  *#append(bytes: Uint8Array): Actions {
    const position = this.#position;
    yield { run: () => writeFully(this.#fd, this.#path, bytes, position), runSync: () => writeFullySync(this.#fd, this.#path, bytes, position) };
    this.#position += bytes.length;
  }
}
