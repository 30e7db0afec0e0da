// One page -> its values and validity: header, CRC, DEFLATE with a limit, validity, root node. The result lies in the
// page's bytes or in scratch memory.
import { Encoding, PAGE_HEADER_BYTES } from '../layout/constants.ts';
import { parsePageHeader } from '../layout/page-header.ts';
import type { ExpectedPage, PageHeader } from '../layout/page-header.ts';
import { corrupt } from '../layout/location.ts';
import type { FileLocation } from '../layout/location.ts';
import { inflate } from './inflate.ts';
import { decoderOf } from './decoder.ts';
import { decodeOctets } from './encodings/bits/index.ts';
import { decodeCodes, decodeCodesOf } from './encodings/codes/index.ts';
import { NodeReader, unlessRefused } from './node.ts';
import type { Body, ChunkDictionary, Decoder, Node } from './node.ts';
import type { Scratch } from './scratch.ts';
import type { Strings, Vector } from './vector.ts';

interface PageContext {
  readonly expected: ExpectedPage;
  readonly verifyCrc: boolean;
  readonly location: FileLocation;
  readonly scratch: Scratch;
  readonly dictionary: ChunkDictionary | null;
}

/** A page that passed its checks, before its values are decoded. */
export interface OpenPage {
  readonly header: PageHeader;
  /** One bit a row, least significant first, 1 = not null; null where all rows are alike. */
  readonly validity: Uint8Array | null;
  /** Null where there are no values. */
  readonly root: Node | null;
  readonly decoder: Decoder;
}

/**
 * Checks a page and finds its parts. `page` is exactly the page's bytes with padding, as in the file; it is not kept
 * longer than the result.
 * @throws CorruptFileError ERR_LAYOUT, ERR_CRC, ERR_TRUNCATED; UnsupportedError ERR_ENCODING.
 */
export function openPage(page: Uint8Array, context: PageContext): OpenPage {
  const { expected, location, scratch } = context;
  const header = parsePageHeader(page, expected, context.verifyCrc, location);
  const bytes = bodyOf(page, header, location);
  const body: Body = {
    bytes,
    words: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2),
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    location: { ...location, byteOffset: location.byteOffset + PAGE_HEADER_BYTES },
    scratch,
    itemBytes: expected.type.itemBytes,
    dictionary: context.dictionary,
    maxBodyBytes: expected.maxBodyBytes,
  };
  const decoder = decoderOf(body);
  const { rowCount, valueCount } = header;
  let start = 0;
  let validity: Uint8Array | null = null;
  if (valueCount > 0 && valueCount < rowCount) {
    const reader = new NodeReader(body, {
      encoding: Encoding.PLAIN,
      parameter: 0,
      start: 0,
      end: bytes.length,
      count: rowCount,
      domain: 'integers',
      depth: 1,
    });
    validity = decodeOctets(reader.child(Math.ceil(rowCount / 8)), 0, Math.ceil(rowCount / 8), decoder);
    start = reader.position;
    const ones = countOnes(validity, rowCount);
    if (ones !== valueCount)
      throw corrupt('ERR_LAYOUT', location, PAGE_HEADER_BYTES, `${valueCount} ones in the validity bitmap`, ones);
  }
  const { encoding, parameter } = header;
  const root: Node | null =
    valueCount === 0
      ? null
      : { encoding, parameter, start, end: bytes.length, count: valueCount, domain: expected.type.domain, depth: 1 };
  return { header, validity, root, decoder };
}

/** Values [start, end) of the page's values (nulls do not count) of a fixed-width column. */
export function pageVector({ root, decoder }: OpenPage, start: number, end: number): Vector {
  if (root === null || start === end) return { kind: 'wide', count: 0, words: new Uint32Array(0) };
  return unlessRefused(
    () => decoder.vector(root, start, end),
    () => decoder.pick(root, valuesFrom(start, end, decoder)),
  );
}

/** The same of a column of byte strings. */
export function pageStrings({ root, decoder }: OpenPage, start: number, end: number): Strings {
  if (root === null || start === end)
    return { kind: 'strings', count: 0, bytes: new Uint8Array(0), start: 0, ends: new Uint32Array(0) };
  return unlessRefused(
    () => decoder.strings(root, start, end),
    () => decoder.pickStrings(root, valuesFrom(start, end, decoder)),
  );
}

/** Their numbers. Scratch memory. */
function valuesFrom(start: number, end: number, { scratch }: Decoder): Uint32Array {
  const values = scratch.uint32(end - start);
  for (let i = 0; i < values.length; i++) values[i] = start + i;
  return values;
}

/** Values at `rows` (numbered without the nulls), in any order, of a fixed-width column. */
export function pageVectorOf(page: OpenPage, rows: Uint32Array): Vector {
  return page.root === null || rows.length === 0 ? pageVector(page, 0, 0) : page.decoder.pick(page.root, rows);
}

/** The same of a column of byte strings. */
export function pageStringsOf(page: OpenPage, rows: Uint32Array): Strings {
  return page.root === null || rows.length === 0 ? pageStrings(page, 0, 0) : page.decoder.pickStrings(page.root, rows);
}

/**
 * The entries of a dictionary page, for the CODES of its chunk's pages. They stay in the page's bytes and scratch
 * memory, which must live as long.
 * @throws CorruptFileError for nulls among them: only joint dictionaries have those.
 */
export function pageDictionary(page: OpenPage): ChunkDictionary {
  const { rowCount, valueCount } = page.header;
  if (valueCount !== rowCount)
    throw corrupt(
      'ERR_LAYOUT',
      page.decoder.location,
      16 - PAGE_HEADER_BYTES,
      `${rowCount} entries that are not null`,
      valueCount,
    );
  return {
    entryCount: rowCount,
    entries: page.root?.domain === 'strings' ? pageStrings(page, 0, rowCount) : pageVector(page, 0, rowCount),
  };
}

/**
 * What entry of the chunk's dictionary each value of a page has; where a code is refused, those of the values that are
 * asked for (null: all of them), and 0 for the others. Scratch memory. Null where the page does not hold codes.
 */
export function pageCodes({ root, decoder }: OpenPage, asked: (() => Uint32Array) | null = null): Uint32Array | null {
  const { dictionary, scratch } = decoder;
  if (root === null || dictionary === null || root.encoding !== Encoding.CODES) return null;
  return unlessRefused(
    () => decodeCodes(root, 0, root.count, dictionary, decoder),
    () => {
      if (asked === null) return null;
      const values = asked();
      const codes = scratch.uint32(root.count).fill(0);
      if (values.length === 0) return codes;
      const found = decodeCodesOf(root, values, dictionary, decoder);
      for (let i = 0; i < values.length; i++) codes[values[i] as number] = found[i] as number;
      return codes;
    },
  );
}

/**
 * The codes of a page of joint codes: what entry each row has, in every column of the joint dictionary. Scratch memory.
 * @param asked the rows that are asked for, null: all of them. Codes of others are 0 where one is refused.
 * @throws CorruptFileError where the page is no CODES of every row.
 */
export function pageJointCodes(page: OpenPage, asked: (() => Uint32Array) | null = null): Uint32Array {
  const { root, decoder, header } = page;
  const { location } = decoder;
  const codes = root === null || header.valueCount !== header.rowCount ? null : pageCodes(page, asked);
  if (codes === null) {
    throw corrupt(
      'ERR_LAYOUT',
      location,
      22 - PAGE_HEADER_BYTES,
      'codes of every row in a joint chunk',
      `encoding ${header.encoding}, ${header.valueCount} of ${header.rowCount} values`,
    );
  }
  return codes;
}

/** The body after decompression, at a multiple of 4 bytes of its buffer (a copy only where it must be). */
function bodyOf(page: Uint8Array, header: PageHeader, location: FileLocation): Uint8Array {
  const stored = page.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + header.storedBytes);
  if (header.codec === 'NONE') return stored.byteOffset % 4 === 0 ? stored : stored.slice();
  const inflated = inflate(stored, header.bodyBytes);
  if (inflated === null)
    throw corrupt(
      'ERR_LAYOUT',
      location,
      PAGE_HEADER_BYTES,
      `a DEFLATE stream of ${header.bodyBytes} bytes`,
      'a broken or longer one',
    );
  const { bytes, consumed } = inflated;
  if (bytes.length !== header.bodyBytes || consumed !== header.storedBytes) {
    throw corrupt(
      'ERR_LAYOUT',
      location,
      PAGE_HEADER_BYTES,
      `a DEFLATE stream of ${header.storedBytes} bytes that gives ${header.bodyBytes}`,
      `${consumed} bytes that give ${bytes.length}`,
    );
  }
  return bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
}

/** Ones among the first `count` bits. */
export function countOnes(bitmap: Uint8Array, count: number): number {
  let ones = 0;
  const whole = count >>> 3;
  for (let i = 0; i < whole; i++) ones += ONES[bitmap[i] as number] as number;
  if (count % 8 !== 0) ones += ONES[(bitmap[whole] as number) & (2 ** (count % 8) - 1)] as number;
  return ones;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
