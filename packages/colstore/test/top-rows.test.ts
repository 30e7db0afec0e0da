// The first rows of an order over a file that says nothing of its values: those of its end tell what others have to
// come before. The same as a sort of all rows has.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../src/index.ts';
import type { DType, Table } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-top-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 70_000;
const NAT = -(2n ** 63n);
const random = createRandom(11);
const rows = Array.from({ length: ROWS }, (_, row) => row);
type Value = number | bigint | string;
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  rising: rows.map((row) => (row >> 1) - 9000),
  falling: rows.map((row) => 2n ** 53n + 1n - BigInt(Math.floor(row / 3))),
  // The end has no value but those that come last.
  'not at the end': rows.map((row) => (row > 40_000 ? NaN : row % 2 === 0 ? -0 : row / 4)),
  'no ticks at the end': rows.map((row) => (row > ROWS - 20_000 ? NAT : BigInt(row))),
  ties: rows.map((row) => (row > 60_000 ? 7 : row % 8)),
  text: rows.map((row) => `${row > 50_000 ? '😀' : '\uffff'}${String(random.integer(400))}`),
};
const NAMES = Object.keys(VALUES);
const path = join(folder, 'rows.cstore');
const TYPES = { rising: 'int32', falling: 'int64', 'not at the end': 'float64', ties: 'uint8', text: 'U5' } as const;
writeSync(
  path,
  Object.fromEntries(
    NAMES.map((name) => [
      name,
      typed((TYPES as Record<string, DType>)[name] ?? 'datetime64[ms]', VALUES[name] as never),
    ]),
  ) as never,
);

const isValue = (value: Value): boolean => value !== NAT && !Number.isNaN(value);
const bytesOf = new Map(VALUES['text']!.map((text) => [text, Buffer.from(text as string)]));

function compare(one: Value, other: Value, descending: boolean): number {
  if (!isValue(one) || !isValue(other)) return Number(isValue(other)) - Number(isValue(one));
  const order =
    typeof one === 'string'
      ? Buffer.compare(bytesOf.get(one)!, bytesOf.get(other)!)
      : Number(one > (other as number)) - Number(one < (other as number));
  return descending ? -order : order;
}

it.each(NAMES.flatMap((name) => [false, true].map((descending) => [name, descending] as const)))(
  'by %s, descending %s',
  (column, descending) => {
    using table = openSync(path) as unknown as Table;
    const values = VALUES[column]!;
    const all = rows.toSorted((a, b) => compare(values[a]!, values[b]!, descending) || a - b);
    const ties = VALUES['ties'] as readonly number[];
    const both = rows.toSorted((a, b) => compare(values[a]!, values[b]!, descending) || ties[b]! - ties[a]! || a - b);
    for (const [from, to] of [
      [0, ROWS],
      [333, ROWS - 1001],
    ] as const) {
      const view = table.slice(from, to);
      const inside = (row: number): boolean => row >= from && row < to;
      for (const k of [1, 20, 9000]) {
        const found = view.orderBy({ column, descending } as never).head(k);
        expect([...found.resolveSync().rowNumbers()]).toEqual(all.filter(inside).slice(0, k));
      }
      if (column === 'ties') continue;
      const found = view.orderBy({ column, descending } as never, { column: 'ties', descending: true } as never);
      expect([...found.head(300).resolveSync().rowNumbers()]).toEqual(both.filter(inside).slice(0, 300));
    }
  },
);
