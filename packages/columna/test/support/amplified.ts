// Small files that stand for very much memory, and what a process of its own takes to read them.
import { deflateRawSync } from 'node:zlib';
import { spendAll as spendAllOf, spend as spendOf } from '@colkit/testkit/spend';
import type { Spent, SpentByAll } from '@colkit/testkit/spend';
import { Encoding } from '../../src/layout/constants.ts';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { columnType } from '../../src/layout/column-type.ts';
import type { ColumnTypeName } from '../../src/layout/column-type.ts';
import { encodeFooter } from '../../src/layout/footer.ts';
import { encodePageBytes } from '../../src/layout/page-header.ts';
import { join } from './craft.ts';
import { bytesOf, childOf } from './nodes.ts';
import { writeTable } from './table.ts';

export const MEGABYTE = 1 << 20;
const ROWS = 20_000;
const NONE = { nullCount: 0, nanCount: 0, min: null, max: null };
const CNA1 = Buffer.from('CNA1');

/** Two columns of one joint dictionary, whose entries are of 1 MiB: 40 GiB, if each row had its own. */
export function joint(): Uint8Array {
  const entries = (first: number) => [0, 1, 2].map((i) => new Uint8Array(MEGABYTE).fill(first + i));
  const column = (name: string, first: number) => {
    const of = entries(first);
    return {
      name,
      type: 'binary',
      values: Array.from({ length: ROWS }, (_, row) => of[(row * 7 + (row >>> 3)) % 3]!),
    } as const;
  };
  const { bytes, reports } = writeTable([column('a', 1), column('b', 65)], { joint: true });
  if (!reports.some(({ leader }) => leader !== null)) throw new Error('the writer made no joint dictionary');
  return bytes;
}

/** Codes as runs, of entries of 1 MiB. */
export function runs(): Uint8Array {
  const of = ['a', 'b'].map((letter) => letter.repeat(MEGABYTE));
  return writeTable(
    [{ name: 'v', type: 'string', values: Array.from({ length: ROWS }, (_, row) => of[(row >>> 13) & 1]!) }],
    { mode: 'smallest' },
  ).bytes;
}

/** `pages` pages of 65,536 nulls, 60 bytes each: `pages` times half a megabyte. */
export function nulls(type: ColumnTypeName, pages: number): Uint8Array {
  const of = columnType(type);
  const [rows, pageRows] = [pages * 65536, 65536];
  const header = {
    kind: 'data',
    codec: 'NONE',
    encoding: Encoding.PLAIN,
    parameter: 0,
    bodyBytes: 0,
    rowCount: pageRows,
    valueCount: 0,
  } as const;
  const page = encodePageBytes(header, new Uint8Array(0), of, 0);
  const statistics = { ...NONE, nullCount: pageRows };
  const chunk: ChunkEntry = {
    byteOffset: 4,
    byteLength: pages * page.length,
    dictionaryBytes: 0,
    codesColumn: 0,
    joint: false,
    statistics: { ...NONE, nullCount: rows },
    encodings: 1,
    pages: Array.from({ length: pages }, () => ({ pageBytes: page.length, statistics })),
  };
  const schema = {
    columns: [{ name: 'v', type: of, nullable: true }],
    metadata: new Map<string, string>(),
    createdBy: null,
  };
  const group = { byteOffset: 4, rowCount: rows, pageRows, firstRow: 0 };
  return join([
    CNA1,
    ...Array.from({ length: pages }, () => page),
    encodeFooter(schema, [group], [[chunk]], 4 + chunk.byteLength, 0),
  ]);
}

/**
 * `columns` columns of one row, a text (or byte array) of `megabytes` MiB that DEFLATE made a thousandth of;
 * `dictionary`: as the entry of a dictionary page.
 */
export function deflated(
  type: 'string' | 'binary',
  columns: number,
  megabytes: number,
  dictionary: boolean,
): Uint8Array {
  const of = columnType(type);
  const text = new Uint8Array(megabytes * MEGABYTE).fill(97);
  const body = join([
    bytesOf(['u32', text.length], ['u32', 0], childOf(Encoding.PLAIN, 2, bytesOf(['u32', text.length]))),
    text,
  ]);
  const stored = new Uint8Array(deflateRawSync(body));
  const parts: Uint8Array[] = [CNA1];
  let at = 4;
  const chunks = Array.from({ length: columns }, (_, column) => {
    const header = {
      kind: dictionary ? 'dictionary' : 'data',
      codec: 'DEFLATE',
      encoding: Encoding.PLAIN,
      parameter: 0,
      bodyBytes: body.length,
      rowCount: 1,
      valueCount: 1,
    } as const;
    const first = encodePageBytes(header, stored, of, column);
    const codes = childOf(Encoding.PLAIN, 0, Uint8Array.of(0));
    const second = dictionary
      ? encodePageBytes(
          { ...header, kind: 'data', codec: 'NONE', encoding: Encoding.CODES, bodyBytes: codes.length },
          codes,
          of,
          column,
        )
      : new Uint8Array(0);
    parts.push(first, second);
    const byteLength = first.length + second.length;
    const chunk: ChunkEntry = {
      byteOffset: at,
      byteLength,
      dictionaryBytes: dictionary ? first.length : 0,
      codesColumn: column,
      joint: false,
      statistics: NONE,
      encodings: 1 << (dictionary ? Encoding.CODES : Encoding.PLAIN),
      pages: [{ pageBytes: dictionary ? second.length : first.length, statistics: NONE }],
    };
    at += byteLength;
    return [chunk];
  });
  const schema = {
    columns: chunks.map((_, column) => ({ name: `c${String(column)}`, type: of, nullable: false })),
    metadata: new Map<string, string>(),
    createdBy: null,
  };
  return join([
    ...parts,
    encodeFooter(schema, [{ byteOffset: 4, rowCount: 1, pageRows: 8, firstRow: 0 }], chunks, at, 0),
  ]);
}

const LIBRARY = new URL('../../dist/index.js', import.meta.url);

/** Evaluates `expression`, of the package's functions and `path`, in a process of its own. */
export function spend(path: string, expression: string, backend: string): Spent {
  return spendOf(LIBRARY, path, expression, backend);
}

/** Evaluates expressions one after the other, in one process. */
export function spendAll(path: string, expressions: readonly string[], backend: string): SpentByAll {
  return spendAllOf(LIBRARY, path, expressions, backend);
}
