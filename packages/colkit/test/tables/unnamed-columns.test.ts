// Columns of Parquet and Arrow files that have no name, as Polars writes them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as arrow from 'apache-arrow';
import { openSync } from 'columna';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTable } from '../../src/convert.ts';
import { linesOf } from '../support/run.ts';

const NOTE = 'the file has no name for it';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colkit-unnamed-'));
  const columns = { column1: ['x', 'y'], '': [7, 8], n: [1, 2] };
  const table = arrow.tableFromArrays({ column1: columns.column1, '': columns[''], n: columns.n });
  writeFileSync(join(folder, 'a.arrow'), arrow.tableToIPC(table, 'file'));
  writeFileSync(join(folder, 'a.arrows'), arrow.tableToIPC(table, 'stream'));
  writeFileSync(join(folder, 'none.arrow'), arrow.tableToIPC(table.slice(0, 0), 'file'));
  const columnData = Object.entries(columns).map(([name, data]) => ({ name, data }));
  writeFileSync(join(folder, 'a.parquet'), new Uint8Array(parquetWriteBuffer({ columnData })));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['a.parquet', 'a.arrow', 'a.arrows'])('%s', (name) => {
  const rows = [
    { column1: 'x', column1_1: 7, n: 1 },
    { column1: 'y', column1_1: 8, n: 2 },
  ];

  it('has them called by their number, under a name that no other column has', async () => {
    const { table, notes } = await openTable(join(folder, name));
    expect(table.columnNames).toEqual(['column1', 'column1_1', 'n']);
    expect(await table.toRows({ int64: 'number' })).toEqual(rows);
    expect(notes).toEqual([{ column: 'column1_1', note: NOTE }]);
    table.close();
    const { table: some, notes: none } = await openTable(join(folder, name), { columns: ['n'] });
    expect([some.columnNames, none]).toEqual([['n'], []]);
    some.close();
    const { table: one } = await openTable(join(folder, name), { columns: ['column1_1'] });
    expect(await one.toRows({ int64: 'number' })).toEqual(rows.map(({ column1_1 }) => ({ column1_1 })));
    one.close();
  });

  it('is converted by the command, which tells it and renames them', async () => {
    const to = join(folder, `${name}.cna`);
    const { code, notes } = await linesOf('convert', join(folder, name), to, '--rename', 'column1_1=id');
    expect([code, notes]).toEqual([0, [`column "column1_1": ${NOTE}`]]);
    using table = openSync(to);
    expect(table.toRowsSync({ int64: 'number' })).toEqual(
      rows.map(({ column1, column1_1: id, n }) => ({ column1, id, n })),
    );
  });
});

it('also where there are no rows', async () => {
  const { table } = await openTable(join(folder, 'none.arrow'));
  expect([table.columnNames, table.rowCount]).toEqual([['column1', 'column1_1', 'n'], 0]);
  table.close();
});
