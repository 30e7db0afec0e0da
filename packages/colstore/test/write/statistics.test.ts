// write(…, { statistics: true }): the bytes are those of a stream of one record with statistics, which are Python's.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MemorySink } from '@colkit/io';
import { createSync, infoSync, openSync, typed, write, writeSync } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-write-statistics-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = (): string => join(folder, `${String((files += 1))}.cstore`);

const NAT = -(2n ** 63n);
const COLUMNS = {
  i: Int32Array.of(5, -1, 9),
  u: BigUint64Array.of(0n, 2n ** 64n - 1n, 7n),
  f: Float32Array.of(1.5, -2, 0),
  nan: Float64Array.of(1, NaN, 2),
  inf: Float64Array.of(1, Infinity, 2),
  b: typed('bool', [true, false, true]),
  t: typed('datetime64[ms]', BigInt64Array.of(3n, 1n, 2n)),
  nat: typed('datetime64[ms]', BigInt64Array.of(3n, NAT, 2n)),
  s: typed('S3', ['a', 'b', 'c']),
};

test.each([1, 2, 3, 100])('%i rows at a time', async (batchRows) => {
  const [one, other] = [newPath(), newPath()];
  const seen: number[] = [];
  const info = await write(one, COLUMNS, {
    statistics: true,
    batchRows,
    onProgress: ({ writtenBytes }) => seen.push(writtenBytes),
  });
  using writer = createSync(other, { statistics: true });
  writer.writeSync(COLUMNS);
  writer.closeSync();
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  expect(info).toEqual(infoSync(one));
  expect(info.statistics?.get('i')).toEqual([{ min: -1, max: 9 }]);
  expect(info.statistics?.get('nan')).toEqual([null]);
  expect(info.uncommittedBytes).toBe(0);
  expect(seen.at(-1)).toBe(info.byteLength);
  using table = openSync(one);
  expect(table.where('i > 9').explainSync()).toMatch(/skipped by their statistics: 1/);
});

test('no rows, names that no footer holds, memory', () => {
  const none = newPath();
  expect(writeSync(none, { a: new Float64Array(0) }, { statistics: true }).statistics?.get('a')).toEqual([null]);
  expect(infoSync(none)).toMatchObject({ rowCount: 0, uncommittedBytes: 0 });
  const long = newPath();
  const name = 'x'.repeat(70_000);
  expect(writeSync(long, { [name]: Int8Array.of(1) }, { statistics: true })).toEqual(infoSync(long));
  expect(infoSync(long)).toMatchObject({ statistics: null, uncommittedBytes: 0, layout: 'records' });
  const sink = new MemorySink();
  writeSync(sink, COLUMNS, { statistics: true });
  const path = newPath();
  writeSync(path, COLUMNS, { statistics: true });
  expect(readFileSync(path).equals(sink.bytes())).toBe(true);
});

test('a flat file has no room for statistics; the default is the layout that has', () => {
  const path = newPath();
  expect(() => writeSync(path, COLUMNS, { statistics: true, layout: 'flat' })).toThrow(/'records'/);
  writeSync(path, COLUMNS);
  expect(infoSync(path).layout).toBe('flat');
  using table = openSync(path);
  expect(writeSync(newPath(), table, { statistics: true }).layout).toBe('records');
  expect(writeSync(newPath(), table, { statistics: false }).layout).toBe('flat');
});
