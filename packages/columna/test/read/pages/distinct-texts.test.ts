// Texts as codes into the distinct ones, and the least and largest of them, over every encoding of texts: beside the
// same found by plain code, in the order in which texts are met. Texts are edges: those that order in UTF-16 as they do
// not by code point, that share their first eight bytes, that differ in zeros behind them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { tableFromIPC, tableToIPC } from 'apache-arrow';
import type { Table as ArrowTable } from 'apache-arrow';
import { afterAll, describe, expect, test } from 'vitest';
import { open, openSync, typed, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-distinct-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 2400;
const random = createRandom(77);
const EDGES = ['', 'a\0', 'a\0\0b', 'żółć', 'abcdefgh', 'abcdefghi', ...'\0a\uffff\u{10ffff}\u{1f600}'];
const LONG = Array.from({ length: 20 }, (_, i) => `abcdefgh${'x'.repeat(60)}${String(i)}`);
const pool = [...EDGES, ...LONG];
const SHAPES: Readonly<Record<string, (row: number) => string | null>> = {
  edges: () => random.pick(pool),
  'edges and nulls': () => random.pick([...pool, null]),
  unique: (row) => `${random.pick(pool)}-${String(row)}`,
  'unique and nulls': (row) => (random.integer(3) === 0 ? null : `item ${String(random.integer(1e9))} ${String(row)}`),
  // Entries that are met late, in pages behind others.
  late: (row) => (row < 1500 ? 'first' : `then ${String(row % 300)}`),
  'nothing but nulls': () => null,
};
const values = Object.fromEntries(
  Object.entries(SHAPES).map(([name, make]) => [name, Array.from({ length: ROWS }, (_, row) => make(row))]),
);
const names = Object.keys(values);
const forced = names.filter((name) => name.startsWith('unique'));
const key = Int32Array.from({ length: ROWS }, (_, row) => (row * 7) % 11);

const bytesOf = new Map(Object.values(values).flatMap((texts) => texts.map((text) => [text, Buffer.from(text ?? '')])));

/** By code point, as UTF-8 orders by its bytes. */
const order = (a: string, b: string): number => Buffer.compare(bytesOf.get(a)!, bytesOf.get(b)!);

function dictionaryOf(texts: readonly (string | null)[]): { codes: number[]; dictionary: string[] } {
  const dictionary = [...new Set(texts.filter((text) => text !== null))];
  const codes = new Map<string | null, number>(dictionary.map((text, code) => [text, code]));
  return { codes: texts.map((text) => codes.get(text) ?? -1), dictionary };
}

function endOf(texts: readonly (string | null)[], isMax: boolean): string | null {
  let end: string | null = null;
  for (const text of texts) if (text !== null && (end === null || order(text, end) > 0 === isMax)) end = text;
  return end;
}

describe.each(['default', 'plain', 'ONPAIR', 'BLOCKS', 'MATCHES', 'FRONT'])('%s', (way) => {
  const path = join(folder, `${way}.cna`);
  const isMode = way === way.toLowerCase();
  const columns = Object.fromEntries(names.map((name) => [name, typed('string', values[name]!)]));
  writeSync(path, { ...columns, key } as never, {
    ...(isMode
      ? { mode: way as 'fast' }
      : { encodings: Object.fromEntries(forced.map((name) => [name, way])) as never }),
    rowGroupSize: 1000,
    pageRows: 304,
  });
  const picks = Array.from({ length: 400 }, () => random.integer(ROWS));
  const rows = Array.from({ length: ROWS }, (_, row) => row);

  test('codes into distinct texts', async () => {
    using table = await open(path);
    for (const [view, of] of [
      [table, rows],
      [table.slice(250, 1300), rows.slice(250, 1300)],
      [table.take(picks), picks],
      [table.take(picks.slice(0, 50)), picks.slice(0, 50)],
      [table.where('key == 3'), rows.filter((row) => key[row] === 3)],
    ] as const) {
      const columns = (await view.select(...(names as [string])).toColumns({ strings: 'dictionary' })) as Readonly<
        Record<string, { codes: Int32Array; dictionary: readonly string[] }>
      >;
      const arrow = tableFromIPC(
        tableToIPC((await view.toArrow({ strings: 'dictionary' })) as unknown as ArrowTable, 'stream'),
      );
      const plain = (await view.toArrow()) as unknown as ArrowTable;
      for (const name of names) {
        const texts = of.map((row) => values[name]![row]!);
        const { codes, dictionary } = columns[name]!;
        expect(Array.from(codes, (code) => dictionary[code] ?? null)).toEqual(texts);
        expect(new Set(dictionary)).toEqual(new Set(texts.filter((text) => text !== null)));
        expect(dictionary).toHaveLength(new Set(dictionary).size);
        // Scattered rows are read page after page.
        if (of.every((row, i) => i === 0 || row > of[i - 1]!)) expect([...codes]).toEqual(dictionaryOf(texts).codes);
        expect([...(arrow.getChild(name) as Iterable<unknown>)]).toEqual(texts);
        const offsets = plain.getChild(name)!.data[0]?.valueOffsets as Int32Array;
        expect([...(plain.getChild(name) as Iterable<unknown>)]).toEqual(texts);
        // A null has no bytes.
        expect(offsets.at(-1)).toBe(Buffer.byteLength(texts.join('')));
      }
    }
  });

  test('the first row of each, and of each beside another column', () => {
    using table = openSync(path);
    const firstNull = values['unique and nulls']!.indexOf(null);
    for (const [view, of] of [
      [table, rows],
      [table.slice(250, 1300), rows.slice(250, 1300)],
      // Null is met first.
      [table.slice(firstNull), rows.slice(firstNull)],
    ] as const) {
      for (const name of names) {
        for (const others of [[], ['key'], ['edges', 'edges and nulls']]) {
          const met = new Map<string, number>();
          for (const [at, row] of of.entries()) {
            const cells = [name, ...others].map((each) => (each === 'key' ? key : values[each]!)[row]);
            const text = JSON.stringify(cells);
            if (!met.has(text)) met.set(text, at + of[0]!);
          }
          const found = view.distinct(name, ...others).resolveSync();
          expect([...found.rowNumbers()]).toEqual([...met.values()]);
        }
      }
    }
  });

  test('how many there are, and the first and the last', () => {
    using table = openSync(path);
    const ask = Object.fromEntries<object>(
      names.flatMap((name): [string, object][] => [
        [`different ${name}`, { countDistinct: name }],
        [`first ${name}`, { first: name }],
        [`last ${name}`, { last: name }],
        [`count ${name}`, { count: name }],
      ]),
    );
    const expected = (some: readonly number[]): Record<string, unknown> =>
      Object.fromEntries(
        names.flatMap((name): [string, unknown][] => {
          const texts = some.map((row) => values[name]![row]!).filter((text) => text !== null);
          return [
            [`different ${name}`, new Set(texts).size],
            [`first ${name}`, texts[0] ?? null],
            [`last ${name}`, texts.at(-1) ?? null],
            [`count ${name}`, texts.length],
          ];
        }),
      );
    for (const [view, of] of [
      [table, rows],
      [table.slice(250, 1300), rows.slice(250, 1300)],
      [table.where('key > 8'), rows.filter((row) => key[row]! > 8)],
    ] as const) {
      expect(view.aggSync(ask as never) as unknown).toEqual(expected(of));
      const { columns } = view.groupBy('key').aggSync(ask as never) as { columns: Record<string, unknown[]> };
      for (const [at, group] of [...columns['key']!].entries()) {
        const found = Object.fromEntries(Object.keys(ask).map((name) => [name, columns[name]![at]]));
        expect(found).toEqual(expected(of.filter((row) => key[row] === group)));
      }
    }
  });

  test('the least and the largest', () => {
    using table = openSync(path);
    const ask = Object.fromEntries<object>(
      names.flatMap((name): [string, object][] => [
        [`min ${name}`, { min: name }],
        [`max ${name}`, { max: name }],
      ]),
    );
    for (const [view, of] of [
      [table, rows],
      [table.slice(250, 1300), rows.slice(250, 1300)],
      [table.where('key > 8'), rows.filter((row) => key[row]! > 8)],
    ] as const) {
      const ends = (some: readonly number[]): Record<string, unknown> =>
        Object.fromEntries(
          names.flatMap((name) => {
            const texts = some.map((row) => values[name]![row]!);
            return [
              [`min ${name}`, endOf(texts, false)],
              [`max ${name}`, endOf(texts, true)],
            ];
          }),
        );
      expect(view.aggSync(ask as never) as unknown).toEqual(ends(of));
      for (const by of ['key', 'edges'] as const) {
        const { columns } = view.groupBy(by).aggSync(ask as never) as { columns: Record<string, unknown[]> };
        const groups = [...new Set(of.map((row) => (by === 'key' ? key : values['edges']!)[row]))];
        expect(columns[by]).toEqual(groups);
        for (const [at, group] of groups.entries()) {
          const found = Object.fromEntries(Object.keys(ask).map((name) => [name, columns[name]![at]]));
          expect(found).toEqual(ends(of.filter((row) => (by === 'key' ? key : values['edges']!)[row] === group)));
        }
      }
    }
  });
});
