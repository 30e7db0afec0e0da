// A few bytes that stand for gigabytes: entries of a dictionary are there once, whoever reads them, and what a read
// decodes has a limit that its error names.
import { beforeAll, describe, expect, it } from 'vitest';
import { isColkitError } from '@colkit/io';
import { inspect, open, openSync, read, readSync, scan, verify } from '../../src/index.ts';
import { writeTable } from '../support/table.ts';

const ROWS = 20_000;
const MEGABYTE = 1 << 20;

/** 20,000 rows of one of two values of 1 MiB: 20 GiB, if each row had its own. */
function bomb(type: 'binary' | 'string'): Uint8Array {
  const entries =
    type === 'binary'
      ? [new Uint8Array(MEGABYTE).fill(7), new Uint8Array(MEGABYTE).fill(9)]
      : ['a'.repeat(MEGABYTE), 'b'.repeat(MEGABYTE)];
  const values = Array.from({ length: ROWS }, (_, row) => entries[row % 2]!);
  // In mode smallest an entry is copies of what is before it, otherwise deflated.
  const mode = type === 'binary' ? 'smallest' : 'default';
  return writeTable([{ name: 'v', type, values: values as string[] }], { mode }).bytes;
}

const limitError = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return isColkitError(error) ? { name: error.name, code: error.code, message: error.message } : error;
  }
  return null;
};

describe.each(['binary', 'string'] as const)('a column of %s whose dictionary has entries of 1 MiB', (type) => {
  let file: Uint8Array;
  beforeAll(() => {
    file = bomb(type);
    expect(file.length).toBeLessThan(10_000);
  });

  it('is read, by rows and by a predicate, with one value for all rows of an entry', async () => {
    for (const values of [
      (await read(file))['v'],
      (await scan(file, {})).columns['v'],
      openSync(file).take([0, 2, 19_998]).column('v').toArraySync(),
    ] as unknown[][]) {
      expect((values[0] as Uint8Array | string).length).toBe(MEGABYTE);
      expect(new Set(values).size).toBe(values.length === 3 ? 1 : 2);
    }
  });

  it('is grouped, counted and printed by entries', async () => {
    using table = openSync(file);
    const groups = (await table.groupBy('v').agg({ n: 'count' })).table;
    expect((await groups.toRows()).map(({ n }) => n)).toEqual([ROWS / 2, ROWS / 2]);
    expect((await groups.toRows()).map(({ v }) => (v as Uint8Array | string).at(0))).toEqual(
      type === 'binary' ? [7, 9] : ['a', 'b'],
    );
    expect(await table.column('v').countDistinct()).toBe(2);
    expect((await table.distinct('v').toRows()).length).toBe(2);
    expect(new Set((await table.toRows({ json: true })).map(({ v }) => v)).size).toBe(2);
    await expect(table.toArrow()).rejects.toMatchObject({ name: 'LimitError', code: 'ERR_LIMIT' });
  });

  it('is verified and inspected entry by entry', async () => {
    expect(await verify(file)).toMatchObject({ ok: true, problems: [] });
    expect((await inspect(file)).rowCount).toBe(ROWS);
    const described = await inspect(file, { explainChoices: true });
    expect(described.rowGroups[0]!.chunks[0]!.pages.every(({ choice }) => choice === undefined)).toBe(true);
  });

  it('is refused where the limit is below it; the error names the limit and what raises it', async () => {
    const low = { limits: { maxDecodedBytes: MEGABYTE } };
    const expected = {
      name: 'LimitError',
      code: 'ERR_LIMIT',
      message: expect.stringMatching(
        /limits\.maxDecodedBytes.*\{ limits: \{ maxDecodedBytes \} \}.*batches\(\)/,
      ) as unknown,
    };
    expect(limitError(() => readSync(file, low))).toEqual(expected);
    await expect(scan(file, { ...low, where: 'v is not null' })).rejects.toMatchObject({
      code: 'ERR_LIMIT',
      limit: MEGABYTE,
    });
    expect(limitError(() => openSync(file, low).toColumnsSync({ strings: 'dictionary' }))).toEqual(
      type === 'string' ? expected : expected,
    );
    // What the error says to do.
    expect((await read(file, { limits: { maxDecodedBytes: 8 * MEGABYTE } }))['v']).toHaveLength(ROWS);
    let rows = 0;
    for await (const { v } of (await open(file, { limits: { maxDecodedBytes: 3 * MEGABYTE } })).batches({ rows: 1000 }))
      rows += (v as unknown[]).length;
    expect(rows).toBe(ROWS);
  });
});

it('rows that hardly a byte stands for are counted before memory is taken', () => {
  const { bytes } = writeTable([
    { name: 'n', type: 'int64', values: new BigInt64Array(1_000_000).fill(5n) },
    { name: 't', type: 'string', values: new Array<string>(1_000_000).fill('') },
  ]);
  const limits = { maxDecodedBytes: 7_999_999 };
  for (const column of ['n', 't']) {
    expect(limitError(() => openSync(bytes, { limits }).column(column).toArraySync())).toMatchObject({
      name: 'LimitError',
    });
    expect(
      openSync(bytes, { limits: { maxDecodedBytes: 8_000_000 } })
        .column(column)
        .toArraySync(),
    ).toHaveLength(1_000_000);
  }
});
