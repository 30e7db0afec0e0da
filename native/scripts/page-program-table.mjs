// What TypeScript and C++ agree on where pages of a .cna file are decoded: the numbers of a job and of its result, in
// this order, the forms, the limits; and what the C++ has to know of the format. One table, from which
// generate-page-program.mjs writes the constants of both.

/** Numbers of a job: name and meaning. */
export const JOB = [
  ['byteOffset', 'of the page in the file'],
  ['byteLength', 'of the page with its padding'],
  ['typeId', 'type id of the column, as the page header has it'],
  ['column', "the lowest 16 bits of the column's number"],
  ['rowCount', 'rows of the page'],
  ['start', 'items, select, groups, folds: rows [start, end) of the page'],
  ['end', 'see start'],
  ['form', 'one of the forms'],
  ['output', 'which of the outputs gets the values'],
  ['outputOffset', 'the byte in it: a multiple of the item bytes (of 8 for other forms than items)'],
  ['validityOutput', 'the output of the validity bitmap if some rows are null; negative: a page with nulls is left'],
  ['validityOffset', 'the byte in it'],
  [
    'hasDictionary',
    'numbers, select, groups, folds, items that follow none: 1 where the chunk has a dictionary, so that codes are ' +
      'expected; else 0',
  ],
  ['follows', 'items, select, groups, folds: 1 where the job goes on with what the job before it found; else 0'],
  ['testOutput', 'select: the output that holds the test; of listed rows the one that holds these'],
  ['testOffset', 'the byte in it'],
  [
    'testLength',
    'select: bytes of the test; groups, folds: how many groups there is room for; items that follow: how many ' +
      'items; texts: bytes there is room for',
  ],
  [
    'listed',
    'groups, folds, texts, numbers, items that follow none: how many rows of [start, end) are listed where the test ' +
      'of a select would be, as u32, ascending (of numbers and items in any order); 0: all. Jobs that follow are ' +
      'about the same rows',
  ],
  [
    'wanted',
    'folds: 1 for sums, 2 for extremes, 3 for both, 4 for moments, 0 for counts alone; select: 1 for rows that are ' +
      'null, 2 for those that are not, whatever the test, 0 for those of which the value passes',
  ],
  [
    'entryCount',
    "groups, folds, items that follow none: how many entries the chunk's dictionary has, where codes are to be " +
      'looked up; 0: groups are those of the codes, for others a page of codes is left',
  ],
  ['entriesOutput', 'the output that holds the entries, a pattern of 64 bits each'],
  ['entriesOffset', 'the byte in it: a multiple of 8'],
  ['entryTypeId', "type id of the entries; that of the page may be another column's, which has the codes"],
  ['codesOnly', '1 where a page of anything but codes is left, as one of a joint dictionary is; else 0'],
  [
    'entryNulls',
    'items that follow none: 1 where behind the entries comes a bit for each, 0 where it is a null; then rows have ' +
      'no nulls of their own; else 0',
  ],
  [
    'rangeCount',
    'groups of integers that are in no dictionary: how many ranges of integers there are, all of one width, each ' +
      'with the number of its rows; 0: rows are numbered by their values',
  ],
  ['rangesOutput', 'the output that holds the ranges'],
  [
    'rangesOffset',
    'the byte in it, a multiple of 8: the first integer of the first range, and how many each has, as 64 bits; how ' +
      'many numbers there are, as u32, and four bytes more; then the number of each range, as u32',
  ],
];

/** Numbers of a result. */
export const RESULT = [
  ['outcome', 'what became of the page: one of the outcomes'],
  [
    'count',
    'rows of the page that are not null (of items, numbers and texts of listed rows, and of items with nulls among ' +
      'the entries, those that are asked for); of select, and of items that follow: rows that are left; of groups: ' +
      'how many there are',
  ],
  [
    'base',
    'numbers, folds: value = (base + step * number) / 10^exponent; of items that follow: rows that are not null',
  ],
  ['step', 'see base'],
  ['below', 'every number is below this; of texts every byte: 128 where all are ASCII, else 256'],
  ['exponent', 'see base; or, below 0, what the numbers are: one of the kinds'],
];

/** What is made of a page; the index is the number. */
export const FORMS = [
  [
    'items',
    "items of the column's type, zeros for nulls: of rows [start, end), or of the listed ones, or behind a selection " +
      'of those that it left; the validity of listed rows, and of those that were left, is a bit for each of them',
  ],
  [
    'numbers',
    'all values that are not null, or those of the listed rows, which have a validity of their own: as u32 with a ' +
      'line through them where that is how they are packed, else as patterns; room for 8 bytes a row of types of 8 ' +
      'bytes, 4 of others',
  ],
  [
    'select',
    'rows that pass a test, ascending, as u32: of [start, end), or of those that the job before found. Jobs that ' +
      "follow each other write to the first one's output",
  ],
  [
    'groups',
    'a number below the room for each row by its value, and by the number that the groups job before it gave: 24 ' +
      'bytes a number, its value as 64 bits (or its code, or that of its range), the number before, the first of ' +
      'the rows that has it, how many do (0: none), as u32, and 1 where the value is null',
  ],
  [
    'folds',
    'for each group of the groups jobs before, or for all rows as one: 56 bytes, as doubles how many values are ' +
      'not null, their sum in two parts, the least and the most of them, the sum of those that are not finite, and a ' +
      'third part of the sum. Of integers the sum is the first part and 2^32 times the second; extremes of types of ' +
      '8 bytes are words. Moments are a value near the mean in place of the first part, how far from it the mean is ' +
      'in place of the second, and the sum of the squared distances from the mean in place of the least. Of a line ' +
      '(see base) they are those of the numbers',
  ],
  [
    'texts',
    'byte strings that are not null and not in a dictionary page: where each ends, as u32; of texts in a ' +
      'dictionary of the page then the code of each value, as u32; then the bytes, back to back. Of listed rows, ' +
      'which have a validity of their own, one for each that is not null, without codes',
  ],
];

/** What became of a page; the index is the number. */
export const OUTCOMES = [
  ['left', 'it is for the caller: not decoded here, or not as the format says'],
  ['decoded', 'what the job asks for was written'],
  ['unneeded', 'not looked at, since the jobs before left no row'],
  ['small', 'texts: there is not enough room; base says how many bytes are'],
];

/** What numbers are that are no decimals, as the exponent of a result says. */
export const KINDS = [
  ['integers', -1, 'value = base + step * number modulo 2^64'],
  ['codes', -2, "codes of the chunk's dictionary, one a row, all bits set for a null"],
  ['patterns', -3, '64-bit patterns (of types of 8 bytes)'],
  ['texts', -4, 'texts, one a value: step of them, base bytes'],
  ['codedTexts', -5, 'the same, with a code for each value'],
];

/** Tests of texts, which have no dictionary page; the index is the number. */
export const TEXT_TESTS = [
  ['in', 'texts that are one of the constants'],
  ['range', 'texts between two constants, in the order of bytes'],
  [
    'like',
    'texts that begin with the first constant, end with the last one and hold the others between, in this order',
  ],
];

export const TEXT_TEST_FLAGS = [
  ['not', 1, 'texts that do not pass'],
  ['low', 2, 'range: there is a least text'],
  ['aboveLow', 4, 'range: which does not pass itself'],
  ['high', 8, 'range: there is a greatest text'],
  ['belowHigh', 16, 'range: which does not pass itself'],
  ['caseless', 32, 'like: letters of either case are the same, and the segments in lower case'],
];

export const LIMITS = [
  ['chainedJobs', 64, 'jobs that go on with each other, at most'],
  ['groups', 8192, 'groups of a page, at most'],
  ['ranges', 16384, 'ranges of integers that have a number each, at most'],
  ['sumCodes', 1024, 'codes of sumByCode, at most'],
  ['bodyBytes', 8388608, 'bytes of a body that was compressed, at most'],
];

/** Bytes of the records that jobs write. */
export const RECORDS = [
  ['group', 24],
  ['fold', 56],
  ['rangesHead', 24],
];

/** What the C++ knows of the format: a test of columna compares it with columna's own. */
export const PAGE_HEADER_BYTES = 28;
export const PAGE_HEADER = {
  crc: 0,
  storedBytes: 4,
  bodyBytes: 8,
  rowCount: 12,
  valueCount: 16,
  kind: 20,
  typeId: 21,
  encoding: 22,
  parameter: 23,
  codec: 24,
  column: 26,
};
export const MAX_NODE_DEPTH = 8;
export const MAX_PAGE_ROWS = 65_536;
export const MAX_DICTIONARY_ENTRIES = 65_536;
/** No DEFLATE stream expands more than this, and no node of byte strings may. */
export const MAX_DEFLATE_RATIO = 1032;
/** Of ONPAIR. */
export const MOST_SYMBOLS = 4096;
export const MOST_SYMBOL_BYTES = 32;
export const ENCODINGS = [
  'plain',
  'delta',
  'dictionary',
  'rle',
  'bitPack',
  'decimal',
  'affine',
  'patched',
  'entropy',
  'bits',
  'codes',
  'blocks',
  'onpair',
  'matches',
  'front',
];
/** Name, item bytes, domain; the index is the type id. */
export const COLUMN_TYPES = [
  ['bool', 1, 'integers'],
  ['int8', 1, 'integers'],
  ['int16', 2, 'integers'],
  ['int32', 4, 'integers'],
  ['int64', 8, 'integers'],
  ['uint8', 1, 'integers'],
  ['uint16', 2, 'integers'],
  ['uint32', 4, 'integers'],
  ['uint64', 8, 'integers'],
  ['float32', 4, 'float32'],
  ['float64', 8, 'float64'],
  ['date', 8, 'integers'],
  ['datetime', 8, 'integers'],
  ['string', 0, 'strings'],
  ['binary', 0, 'strings'],
];
