// The numbers of the .cstore format, and its pictures. All integers are little-endian; offsets and lengths count bytes.
//
//   flat, with or without a checksum            records, 32-byte counters
//    0  magic                                    0  magic
//    8  u64 manifest length L                    8  i64 records, i64 rows, u32 crc of [8, 24)
//   16  manifest, L bytes of JSON               28  12 zero bytes
//       zeros up to a multiple of 64            40  u64 manifest length L
//       column 0, column 1, … back to back      48  manifest, L bytes of JSON
//                                                   zeros up to a multiple of 64
//                                                   records
//
//   records, 64-byte counters
//    0  magic
//    8  i64 records, i64 rows, i64 statistics offset, u32 crc of [8, 32)
//   36  36 zero bytes
//   72  u64 manifest length L
//   80  manifest, L bytes of JSON
//       zeros up to a multiple of 64
//       records, then perhaps a statistics footer
//
//   record: "REC\x01", i64 index, i64 rows, i64 0, u32 crc of its first 28 bytes; then column 0, column 1, … back to
//           back; zeros up to a multiple of 8

export const MAGIC: Uint8Array = Uint8Array.of(0x43, 0x53, 0x54, 0x4f, 0x52, 0x45, 0x00, 0x01);
export const FORMAT_VERSION = 1;
export const FILE_EXTENSION = '.cstore';
/** Columns of a flat file and the first record start at a multiple of this. */
export const DATA_ALIGNMENT = 64;
/** Record bodies are padded to a multiple of this. */
export const RECORD_ALIGNMENT = 8;
/** Fewer bytes than this cannot tell the layouts apart. */
export const SMALLEST_FILE_BYTES = 24;

export const FLAT_LENGTH_OFFSET = 8;
export const FLAT_MANIFEST_OFFSET = 16;

export const COUNTERS_OFFSET = 8;
/** What differs between the two generations of record files. */
export interface CountersForm {
  readonly name: 'records-32' | 'records-64';
  readonly blockBytes: number;
  /** How many of the block's first bytes its checksum covers; the checksum follows them, then zeros. */
  readonly coveredBytes: number;
  readonly hasStatistics: boolean;
}
export const COUNTERS_32: CountersForm = { name: 'records-32', blockBytes: 32, coveredBytes: 16, hasStatistics: false };
export const COUNTERS_64: CountersForm = { name: 'records-64', blockBytes: 64, coveredBytes: 24, hasStatistics: true };

export const RECORD_HEADER_BYTES = 32;
export const RECORD_COVERED_BYTES = 28;
export const RECORD_MAGIC: Uint8Array = Uint8Array.of(0x52, 0x45, 0x43, 0x01);

export const STATISTICS_MAGIC: Uint8Array = Uint8Array.of(0x43, 0x53, 0x54, 0x41, 0x54, 0x00, 0x01, 0x00);
export const STATISTICS_VERSION = 1;

/** A manifest beyond this is refused before it is read: about 300,000 columns. */
export const MANIFEST_LIMIT_BYTES = 32 * 1024 * 1024;
/**
 * Each column is one object, of about 70 bytes as its writers have it. A manifest of "{}," alone would take a hundred
 * times its bytes.
 */
export const MANIFEST_LIMIT_OBJECTS = 1_000_000;
/** Four values describe a column, more are ignored. */
export const MANIFEST_LIMIT_VALUES = 5 * MANIFEST_LIMIT_OBJECTS;
/** The format's JSON nests three levels; more than this is an attack on the parser's stack. */
export const MANIFEST_LIMIT_DEPTH = 32;
/** One item's bytes must fit a 32-bit signed integer, as numpy's do. */
export const ITEM_LIMIT_BYTES = 2 ** 31 - 1;
/** The first read of a file: the header and manifest of about 200 columns, and a small file whole. */
export const FIRST_READ_BYTES = 16 * 1024;
