// writeCsv: the synthetic orders from their CSV are the orders; rows that cannot be taken, and what is left after a
// failure.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { orderColumns, orderCsv } from '@colkit/testkit/orders';
import { afterAll, describe, expect, it } from 'vitest';
import { readSync } from '../../src/read/read.ts';
import { writeCsv } from '../../src/write/write-csv.ts';

const root = mkdtempSync(join(tmpdir(), 'columna-csv-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const ROWS = 3000;
const csv = orderCsv(ROWS);
const orders: Readonly<Record<string, ArrayLike<unknown>>> = { ...orderColumns(ROWS) };

describe('writeCsv', () => {
  it.each([
    [
      'a file',
      (path: string) => {
        writeFileSync(path, csv);
        return path;
      },
    ],
    [
      'gzip',
      (path: string) => {
        writeFileSync(path, gzipSync(csv));
        return path;
      },
    ],
    ['bytes', () => new TextEncoder().encode(csv)],
    ['a stream', () => new Blob([csv]).stream() as unknown as AsyncIterable<Uint8Array>],
  ])('from %s', async (name, make) => {
    const path = join(root, `${name}.cna`);
    const report = await writeCsv(make(join(root, `${name}.csv`)), path, { rowGroupSize: 700 });
    expect(report).toMatchObject({
      rowCount: ROWS,
      rowGroupCount: 5,
      rejectedCount: 0,
      byteLength: readFileSync(path).length,
    });
    const found = readSync(path) as Record<string, ArrayLike<unknown>>;
    expect(Object.keys(found)).toEqual(Object.keys(orders));
    for (const column of Object.keys(orders))
      expect(Array.from(found[column]!), column).toEqual(Array.from(orders[column]!));
  });

  it('passes on how the CSV is read and how the file is written', async () => {
    const path = join(root, 'options.cna');
    const report = await writeCsv(new TextEncoder().encode('1;x\n2;y\nz;z\n'), path, {
      separator: ';',
      header: false,
      names: ['n', 't'],
      types: { n: 'int8' },
      onError: 'skip',
      mode: 'plain',
      metadata: { from: 'csv' },
    });
    expect(report).toMatchObject({ rowCount: 2, rejectedCount: 1 });
    expect(readSync(path)).toEqual(
      Object.assign(Object.create(null) as object, { n: Int8Array.of(1, 2), t: ['x', 'y'] }),
    );
  });

  it('names columns that the header does not name, and tells it; names that are given must be some', async () => {
    const path = join(root, 'unnamed.cna');
    const { notes } = await writeCsv(new TextEncoder().encode(',a,a\n1,2,3\n'), path);
    expect(Object.keys(readSync(path))).toEqual(['column0', 'a', 'a_1']);
    expect(notes.map(({ column }) => column)).toEqual(['column0', 'a_1']);
    await expect(
      writeCsv(new TextEncoder().encode('a,b\n1,2\n'), path, { names: ['', 'x'], overwrite: true }),
    ).rejects.toThrow(/none for column 1/);
  });

  it('leaves nothing after a failure', async () => {
    const path = join(root, 'broken.cna');
    await expect(writeCsv(new TextEncoder().encode('a,b\n1,2\n3\n'), path)).rejects.toMatchObject({
      code: 'ERR_VALUE',
    });
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(root).filter((name) => name.includes('broken'))).toEqual([]);
  });
});
