// A column that no typed array of this runtime holds: an error of the family that says what to call instead, and what
// it says works. The file is sparse.
import { constants } from 'node:buffer';
import { closeSync, ftruncateSync, mkdtempSync, openSync as openFile, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSync } from '../src/index.ts';
import type { ColStore } from '../src/index.ts';
import { errorOf, flatFile } from './support/files.ts';

const ROWS = 600_000_000;
const folder = mkdtempSync(join(tmpdir(), 'colstore-large-'));
const path = join(folder, 'large.cstore');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

const holds = constants.MAX_LENGTH < 8 * ROWS;
const TOO_LONG = {
  name: 'LimitError',
  code: 'ERR_LIMIT',
  limit: constants.MAX_LENGTH,
  value: 8 * ROWS,
  message: expect.stringMatching(/batches\(\).*slice\(start, end\)\.viewArray\(\)/) as unknown,
};

describe.runIf(holds && process.platform !== 'win32')('a column of 600 million float64', () => {
  let store: ColStore;
  beforeAll(() => {
    const header = flatFile(
      `{"format_version": 1, "n_rows": ${String(ROWS)}, "columns": [{"name": "x", "dtype": "<f8"}]}`,
    );
    const fd = openFile(path, 'w');
    writeSync(fd, header);
    ftruncateSync(fd, header.length + 8 * ROWS);
    writeSync(fd, Float64Array.of(2.5), 0, 8, header.length + 8 * (ROWS - 1));
    closeSync(fd);
    store = openSync(path);
  });
  afterAll(() => store.close());

  test('is refused as one array, in every form', async () => {
    for (const read of [
      () => store.toColumnsSync(),
      () => store.column('x').toArraySync(),
      () => store.toRecordsSync(),
      () => store.slice(undefined, undefined, -1).toColumnsSync(),
      () => store.toColumnsSync({ transferable: true }),
    ])
      expect(errorOf(read)).toMatchObject(TOO_LONG);
    for (const read of [
      store.toColumns(),
      store.column('x').toArray(),
      store.toRecords(),
      store.toColumns({ int64: 'number' }),
    ])
      expect(await rejection(read)).toMatchObject(TOO_LONG);
    const rows = {
      name: 'LimitError',
      code: 'ERR_LIMIT',
      value: ROWS,
      message: expect.stringMatching(/rows\(\), batches\(\)/) as unknown,
    };
    expect(errorOf(() => store.toRowsSync())).toMatchObject(rows);
    expect(await rejection(store.toRows())).toMatchObject(rows);
    if (process.env['COLKIT_BACKEND'] === 'native')
      expect(errorOf(() => store.column('x').viewArray())).toMatchObject({
        name: 'CannotViewError',
        code: 'ERR_VIEW_TOO_LARGE',
      });
  });

  test('is read by windows, by rows and by batches', async () => {
    const last = store.slice(-3);
    expect(last.toColumnsSync()).toEqual(expect.objectContaining({ x: Float64Array.of(0, 0, 2.5) }));
    if (process.env['COLKIT_BACKEND'] === 'native')
      expect(last.column('x').viewArray()).toEqual(Float64Array.of(0, 0, 2.5));
    expect(store.take([-1, 0]).column('x').toArraySync()).toEqual(Float64Array.of(2.5, 0));
    expect(store.column('x').atSync(ROWS - 1)).toBe(2.5);
    for await (const { x } of store.batches({ rows: 1000 })) {
      expect(x).toHaveLength(1000);
      break;
    }
    for await (const row of store.slice(ROWS - 1).rows()) expect(row).toEqual(expect.objectContaining({ x: 2.5 }));
  });
});
