// Files by hand: one page with any header and body behind a footer that says what it is told to, CRCs right, so that
// only the lie under test is wrong.
import { crc32 } from '@colkit/io';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { columnType } from '../../src/layout/column-type.ts';
import type { ColumnTypeName } from '../../src/layout/column-type.ts';
import { encodeFooter } from '../../src/layout/footer.ts';
import type { RowGroup } from '../../src/layout/footer.ts';
import { encodePageBytes } from '../../src/layout/page-header.ts';
import type { PageHeader } from '../../src/layout/page-header.ts';

export interface CraftedPage {
  readonly type: ColumnTypeName;
  readonly encoding: number;
  readonly parameter?: number;
  readonly rowCount: number;
  readonly valueCount?: number;
  readonly body: Uint8Array;
  /** Default: where there are nulls. */
  readonly nullable?: boolean;
  readonly codec?: PageHeader['codec'];
  readonly bodyBytes?: number;
  /** Before it, in the same chunk: entries of a dictionary page. */
  readonly dictionary?: {
    readonly encoding: number;
    readonly parameter: number;
    readonly rowCount: number;
    readonly body: Uint8Array;
  };
}

const NONE = { nullCount: 0, nanCount: 0, min: null, max: null };

/** A file of one column "v" whose only chunk is this page. `change` may lie about the chunk and the row group. */
export function craft(
  page: CraftedPage,
  change: (parts: { chunk: ChunkEntry; group: RowGroup }) => { chunk: ChunkEntry; group: RowGroup } = (parts) => parts,
): Uint8Array {
  const type = columnType(page.type);
  const { rowCount, body } = page;
  const header = {
    kind: 'data',
    codec: page.codec ?? 'NONE',
    encoding: page.encoding,
    parameter: page.parameter ?? 0,
    bodyBytes: page.bodyBytes ?? body.length,
    rowCount,
    valueCount: page.valueCount ?? rowCount,
  } as const;
  const data = encodePageBytes(header, body, type, 0);
  const { dictionary } = page;
  const entries =
    dictionary === undefined
      ? new Uint8Array(0)
      : encodePageBytes(
          {
            kind: 'dictionary',
            codec: 'NONE',
            encoding: dictionary.encoding,
            parameter: dictionary.parameter,
            bodyBytes: dictionary.body.length,
            rowCount: dictionary.rowCount,
            valueCount: dictionary.rowCount,
          },
          dictionary.body,
          type,
          0,
        );
  const byteLength = entries.length + data.length;
  const parts = change({
    chunk: {
      byteOffset: 4,
      byteLength,
      dictionaryBytes: entries.length,
      codesColumn: 0,
      joint: false,
      statistics: { ...NONE, nullCount: rowCount - (page.valueCount ?? rowCount) },
      encodings: 1 << page.encoding,
      pages: [{ pageBytes: data.length, statistics: NONE }],
    },
    group: { byteOffset: 4, rowCount, pageRows: Math.min(65536, Math.max(8, rowCount)), firstRow: 0 },
  });
  const schema = {
    columns: [{ name: 'v', type, nullable: page.nullable ?? rowCount !== (page.valueCount ?? rowCount) }],
    metadata: new Map<string, string>(),
    createdBy: null,
  };
  return join([
    Buffer.from('CNA1'),
    entries,
    data,
    encodeFooter(schema, [parts.group], [[parts.chunk]], 4 + byteLength, 0),
  ]);
}

/** The core of a file's footer with another schema or other counts, its CRC made right again. `at`: of the tail. */
export function withTail(file: Uint8Array, change: (tail: DataView) => void): Uint8Array {
  const bytes = file.slice();
  const tailAt = bytes.length - 72;
  const tail = new DataView(bytes.buffer, bytes.byteOffset + tailAt, 64);
  change(tail);
  const coreBytes =
    Math.ceil(tail.getUint32(12, true) / 8) * 8 + 16 * tail.getUint32(8, true) + 16 * tail.getUint32(4, true) + 64;
  const start = Math.max(0, bytes.length - 8 - coreBytes);
  tail.setUint32(60, crc32(bytes.subarray(start, bytes.length - 12)), true);
  return bytes;
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
