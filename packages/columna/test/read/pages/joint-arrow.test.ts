// Texts of joint dictionaries as Arrow: nulls, few rows of many entries, and entries that are too long to be laid out
// by code.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import type * as arrow from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync } from '../../../src/index.ts';
import type { Table } from '../../../src/index.ts';
import { readTable, writeTable } from '../../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-joint-arrow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 9000;
const random = createRandom(3);
const SHAPES: Readonly<Record<string, (route: number) => string>> = {
  short: (route) => `é${route % 40}`,
  'too long to be laid out': (route) => `${route % 40}${'long, '.repeat(1500)}`,
};

describe.each(Object.entries(SHAPES))('%s', (name, textOf) => {
  const routes = Array.from({ length: ROWS }, () => random.integer(300));
  const texts = routes.map((route) => (route % 7 === 0 ? null : textOf(route)));
  const others = routes.map((route) => `to ${(route * 7919) % 300}`);
  const { bytes } = writeTable(
    [
      { name: 'other', type: 'string', values: others },
      { name: 'text', type: 'string', values: texts },
    ],
    { pageRows: 4000 },
  );
  expect(readTable(bytes).chunks.map(([chunk]) => chunk!.joint)).toEqual([true, true]);
  const path = join(folder, `${name}.cna`);
  writeFileSync(path, bytes);

  it.each([
    ['all rows', (table: Table) => table, (values: readonly unknown[]) => values],
    ['a slice', (table: Table) => table.slice(3990, 4100), (values: readonly unknown[]) => values.slice(3990, 4100)],
    [
      'a few rows',
      (table: Table) => table.take([8999, 4, 4]),
      (values: readonly unknown[]) => [8999, 4, 4].map((row) => values[row]),
    ],
    [
      'rows that match',
      (table: Table) => table.where("other = 'to 77'"),
      (values: readonly unknown[]) => values.filter((_, row) => others[row] === 'to 77'),
    ],
  ])('%s', async (_, of, from) => {
    using table = openSync(path);
    const made = await of(table).toArrow<arrow.Table>();
    expect([...made.getChild('text')!]).toEqual(from(texts));
    expect([...made.getChild('other')!]).toEqual(from(others));
    const coded = await of(table).toArrow<arrow.Table>({ strings: 'dictionary' });
    const column = coded.getChild('text') as arrow.Vector<arrow.Dictionary>;
    expect([...column]).toEqual(from(texts));
    const entries = [...(column.data[0]?.dictionary as arrow.Vector)];
    expect(entries.sort()).toEqual([...new Set(from(texts))].filter((text) => text !== null).sort());
    expect([...(coded.getChild('other') as arrow.Vector)]).toEqual(from(others));
  });
});
