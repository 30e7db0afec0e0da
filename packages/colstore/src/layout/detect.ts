// The first bytes of a file -> which of the wire layouts it has. All of them share magic and format_version, so fixed
// bytes decide, and a checksum confirms later: bytes 16..23 of a flat file are JSON text, which never holds a zero
// byte, while in a record file they count rows, so that byte 23 is zero for fewer than 2^56 of them; and bytes 48..55
// are reserved zeros under 64-byte counters, but JSON text under 32-byte counters. Reserved bytes that are not zero are
// no damage: no reader looks at them. There the checksums decide, which cover other bytes and stand elsewhere in the
// two forms.
import { crc32 } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { bytesEqual, dataViewOf, hex } from './bytes.ts';
import {
  COUNTERS_32,
  COUNTERS_64,
  COUNTERS_OFFSET,
  FIRST_READ_BYTES,
  MAGIC,
  SMALLEST_FILE_BYTES,
} from './constants.ts';
import type { CountersForm } from './constants.ts';
import type { FileBytes } from './file-bytes.ts';

export type WireForm = 'flat' | CountersForm;

const ROW_COUNT_TOP_BYTE = 23;
const RESERVED_OFFSET = 48;
const RESERVED_BYTES = 8;
const OPENING_BRACE = 0x7b;

/** @throws CorruptFileError ERR_MAGIC, ERR_TRUNCATED. */
export function* detectForm(file: FileBytes): Work<WireForm> {
  const magic = yield* file.take(0, Math.min(MAGIC.length, file.byteLength), 'magic', FIRST_READ_BYTES);
  if (!bytesEqual(magic, MAGIC.subarray(0, magic.length)))
    throw file.corrupt('ERR_MAGIC', 'magic', 0, hex(MAGIC), hex(magic));
  const head = yield* file.take(0, SMALLEST_FILE_BYTES, 'header');
  if (head[ROW_COUNT_TOP_BYTE] !== 0) return 'flat';
  const reserved = yield* file.take(RESERVED_OFFSET, RESERVED_BYTES, 'header');
  if (reserved.every((byte) => byte === 0)) return COUNTERS_64;
  const counters = yield* file.take(COUNTERS_OFFSET, COUNTERS_64.coveredBytes + 4, 'counters');
  const [is32, is64] = [confirms(COUNTERS_32, counters), confirms(COUNTERS_64, counters)];
  // Both, or neither: only the manifest of 32-byte counters starts here.
  return (is32 === is64 ? reserved[0] === OPENING_BRACE : is32) ? COUNTERS_32 : COUNTERS_64;
}

/** Whether the counters carry the checksum that they must have in this form. */
function confirms({ coveredBytes }: CountersForm, counters: Uint8Array): boolean {
  return dataViewOf(counters).getUint32(coveredBytes, true) === crc32(counters.subarray(0, coveredBytes));
}
