// JSON out, and in again; and what other readers make of it.
import { MemorySink } from '@colkit/io';
import { tableArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Table, toInputColumns } from '../../src/index.ts';
import { readJson, toJson } from '../../src/json/index.ts';
import type { ToJsonOptions } from '../../src/json/index.ts';
import { readAll } from '../support/inputs.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { tableFrom, upTo } from '../support/tables.ts';

async function jsonOf(table: Table, options?: ToJsonOptions): Promise<string> {
  const sink = new MemorySink();
  await toJson(table, sink, options);
  return new TextDecoder().decode(sink.bytes());
}

describe('out', () => {
  it.each(['lines', 'list'] as const)('as %s comes in again as it was, given the types', async (form) => {
    const dtypes = ['bool', 'int8', 'uint16', 'int32', 'int64', 'uint64', 'float32', 'float64', 'string', 'binary'];
    await fc.assert(
      fc.asyncProperty(tableArbitrary({ dtypes, nullable: true }), async (table) => {
        const json = await jsonOf(new Table(new MemoryTable(table)), { form });
        if (table.rowCount === 0) return;
        const input = await readJson(new TextEncoder().encode(json), {
          types: new Map(table.columns.map(({ name, dtype }) => [name, dtype as 'int8'])),
        });
        const got = await readAll(toInputColumns(input));
        for (const { name, values } of table.columns) expect(got[name]).toEqual(values);
      }),
      { numRuns: 80 },
    );
  });

  it('comes in again without types, where values are of their own', async () => {
    const columns = {
      whole: [1n, -(2n ** 63n), 2n ** 63n - 1n],
      unsigned: [0n, 2n ** 64n - 1n, 1n],
      floats: [0.5, Number.NaN, -0],
      wide: [1234567890123456768, 123456789012345680000, 1e22],
      day: [0n, 1n, -1n],
      time: [0n, -(2n ** 63n), 1n],
      text: ['a', '"', '\u2028'],
      flag: [true, false, true],
    };
    const table = tableFrom({
      whole: ['int64', columns.whole],
      unsigned: ['uint64', columns.unsigned],
      floats: ['float64', columns.floats],
      wide: ['float64', columns.wide],
      day: ['datetime64[D]', columns.day],
      time: ['datetime64[us]', columns.time],
      text: ['string', columns.text],
      flag: ['bool', columns.flag],
    });
    for (const form of ['lines', 'list'] as const) {
      const input = await readJson(new TextEncoder().encode(await jsonOf(table, { form })));
      expect(await readAll(toInputColumns(input))).toEqual(columns);
    }
  });

  it('is what JSON.parse reads, lines or a list', async () => {
    const table = tableFrom({
      '10': ['int32?', [1, null]],
      'a"b': ['float64', [Number.NaN, Infinity]],
      t: ['datetime64[s]', [0n, -(2n ** 63n)]],
      b: ['binary', [Uint8Array.of(1, 2), new Uint8Array(0)]],
    });
    const lines = await jsonOf(table);
    expect(lines).toBe(
      '{"10":1,"a\\"b":"NaN","t":"1970-01-01T00:00:00Z","b":"AQI="}\n{"10":null,"a\\"b":"Infinity","t":"NaT","b":""}\n',
    );
    const list: unknown = JSON.parse(await jsonOf(table, { form: 'list' }));
    expect(list).toEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    );
    expect(list).toEqual(await table.toRows({ json: true }));
    const sparse = JSON.parse(await jsonOf(table, { form: 'list', nan: 'null' })) as Record<string, unknown>[];
    expect(sparse.map((row) => [row['a"b'], row['t']])).toEqual([
      [null, '1970-01-01T00:00:00Z'],
      ['Infinity', null],
    ]);
  });

  it('of no rows, of many, and of a view', async () => {
    const table = tableFrom({ a: ['int32', upTo(20_000)] });
    expect(await jsonOf(table.slice(0, 0))).toBe('');
    expect(await jsonOf(table.slice(0, 0), { form: 'list' })).toBe('[]\n');
    const rows = JSON.parse(await jsonOf(table, { form: 'list' })) as { a: number }[];
    expect(rows.map(({ a }) => a)).toEqual(upTo(20_000));
    expect(await jsonOf(table.where('a > 19997'))).toBe('{"a":19998}\n{"a":19999}\n');
  });

  it('options are checked', async () => {
    const table = tableFrom({ a: ['int32', [1]] });
    for (const wrong of [{ form: 'rows' }, { nan: 0 }, { from: 'lines' }])
      await expect(jsonOf(table, wrong as never)).rejects.toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    await expect(readJson('x.json', { nestd: 'text' } as never)).rejects.toThrow('did you mean "nested"');
  });
});
