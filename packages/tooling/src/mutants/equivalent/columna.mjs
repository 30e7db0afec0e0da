// Mutants of the columna layout that nobody could notice. The form: `../survivors.mjs`.
const ZLIB_ALIGNED =
  'what zlib gives begins at a multiple of 8 of its buffer today; the copy is for a Node in which it does not';
const NO_BITS = 'where no bits are left, the mask is 0, and so is what is added';
const QUICK = 'a footer is refused where it is parsed too: this says so of most of them without looking into any';
const PASSED_OVER = 'what does not parse is passed over, and nobody is told why';

export const EQUIVALENT = [
  { file: 'find-footer.ts', of: 'footerBytes === null', becomes: 'false', why: QUICK },
  { file: 'find-footer.ts', of: 'Number(view.getBigUint64(at - ENDING_BYTES…', becomes: 'true', why: QUICK },
  {
    file: 'find-footer.ts',
    of: 'last >= 3',
    becomes: 'last > 3',
    why: 'before a trailer that ends there, its block has no room for a tail',
  },
  { file: 'find-footer.ts', of: "'footer'", becomes: '""', why: PASSED_OVER },
  { file: 'find-footer.ts', of: "{ path, region: 'column block'…", becomes: '{}', why: PASSED_OVER },
  {
    file: 'column-type.ts',
    of: 'default: return assertNever(type.name);',
    becomes: 'default:',
    why: 'the compiler proves that the default is never reached',
  },
  {
    file: 'decode-page.ts',
    of: "'integers'",
    becomes: '""',
    line: "domain: 'integers'",
    why: 'only the children of this node are read, and they name their own domain',
  },
  {
    file: 'decode-page.ts',
    of: 'page.root?.domain',
    becomes: 'page.root.domain',
    why: 'a dictionary page without values was refused: it has a row at least, and a value for each',
  },
  {
    file: 'decode-page.ts',
    of: 'bytes.byteOffset % 4 === 0',
    line: 'return bytes',
    becomes: ['true', 'false', 'bytes.byteOffset % 4 !== 0'],
    why: ZLIB_ALIGNED,
  },
  {
    file: 'decode-page.ts',
    of: 'bytes.byteOffset % 4',
    line: 'return bytes',
    becomes: 'bytes.byteOffset * 4',
    why: ZLIB_ALIGNED,
  },
  { file: 'decode-page.ts', of: 'bytes.slice()', line: 'return bytes', becomes: 'bytes', why: ZLIB_ALIGNED },
  { file: 'decode-page.ts', of: 'count % 8 !== 0', becomes: 'true', why: NO_BITS },
  { file: 'decode-page.ts', of: 'count % 8', becomes: 'count * 8', line: 'if (count', why: NO_BITS },
  {
    file: 'node.ts',
    of: 'this.#at - this.#node.start',
    becomes: 'this.#at + this.#node.start',
    line: 'const over',
    why: 'all nodes start at multiples of 8 of their body',
  },
  {
    file: 'node.ts',
    of: "'integers'",
    becomes: '""',
    line: 'child(',
    why: 'every domain that is neither of floats nor of strings is taken for integers',
  },
  {
    file: 'read-footer.ts',
    of: 'coreAt >= endAt',
    becomes: 'coreAt > endAt',
    why: 'where the core begins with what is at hand, no byte before it is asked for',
  },
  {
    file: 'statistics.ts',
    of: "''",
    becomes: '"Stryker was here!"',
    why: 'keys of a map that begin alike are as different',
  },
  {
    file: 'statistics.ts',
    of: 'compareValues(second.value, first.value) * sign',
    becomes: 'compareValues(second.value, first.value) / sign',
    why: 'the sign is 1 or -1',
  },
  {
    file: 'statistics.ts',
    of: 'a instanceof Uint8Array && b instanceof Uint8Array',
    becomes: 'a instanceof Uint8Array || b instanceof Uint8Array',
    why: 'the values of one type are both bytes, or neither',
  },
  {
    file: 'statistics.ts',
    of: 'Math.min(a.length, b.length)',
    becomes: 'Math.max(a.length, b.length)',
    why: 'what is not there counts as 0, which is below no byte; then the lengths tell',
  },
  {
    file: 'statistics.ts',
    of: 'i < shared',
    becomes: 'i <= shared',
    why: 'what is not there counts as 0, which is below no byte; then the lengths tell',
  },
];
