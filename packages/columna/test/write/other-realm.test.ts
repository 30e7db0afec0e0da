// Arrays, dates, Maps and Sets of another realm (a context of node:vm, a frame of a page) are those that they would be
// here: as values, options, row numbers, masks, parameters and files.
import { createContext, runInContext } from 'node:vm';
import { codeOf } from '@colkit/testkit';
import { expect, it } from 'vitest';
import { MemorySink, col, inspect, open, typed, write } from '../../src/index.ts';
import type { Table } from '@colkit/table';
import type { WriteInput } from '../../src/index.ts';

const context = createContext({});
const other = (code: string): never => runInContext(code, context) as never;

async function written(data: WriteInput, options: Parameters<typeof write>[2] = {}): Promise<Uint8Array> {
  const sink = new MemorySink();
  await write(sink, data, options);
  return sink.bytes();
}

const table = async (): Promise<Table> =>
  open(
    await written({
      n: Int32Array.of(1, 2, 3),
      at: [0, 1, 2].map((time) => new Date(time)),
      b: [1, 2, 3].map((each) => Uint8Array.of(each)),
    }),
  );

it.each([
  ['typed arrays', '({ x: Float64Array.of(1, 2) })', [1, 2]],
  ['a Map', 'new Map([["x", [1, 2]]])', [1, 2]],
  ['rows', '[{ x: new Date(0) }, { x: new Date(5) }]', [0n, 5000n]],
  ['bytes', '({ x: [Uint8Array.of(7), null] })', [Uint8Array.of(7), null]],
  ['a bitmap', '({ x: { values: Int8Array.of(1, 2), validity: Uint8Array.of(1) } })', [1, null]],
  ['a dictionary', '({ x: { codes: Int32Array.of(1, 0), dictionary: ["a", "b"] } })', ['b', 'a']],
])('values: %s', async (_, code, expected) => {
  const values = await (await open(await written(other(code)))).column('x').toArray();
  expect(Array.from(values as ArrayLike<unknown>)).toEqual(expected);
});

it('typed values and options', async () => {
  const metadata = other('new Map([["a", "b"]])');
  const schema = other('new Map([["x", "datetime64[us]"]])');
  const bytes = await written({ x: typed('datetime64[ms]', other('[new Date(7)]')) }, { metadata });
  expect((await inspect(bytes)).metadata).toEqual({ a: 'b' });
  expect((await open(await written({ x: [] }, { schema }))).schema[0]?.dtype).toBe('datetime64[us]');
});

it.each(['[2, 0]', 'Int32Array.of(2, 0)', 'Float64Array.of(2, 0)', 'BigInt64Array.of(2n, 0n)', 'Int8Array.of(2, 0)'])(
  'row numbers: %s',
  async (code) => {
    expect((await (await table()).take(other(code)).toRows({ json: true })).map(({ n }) => n)).toEqual([3, 1]);
  },
);

it('masks, parameters, constants and out', async () => {
  const rows = await table();
  expect(await rows.filter(other('Uint8Array.of(1, 0, 1)')).count()).toBe(2);
  expect(await rows.where('at > @low', other('({ low: new Date(0) })')).count()).toBe(2);
  expect(await rows.where('n in @list', other('new Map([["list", new Set([1, 3])]])')).count()).toBe(2);
  expect(await rows.where('at in @list', { list: other('[new Date(1)]') }).count()).toBe(1);
  expect(await rows.where('b = @key', { key: other('Uint8Array.of(2)') }).count()).toBe(1);
  expect(await rows.where(col('at').ge(other('new Date(1)'))).count()).toBe(2);
  const out = other('new Map([["n", new Int32Array(3)]])') as Map<string, Int32Array<ArrayBuffer>>;
  await rows.select('n').toColumns({ out });
  expect([...(out.get('n') ?? [])]).toEqual([1, 2, 3]);
});

it('bytes of a file', async () => {
  const own = await written({ n: Int32Array.of(1, 2, 3) });
  const bytes = (other('(list) => Uint8Array.from(list)') as (list: number[]) => Uint8Array)([...own]);
  for (const given of [bytes, bytes.buffer as ArrayBuffer]) expect((await open(given)).rowCount).toBe(3);
});

it('a buffer that was transferred is told', async () => {
  const rows = other('Int32Array.of(0)') as Int32Array<ArrayBuffer>;
  structuredClone(rows.buffer, { transfer: [rows.buffer] });
  expect(await codeOf(async () => (await table()).take(rows).toColumns())).toBe('ERR_DETACHED');
});

it('bounds of long texts where Uint8Array is that of another realm, as in tests in jsdom', async () => {
  const own = globalThis.Uint8Array;
  const long = (text: string): string => text.padEnd(100, '.');
  const s = Array.from({ length: 2000 }, (_, row) => long(row < 1000 ? `zebra ${String(row)}` : `boar ${String(row)}`));
  globalThis.Uint8Array = other('Uint8Array');
  const bytes = await written({ s }, { pageRows: 1000 }).finally(() => {
    globalThis.Uint8Array = own;
  });
  expect(await (await open(bytes)).where("s > 'cat'").count()).toBe(1000);
});
