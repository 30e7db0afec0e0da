// Hand-made .cstore files of any layout, and layouts read straight from bytes without a source.
import { crc32 } from 'node:zlib';
import { readLayout } from '../../src/layout/read-layout.ts';
import type { FileLayout } from '../../src/layout/read-layout.ts';
import { MemorySource } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

export interface HandColumn {
  readonly name: string;
  readonly descr: string;
  readonly bytes: Uint8Array;
}

export const text = (value: string): Uint8Array => new TextEncoder().encode(value);

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
export const i64 = (value: number | bigint): Uint8Array => new Uint8Array(BigInt64Array.of(BigInt(value)).buffer);
export const padTo = (bytes: Uint8Array, alignment: number): Uint8Array =>
  concat(bytes, new Uint8Array((alignment - (bytes.length % alignment)) % alignment));
export const MAGIC_BYTES = Uint8Array.of(0x43, 0x53, 0x54, 0x4f, 0x52, 0x45, 0, 1);

/** A flat file with the given manifest text and data. */
export const flatFile = (manifest: string | Uint8Array, data: Uint8Array = new Uint8Array(0)): Uint8Array => {
  const json = typeof manifest === 'string' ? text(manifest) : manifest;
  return concat(padTo(concat(MAGIC_BYTES, i64(json.length), json), 64), data);
};

export const counters32 = (records: number | bigint, rows: number | bigint): Uint8Array => {
  const covered = concat(i64(records), i64(rows));
  return concat(covered, u32(crc32(covered)), new Uint8Array(12));
};

export const counters64 = (
  records: number | bigint,
  rows: number | bigint,
  statistics: number | bigint = 0,
): Uint8Array => {
  const covered = concat(i64(records), i64(rows), i64(statistics));
  return concat(covered, u32(crc32(covered)), new Uint8Array(36));
};

export const recordHeader = (index: number | bigint, rows: number | bigint): Uint8Array => {
  const covered = concat(Uint8Array.of(0x52, 0x45, 0x43, 1), i64(index), i64(rows), i64(0));
  return concat(covered, u32(crc32(covered)));
};

/** A manifest with the standard keys and, unless told otherwise, the right checksum for names of plain ASCII. */
export function recordManifest(
  columns: readonly Pick<HandColumn, 'name' | 'descr'>[],
  checksum?: number | null,
): string {
  const sorted = columns
    .map(({ name, descr }) => `{"dtype": "${descr}", "encoding": "raw", "name": "${name}", "nullable": false}`)
    .join(', ');
  const stored = columns
    .map(({ name, descr }) => `{"name": "${name}", "dtype": "${descr}", "encoding": "raw", "nullable": false}`)
    .join(', ');
  const sum = checksum === undefined ? crc32(text(`{"columns": [${sorted}]}`)) : checksum;
  return `{"format_version": 1, "columns": [${stored}]${sum === null ? '' : `, "manifest_crc32": ${String(sum)}`}}`;
}

/** A record file: `counters` decides the generation; `records` are bodies with their row counts. */
export function recordFile(
  counters: Uint8Array,
  manifest: string,
  records: readonly { readonly rows: number; readonly body: Uint8Array }[],
): Uint8Array {
  const json = text(manifest);
  const head = padTo(concat(MAGIC_BYTES, counters, i64(json.length), json), 64);
  return concat(head, ...records.flatMap(({ rows, body }, index) => [recordHeader(index, rows), padTo(body, 8)]));
}

/** Bytes as a source that records what is asked of it, and fails the test where that is outside of the file. */
export function recording(
  bytes: Uint8Array,
  asked: { byteOffset: number; byteLength: number }[] = [],
): RandomAccessSource {
  const source = new MemorySource(bytes, 'hand.cstore');
  const readSync = (byteOffset: number, out: Uint8Array): void => {
    if (byteOffset < 0 || out.length === 0 || byteOffset + out.length > bytes.length)
      throw new Error(`asked for ${String(out.length)} bytes at ${String(byteOffset)} of ${String(bytes.length)}`);
    asked.push({ byteOffset, byteLength: out.length });
    source.readSync(byteOffset, out);
  };
  return Object.assign(Object.create(source) as RandomAccessSource, {
    path: source.path,
    byteLength: source.byteLength,
    readSync,
  });
}

/** Performs a work over bytes. */
export const runOver = <T>(work: (source: RandomAccessSource) => Work<T>, bytes: Uint8Array): T =>
  runSync(work(recording(bytes)));

export const layoutOf = (bytes: Uint8Array, asked?: { byteOffset: number; byteLength: number }[]): FileLayout =>
  runSync(readLayout(recording(bytes, asked)));

/** What a call throws. */
export function errorOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
