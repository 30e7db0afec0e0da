// The first rows of an order, of so many that the file is asked for those before the last one kept: the same rows, in
// the same order, as a sort of all of them has, with the addon and without.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';
import { backendsToAsk } from '../../support/backends.ts';
import { expectSame } from '../../support/same-items.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-top-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Three times the file is asked for more, each time for eight times as many rows as before. */
const ROWS = 40_000;
const [FROM, TO] = [1000, 39_001];
const NAT = -(2n ** 63n);
const random = createRandom(5);
const rows = Array.from({ length: ROWS }, (_, row) => row);
const oneOf = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
type Value = string | number | bigint | null;
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  ties: rows.map(() => random.integer(5)),
  small: rows.map(() => random.integer(30_000) - 15_000),
  holes: rows.map(() => (random.integer(3) === 0 ? null : random.integer(1000))),
  // Fewer values than rows are wanted.
  rare: rows.map((row) => (row % 13_000 === 7 ? row : null)),
  floats: rows.map(() => oneOf([NaN, 0, -0, Infinity, -Infinity, random.number() - 0.5])),
  wide: rows.map(() => BigInt(random.integer(9)) * 2n ** 60n + BigInt(random.integer(1000))),
  ticks: rows.map(() => (random.integer(4) === 0 ? NAT : BigInt(random.integer(2 ** 30)) - 2n ** 29n)),
  text: rows.map(() => oneOf([null, '', 'é😀', '\uffff', `text ${String(random.integer(400))}`])),
  // Of each stretch a few are better than those before.
  names: rows.map(() => `name ${String(random.integer(1e6))}`),
  'rare text': rows.map((row) => (row % 13_000 === 7 ? `text ${String(row)}` : null)),
  sorted: rows.map((row) => Math.floor(row / 3)),
  falling: rows.map((row) => (row % 5 === 0 ? null : 2n ** 63n + 2n ** 53n - BigInt(Math.floor(row / 2)))),
  // Statistics count NaT for values, of which some pages have fewer than are wanted.
  rising: rows.map((row) => (row % 97 === 0 ? BigInt(row) - 20_000n : NAT)),
  // Of rows that are the largest, all but a few are NaN.
  'rising floats': rows.map((row) => (row % (row < 36_000 ? 2 : 400) === 0 ? (row - 100) / 8 : oneOf([NaN, 0, -0]))),
  // Bounds of texts are cut, between characters.
  'rising text': rows.map((row) => 'é'.repeat(30) + (row < 20_000 ? '\uffff' : '😀') + String(100_000 + (row >> 1))),
};
const columns = {
  ties: typed('int8', VALUES['ties'] as never),
  small: typed('int16', VALUES['small'] as never),
  holes: typed('int32', VALUES['holes'] as never),
  rare: typed('int32', VALUES['rare'] as never),
  floats: typed('float64', VALUES['floats'] as never),
  wide: typed('uint64', VALUES['wide'] as never),
  ticks: typed('datetime64[us]', VALUES['ticks'] as never),
  text: VALUES['text'],
  names: VALUES['names'],
  'rare text': VALUES['rare text'],
  sorted: typed('int32', VALUES['sorted'] as never),
  falling: typed('uint64', VALUES['falling'] as never),
  rising: typed('datetime64[us]', VALUES['rising'] as never),
  'rising floats': typed('float32', VALUES['rising floats'] as never),
  'rising text': VALUES['rising text'],
};
const NAMES = Object.keys(columns);

/** NaN and NaT before null, both behind all values, in both directions. */
function classOf(value: Value): number {
  if (value === null) return 2;
  return value === NAT || Number.isNaN(value) ? 1 : 0;
}

const bytesOf = new Map(
  ['text', 'names', 'rare text', 'rising text'].flatMap((name) =>
    VALUES[name]!.map((text) => [text, Buffer.from(String(text))] as const),
  ),
);

function compareBytes(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(bytesOf.get(one)!, bytesOf.get(other)!);
}

function compare(one: Value, other: Value, descending: boolean): number {
  const [left, right] = [classOf(one), classOf(other)];
  if (left !== right || left !== 0) return left - right;
  const order =
    typeof one === 'string'
      ? compareBytes(one, other as string)
      : Number((one as number) > (other as number)) - Number((one as number) < (other as number));
  return descending ? -order : order;
}

interface Key {
  readonly column: string;
  readonly descending: boolean;
}

/** All rows, of which a slice has its own in the same order. */
function sorted(keys: readonly Key[]): readonly number[] {
  return rows.toSorted((one, other) => {
    for (const { column, descending } of keys) {
      const values = VALUES[column] as readonly Value[];
      const order = compare(values[one] as Value, values[other] as Value, descending);
      if (order !== 0) return order;
    }
    return one - other;
  });
}

const path = join(folder, 'rows.cna');
writeSync(path, columns as never, { pageRows: 4096, rowGroupSize: 16_384 });

const BACKENDS = backendsToAsk();

describe(`with backends ${BACKENDS.join(' and ')}`, () => {
  const tables = BACKENDS.map((backend) => openSync(path, { backend }));
  afterEach(() => setDefaultBackend('js'));
  afterAll(() => tables.forEach((table) => table.close()));
  /** All rows and some, with each backend, which is the process's meanwhile. */
  function* views() {
    for (const [number, table] of tables.entries()) {
      setDefaultBackend(BACKENDS[number]!);
      yield [table, 0, ROWS] as const;
      yield [table.slice(FROM, TO), FROM, TO] as const;
    }
  }

  it.each(NAMES.flatMap((name) => [false, true].map((descending) => [name, descending] as const)))(
    'by %s, descending %s',
    (column, descending) => {
      const all = sorted([{ column, descending }]);
      for (const [view, from, to] of views()) {
        const expected = all.filter((row) => row >= from && row < to);
        const order = view.orderBy({ column, descending } as never);
        for (const k of [1, 10, 500, ROWS])
          expectSame([...order.head(k).resolveSync().rowNumbers()], expected.slice(0, k));
      }
    },
  );

  it.each(NAMES.map((name, number) => [name, NAMES[(number * 5 + 1) % NAMES.length] as string] as const))(
    'by %s, then %s from the largest',
    (first, second) => {
      const keys = [
        { column: first, descending: false },
        { column: second, descending: true },
      ];
      const all = sorted(keys);
      for (const [view, from, to] of views()) {
        const found = view
          .orderBy(...(keys as never[]))
          .head(50)
          .resolveSync()
          .rowNumbers();
        expect([...found]).toEqual(all.filter((row) => row >= from && row < to).slice(0, 50));
      }
    },
  );
});
