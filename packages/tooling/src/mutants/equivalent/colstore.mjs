// Mutants of the colstore layout that nobody could notice. The form: `../survivors.mjs`.
const NEVER_VARIABLE = 'a type guard for the compiler: no numpy string names a dtype of variable width';
const ALWAYS_MATCHED = 'these groups match in every text that the pattern matches; the defaults are for the compiler';
const NO_SUCH_LENGTH =
  'no dtype of the vocabulary has items of exactly the limit: U has multiples of 4, S at most 999,999,999';
const EXHAUSTIVE = 'the compiler proves that the default is never reached';
const CHECKED_BEFORE = 'the range was checked before, so that the region of the error is never seen';

export const EQUIVALENT = [
  {
    file: 'descr.ts',
    of: "dtype.kind !== 'string' && dtype.kind !== 'binary'",
    becomes: ['true', "dtype.kind !== 'string' || dtype.kind !== 'binary'"],
    why: NEVER_VARIABLE,
  },
  { file: 'descr.ts', of: "dtype.kind !== 'string'", becomes: 'true', why: NEVER_VARIABLE },
  { file: 'descr.ts', of: "dtype.kind !== 'binary'", becomes: 'true', why: NEVER_VARIABLE },
  { file: 'descr.ts', of: "'string'", becomes: '""', line: 'isStored', why: NEVER_VARIABLE },
  { file: 'descr.ts', of: "'binary'", becomes: '""', line: 'isStored', why: NEVER_VARIABLE },
  { file: 'descr.ts', of: "''", becomes: '"Stryker was here!"', line: 'order', why: ALWAYS_MATCHED },
  {
    file: 'descr.ts',
    of: 'name === undefined',
    becomes: 'false',
    why: 'no dtype begins with "undefined": isDType refuses it; the test is for the compiler',
  },
  {
    file: 'descr.ts',
    of: 'dtype.itemBytes > ITEM_LIMIT_BYTES',
    becomes: 'dtype.itemBytes >= ITEM_LIMIT_BYTES',
    why: NO_SUCH_LENGTH,
  },
  { file: 'descr.ts', of: 'default: return assertNever(dtype);', becomes: 'default:', why: EXHAUSTIVE },
  { file: 'statistics-footer.ts', of: 'default: return assertNever(dtype);', becomes: 'default:', why: EXHAUSTIVE },
  { file: 'detect.ts', of: "'magic'", becomes: '""', line: 'file.take', why: CHECKED_BEFORE },
  { file: 'detect.ts', of: "'counters'", becomes: '""', why: CHECKED_BEFORE },
  { file: 'flat.ts', of: "'manifest'", becomes: '""', line: 'file.take', why: CHECKED_BEFORE },
  {
    file: 'flat.ts',
    of: 'file.byteLength - manifestOffset',
    becomes: 'file.byteLength + manifestOffset',
    line: 'if (length >',
    why: 'a length that passes here and should not is refused in the same words when the bytes are taken',
  },
  {
    file: 'read-layout.ts',
    of: "'records'",
    becomes: '""',
    line: 'readManifest',
    why: 'the form is one of two: every text but the other is this one',
  },
  {
    file: 'records.ts',
    of: 'walk.byteOffset - before < READ_AHEAD_BYTES',
    becomes: 'walk.byteOffset - before <= READ_AHEAD_BYTES',
    why: 'records of exactly the size of a block may be read either way',
  },
];
