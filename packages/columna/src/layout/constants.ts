// The numbers of the .cna format, version 1. The whole specification, with every field and worked examples, is
// docs/formats/columna.md.
//
//   0x0000  "CNA1"
//   0x0004  row group 0: chunk of column 0 [dictionary page] page page …, chunk of column 1 …
//           row group 1 …
//           footer: column blocks | schema (JSON) | row group table | column directory | footer tail (64 bytes)
//           trailer: FOOTER_LEN (u32) "CNA1"
//
//   page:   header (28 bytes, at 4 modulo 8) | body (at a multiple of 8) | padding to a multiple of 8 bytes of page

export const MAGIC = 0x31414e43; // "CNA1" read as a little-endian u32
export const MAGIC_BYTES = 4;
export const FIRST_ROW_GROUP_OFFSET = 4;
export const TRAILER_BYTES = 8;
/** "CNA1" and a trailer: less is no .cna file. */
export const SMALLEST_FILE_BYTES = MAGIC_BYTES + TRAILER_BYTES;

export const FORMAT_VERSION = 1;
export const MIN_READER_VERSION = 1;

export const PAGE_HEADER_BYTES = 28;
export const PAGE_ALIGNMENT = 8;
export const MAX_PAGE_ROWS = 65_536;
export const MAX_DICTIONARY_ENTRIES = 65_536;
export const NODE_HEADER_BYTES = 8;
export const MAX_NODE_DEPTH = 8;

export const FOOTER_TAIL_BYTES = 64;
export const ROW_GROUP_ENTRY_BYTES = 16;
export const DIRECTORY_ENTRY_BYTES = 16;
export const CHUNK_ENTRY_BYTES = 64;
export const PAGE_ENTRY_BYTES = 32;
/** Bounds of byte strings in statistics are cut to this. */
export const STATISTICS_STRING_BYTES = 64;

/** No DEFLATE stream expands more than this: 258 bytes from two bits, and what block headers add. */
export const MAX_DEFLATE_RATIO = 1032;

/** By id. What each of them is stands in columns/encodings. */
export const ENCODING_NAMES = [
  'PLAIN',
  'DELTA',
  'DICTIONARY',
  'RLE',
  'BITPACK',
  'DECIMAL',
  'AFFINE',
  'PATCHED',
  'ENTROPY',
  'BITS',
  'CODES',
  'BLOCKS',
  'ONPAIR',
  'MATCHES',
  'FRONT',
] as const;
export type EncodingName = (typeof ENCODING_NAMES)[number];

/** The id of each encoding: its index among the names. */
export const Encoding = Object.fromEntries(ENCODING_NAMES.map((name, id) => [name, id])) as {
  readonly [Name in EncodingName]: number;
};

export const PageKind = { DATA: 0, DICTIONARY: 1 } as const;
export const Codec = { NONE: 0, DEFLATE: 1 } as const;
export type CodecName = keyof typeof Codec;
