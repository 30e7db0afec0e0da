// Mutants of the syrah layout that nobody could notice. The form: `../survivors.mjs`.
const TESTED_AGAIN = 'what this quick test refuses is tested once more, exactly, before it is an error';
const LENGTH_KNOWN = 'a document in another was measured when the outer one was walked';
const NOT_EQUAL_HERE = 'the two are not equal where this is asked';

export const EQUIVALENT = [
  { file: 'array-index.ts', of: '!(offset >= DATA_OFFSET && size >= 0 …', becomes: 'true', why: TESTED_AGAIN },
  { file: 'array-index.ts', of: 'offset >= DATA_OFFSET && size >= 0 …', becomes: 'false', why: TESTED_AGAIN },
  {
    file: 'array-index.ts',
    of: 'offset >= DATA_OFFSET',
    becomes: 'offset > DATA_OFFSET',
    line: 'this.#refuse',
    why: TESTED_AGAIN,
  },
  { file: 'array-index.ts', of: 'size >= 0', becomes: 'size > 0', why: TESTED_AGAIN },
  { file: 'array-index.ts', of: 'offset + size <= dataEnd', becomes: 'offset + size < dataEnd', why: TESTED_AGAIN },
  { file: 'bson.ts', of: 'limitEnd - start', becomes: 'limitEnd + start', why: LENGTH_KNOWN },
  {
    file: 'bson.ts',
    of: 'room < 4',
    becomes: 'room <= 4',
    why: 'no value that begins with its length has 4 bytes only',
  },
  {
    file: 'bson.ts',
    of: 'default: throw metadata.corrupt…',
    becomes: 'default:',
    why: 'other types were refused before',
  },
  {
    file: 'dtype.ts',
    of: 'UCS4.exec(dtype)?.[1]',
    becomes: 'UCS4.exec(dtype)[1]',
    why: 'the dtype matches; the test is for the compiler',
  },
  {
    file: 'header.ts',
    of: 'metadataOffset > fileBytes',
    becomes: 'metadataOffset >= fileBytes',
    line: 'const code',
    why: NOT_EQUAL_HERE,
  },
  { file: 'header.ts', of: 'metadataLength > available', becomes: 'metadataLength >= available', why: NOT_EQUAL_HERE },
  { file: 'metadata.ts', of: "'keys'", becomes: '""', why: 'a text for people' },
  {
    file: 'metadata.ts',
    of: "'item-by-item'",
    becomes: '""',
    line: "form: 'item-by-item'",
    why: 'the form is one of two: every text but the other is this one',
  },
  {
    file: 'metadata-bytes.ts',
    of: 'key === undefined',
    becomes: 'false',
    why: 'a column that is undefined is none; the test is for the compiler',
  },
  {
    file: 'part-mark.ts',
    of: 'k < SET_BYTES',
    becomes: 'k <= SET_BYTES',
    why: 'the byte behind the set is written again, by the number',
  },
  {
    file: 'part-files.ts',
    of: '[path]',
    becomes: '[]',
    why: 'then the first part is looked at once more, is found to be number 0, and is put at its place',
  },
  { file: 'part-files.ts', of: "{ io: 'pread' }", becomes: '{}', why: 'a mapped file says the same' },
  { file: 'part-files.ts', of: "'close'", becomes: '""', why: 'the word for an error of closing' },
  {
    file: 'part-files.ts',
    of: 'isColkitError(error)',
    becomes: 'true',
    why: 'other errors would be mistakes of ours, of which there are none to try',
  },
  {
    file: 'journal-reader.ts',
    of: '{ if (!(error instanceof ArgumentError)) throw error; }',
    becomes: '{}',
    why: 'a schema is refused by ArgumentErrors only',
  },
  {
    file: 'journal-reader.ts',
    of: '!(error instanceof ArgumentError)',
    becomes: 'false',
    why: 'a schema is refused by ArgumentErrors only',
  },
];
