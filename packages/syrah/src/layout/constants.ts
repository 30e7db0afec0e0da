// The numbers of the .syr format, and its pictures. All integers are little-endian; offsets and lengths count bytes;
// offsets are from the start of the file.
//
//   current, and items one by one                       oldest: the magic comes last
//    0  47 53                                            0  version 00 00 01 01
//    2  version 00 x y z (00 00 02 00)                   4  i64 metadata offset M
//    6  i64 metadata offset M                           12  i64 metadata length L
//   14  i64 metadata length L                           20  47 53
//   22  arrays, back to back, no padding                22  arrays
//    M  one BSON document, L bytes, to the end           M  one BSON document, L bytes, to the end
//
//   metadata, current:
//     { "<key>": { "offset": Binary(i64[items]), "size": Binary(i64[items]), "dtype": "<name>" }, … }
//   metadata, item by item:
//     { "<item>": { "<key>": { "dtype": "<name>", "offset": int, "size": int }, … }, … }

export const MAGIC_FIRST_BYTE = 0x47;
export const MAGIC_SECOND_BYTE = 0x53;
export const HEADER_BYTES = 22;
/** Arrays start here. */
export const DATA_OFFSET = HEADER_BYTES;

/** Where the fields of a header are, in the two orders. */
export interface HeaderForm {
  readonly name: 'magic-first' | 'magic-last';
  readonly magicAt: number;
  readonly versionAt: number;
  readonly metadataOffsetAt: number;
  readonly metadataLengthAt: number;
}
export const MAGIC_FIRST: HeaderForm = {
  name: 'magic-first',
  magicAt: 0,
  versionAt: 2,
  metadataOffsetAt: 6,
  metadataLengthAt: 14,
};
export const MAGIC_LAST: HeaderForm = {
  name: 'magic-last',
  magicAt: 20,
  versionAt: 0,
  metadataOffsetAt: 4,
  metadataLengthAt: 12,
};

/** What we write: the version of the last Python release. */
export const VERSION_WRITTEN = '0.2.0';

export const BSON_STRING = 0x02;
export const BSON_DOCUMENT = 0x03;
export const BSON_BINARY = 0x05;
export const BSON_INT32 = 0x10;
export const BSON_INT64 = 0x12;
/** Length and terminator of an empty document. */
export const BSON_SMALLEST_DOCUMENT = 5;
/** BSON's lengths are signed 32-bit numbers. */
export const BSON_LARGEST_DOCUMENT = 2 ** 31 - 1;
/** The longest name that is scanned for its terminator. */
export const NAME_LIMIT_BYTES = 16 * 1024;
/** An item of more keys than this is refused. */
export const KEY_LIMIT = 65_536;
/** Fields of one key's document: three are defined, more are ignored. */
export const FIELD_LIMIT = 32;
/**
 * Arrays that the item-by-item forms may describe: their metadata is held as objects, and was never large (they were
 * written for two months, before any release).
 */
export const ARRAY_LIMIT_ITEM_BY_ITEM = 1024 * 1024;

/**
 * Metadata up to this is read at once and every offset checked on opening; of larger metadata the offsets are read and
 * checked a block at a time, before any use.
 */
export const METADATA_WHOLE_BYTES = 1024 * 1024;
/** What is fetched at once where the structure of large metadata is walked. */
export const METADATA_PAGE_BYTES = 4096;
/** Items whose offsets and sizes are read and checked together: 32 KiB of each. */
export const INDEX_BLOCK_ITEMS = 4096;
