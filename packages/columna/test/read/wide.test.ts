// A file of ten thousand columns: reading two of them fetches their blocks and pages, and parses no other.
import { CountingSource } from '@colkit/testkit';
import { expect, it } from 'vitest';
import { MemorySource } from '../support/io.ts';
import { open, read } from '../../src/index.ts';
import { columnType } from '../../src/layout/column-type.ts';
import { Encoding } from '../../src/layout/constants.ts';
import { encodeFooter } from '../../src/layout/footer.ts';
import { encodePageBytes } from '../../src/layout/page-header.ts';
import { bytesOf } from '../support/nodes.ts';

const COLUMNS = 10_000;
const GROUPS = 20;
const ROWS = 50;

/** Every page of 48 bytes: the column's number plus 0, 1, 2, … Only the pages of two columns are really there. */
function wideFile(present: readonly number[]): Uint8Array {
  const type = columnType('int64');
  const page = (column: number) =>
    encodePageBytes(
      {
        kind: 'data',
        codec: 'NONE',
        encoding: Encoding.AFFINE,
        parameter: 0,
        bodyBytes: 16,
        rowCount: ROWS,
        valueCount: ROWS,
      },
      bytesOf(['u64', BigInt(column)], ['u64', 1n]),
      type,
      column,
    );
  const statistics = { nullCount: 0, nanCount: 0, min: null, max: null };
  const at = (column: number, group: number) => 4 + 48 * (group * COLUMNS + column);
  const footerOffset = at(0, GROUPS);
  const groups = Array.from({ length: GROUPS }, (_, group) => ({
    byteOffset: at(0, group),
    rowCount: ROWS,
    pageRows: 64,
    firstRow: group * ROWS,
  }));
  const chunks = Array.from({ length: COLUMNS }, (_, column) =>
    groups.map((_group, group) => ({
      byteOffset: at(column, group),
      byteLength: 48,
      dictionaryBytes: 0,
      codesColumn: column,
      joint: false,
      statistics,
      encodings: 1 << Encoding.AFFINE,
      pages: [{ pageBytes: 48, statistics }],
    })),
  );
  const schema = {
    columns: chunks.map((_, column) => ({ name: `column ${column}`, type, nullable: false })),
    metadata: new Map<string, string>(),
    createdBy: null,
  };
  const footer = encodeFooter(schema, groups, chunks, footerOffset, 0);
  const file = new Uint8Array(footerOffset + footer.length);
  file.set(Buffer.from('CNA1'));
  for (const column of present) for (let group = 0; group < GROUPS; group++) file.set(page(column), at(column, group));
  file.set(footer, footerOffset);
  return file;
}

it('reads two columns by two blocks', async () => {
  const bytes = wideFile([17, 9_999]);
  const source = new CountingSource(new MemorySource(bytes));
  const table = await open(source);
  const atOpen = source.bytesRead;
  // Schema, row groups, directory: what opening takes, and none of the 13 MB of entries.
  expect(atOpen).toBeLessThan(COLUMNS * 100);
  expect(table.columnNames).toHaveLength(COLUMNS);
  const columns = await table.select('column 17', 'column 9999').toColumns();
  expect(source.bytesRead - atOpen).toBe(2 * (GROUPS * 64 + GROUPS * 48));
  expect((columns['column 9999'] as BigInt64Array)[ROWS + 1]).toBe(10_000n);
  expect((await read(bytes, { columns: ['column 17'] }))['column 17']).toEqual(columns['column 17']);
});
