// The 22 bytes of the header <-> version and range of the metadata. The magic is at the start, in the oldest files at
// the end.
import { CorruptFileError, UnsupportedError } from '@colkit/io';
import {
  DATA_OFFSET,
  HEADER_BYTES,
  MAGIC_FIRST,
  MAGIC_FIRST_BYTE,
  MAGIC_LAST,
  MAGIC_SECOND_BYTE,
  VERSION_WRITTEN,
} from './constants.ts';
import type { HeaderForm } from './constants.ts';

export interface Header {
  readonly form: HeaderForm['name'];
  /** '0.2.0' */
  readonly version: string;
  readonly metadataOffset: number;
  readonly metadataLength: number;
}

/**
 * Reads the header of a file of `fileBytes` bytes; the metadata that it points to is within the file and ends where the
 * file ends.
 * @throws CorruptFileError ERR_MAGIC, ERR_TRUNCATED, ERR_METADATA; UnsupportedError ERR_VERSION.
 */
export function readHeader(bytes: Uint8Array, fileBytes: number, path: string): Header {
  const fail = (
    code: 'ERR_MAGIC' | 'ERR_TRUNCATED' | 'ERR_METADATA',
    byteOffset: number,
    expected: string,
    found: string,
  ): CorruptFileError => new CorruptFileError(code, { path, region: 'header', byteOffset, expected, found });
  if (bytes.length < HEADER_BYTES)
    throw fail(
      'ERR_TRUNCATED',
      0,
      `${String(HEADER_BYTES)} bytes`,
      `${String(bytes.length)} before the end of the file`,
    );
  const form = [MAGIC_FIRST, MAGIC_LAST].find(
    ({ magicAt }) => bytes[magicAt] === MAGIC_FIRST_BYTE && bytes[magicAt + 1] === MAGIC_SECOND_BYTE,
  );
  if (form === undefined) {
    const empty = bytes.every((byte) => byte === 0);
    throw fail(
      'ERR_MAGIC',
      0,
      '47 53 at byte 0, or at byte 20 of the oldest files',
      empty ? 'zeros: its writer ended before it closed the file (see recover)' : hex(bytes),
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = [...bytes.subarray(form.versionAt, form.versionAt + 4)];
  const text = version.slice(1).join('.');
  if (version[0] !== 0 || version[1] !== 0) {
    throw new UnsupportedError(
      'ERR_VERSION',
      text,
      `${path}: header at byte ${String(form.versionAt)}: expected version 0.y.z but found the bytes ` +
        version.join(' '),
    );
  }
  const metadataOffset = readInt64(view, form.metadataOffsetAt);
  const metadataLength = readInt64(view, form.metadataLengthAt);
  if (metadataOffset < DATA_OFFSET || metadataOffset > fileBytes) {
    const code = metadataOffset > fileBytes ? 'ERR_TRUNCATED' : 'ERR_METADATA';
    throw fail(
      code,
      form.metadataOffsetAt,
      `a metadata offset in [${String(DATA_OFFSET)}, ${String(fileBytes)}]`,
      String(metadataOffset),
    );
  }
  const available = fileBytes - metadataOffset;
  if (metadataLength !== available) {
    throw fail(
      metadataLength > available ? 'ERR_TRUNCATED' : 'ERR_METADATA',
      form.metadataLengthAt,
      `metadata of ${String(available)} bytes, to the end of the file`,
      String(metadataLength),
    );
  }
  return { form: form.name, version: text, metadataOffset, metadataLength };
}

/** The header of a file in the current form. */
export function encodeHeader(metadataOffset: number, metadataLength: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[0] = MAGIC_FIRST_BYTE;
  bytes[1] = MAGIC_SECOND_BYTE;
  bytes.set(VERSION_WRITTEN.split('.').map(Number), MAGIC_FIRST.versionAt + 1);
  view.setBigInt64(MAGIC_FIRST.metadataOffsetAt, BigInt(metadataOffset), true);
  view.setBigInt64(MAGIC_FIRST.metadataLengthAt, BigInt(metadataLength), true);
  return bytes;
}

/** An i64 as a number: exact within +-2^53, and beyond that still of the right sign and too large for any file. */
export function readInt64(view: DataView, byteOffset: number): number {
  return view.getInt32(byteOffset + 4, true) * 2 ** 32 + view.getUint32(byteOffset, true);
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
