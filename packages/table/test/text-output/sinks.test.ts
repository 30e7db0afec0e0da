// Where text goes: what is no sink, or tells nobody of what was written, is refused before anything is read; the writer
// of a stream is one.
import { Writable } from 'node:stream';
import { isColkitError } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { toCsv } from '../../src/csv/index.ts';
import { Table } from '../../src/index.ts';
import { toJson } from '../../src/json/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf } from '../support/tables.ts';

const ROWS = 400;
const PER_ROW = 10_000;
const table = new Table(
  new MemoryTable(oracleOf({ a: ['string', Array.from({ length: ROWS }, (_, row) => String(row).padStart(PER_ROW))] })),
);

describe.each([
  ['toCsv', toCsv],
  ['toJson', toJson],
])('%s', (_, write) => {
  test.each([
    ['a stream of Node', () => new Writable({ write: () => undefined }), 'Writable.toWeb(stream).getWriter()'],
    ['a WritableStream', () => new WritableStream(), 'stream.getWriter()'],
    ['a path', () => 'out.csv', 'openFileSink(path)'],
    ['null', () => null, 'openFileSink(path)'],
    ['an object without write', () => ({ write: 1 }), 'openFileSink(path)'],
  ])('%s is no sink', async (_, made, remedy) => {
    const error: unknown = await write(table, made() as never).catch((reason: unknown) => reason);
    if (!isColkitError(error)) throw new Error(`no error of the family: ${String(error)}`);
    expect(error).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'sink' });
    expect(error.message).toContain(remedy);
  });

  test.each([null, 'orders.cna', {}])('%j is no table', async (given) => {
    await expect(write(given as never, { write: () => Promise.resolve() })).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'table',
    });
  });

  test('the writer of a stream: few bytes wait, and its failure is told', async () => {
    let [most, written] = [0, 0];
    const stream: Writable = new Writable({
      write: (chunk: Uint8Array, __, done) => {
        most = Math.max(most, stream.writableLength);
        written += chunk.length;
        setImmediate(done);
      },
    });
    expect(await write(table, Writable.toWeb(stream).getWriter())).toBe(ROWS);
    expect(written).toBeGreaterThan(ROWS * PER_ROW);
    expect(most).toBeLessThan(0.6 * written);
    const full = new Writable({ write: (__, ___, done) => done(new Error('ENOSPC')) });
    await expect(write(table, Writable.toWeb(full).getWriter())).rejects.toThrow('ENOSPC');
  });
});
