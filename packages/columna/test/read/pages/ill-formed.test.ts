// A text of a dictionary that is no UTF-8: rows that have it are refused, and no others, whoever decodes the entries.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isColkitError, setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import type { Table } from '../../../src/index.ts';
import { withByte } from '../../support/damaged.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-ill-formed-'));
const projectBackend = process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native';
afterAll(() => {
  setDefaultBackend(projectBackend);
  rmSync(folder, { recursive: true });
});

const ROWS = 400;
// With nothing to compress in them.
const random = createRandom(5);
const WORDS = Array.from({ length: 8 }, () =>
  String.fromCharCode(...Array.from({ length: 24 }, () => 33 + random.integer(94))),
);
const NEEDLE = 5;
const word = (row: number): number => (Math.imul(row + 1, 0x9e3779b1) >>> 13) % WORDS.length;
const rows = (keep: (row: number) => boolean): number[] => Array.from({ length: ROWS }, (_, row) => row).filter(keep);
const hasNulls = (row: number): boolean => row % 5 === 0;

interface Shape {
  readonly text: (row: number) => string | null;
  readonly options: object;
}
const SHAPES: Readonly<Record<string, Shape>> = {
  'a dictionary of the chunk': { text: (row) => WORDS[word(row)]!, options: { mode: 'default' } },
  'the same with nulls': { text: (row) => (hasNulls(row) ? null : WORDS[word(row)]!), options: { mode: 'default' } },
  'a dictionary of the page': { text: (row) => WORDS[word(row)]!, options: { encodings: { t: 'DICTIONARY' } } },
  'the same, with nulls': {
    text: (row) => (hasNulls(row) ? null : WORDS[word(row)]!),
    options: { encodings: { t: 'DICTIONARY' } },
  },
  'texts one after the other': { text: (row) => WORDS[word(row)]!, options: { mode: 'plain' } },
};

describe.each(Object.keys(SHAPES))('%s', (name) => {
  const { text, options } = SHAPES[name]!;
  const path = join(folder, `${name}.cna`);
  const texts = Array.from({ length: ROWS }, (_, row) => text(row));
  writeSync(path, { t: texts, n: Int32Array.from({ length: ROWS }, (_, row) => row) }, options);
  const whole = new Uint8Array(readFileSync(path));
  expect(Buffer.from(whole).includes(WORDS[NEEDLE]!)).toBe(true);
  writeFileSync(path, withByte(whole, Buffer.from(whole).indexOf(WORDS[NEEDLE]!) + 2, 0xff));
  // Where texts lie one after the other, one row has the damaged one.
  const first = texts.indexOf(WORDS[NEEDLE]!);
  const isOnce = options === SHAPES['texts one after the other']!.options;
  const isDamaged = (row: number): boolean => (isOnce ? row === first : text(row) === WORDS[NEEDLE]);
  const sound = rows((row) => !isDamaged(row));

  it.each(['js', projectBackend] as const)('%s', async (backend) => {
    setDefaultBackend(backend);
    using table = openSync(path);
    const of = (some: readonly number[]): Table => table.take(some);
    const expected = (some: readonly number[]): (string | null)[] => some.map((row) => texts[row]!);
    const damaged = rows(isDamaged).slice(0, 1);
    for (const some of [sound, sound.slice(40, 43), sound.slice(0, 60)]) {
      expect(of(some).column('t').toArraySync()).toEqual(expected(some));
      const { t } = of(some).toColumnsSync({ strings: 'dictionary' });
      const { codes, dictionary } = t as unknown as { codes: Int32Array; dictionary: string[] };
      expect(Array.from(codes, (code) => dictionary[code] ?? null)).toEqual(expected(some));
      expect([...(await of(some).toArrow<{ getChildAt(at: number): Iterable<unknown> }>()).getChildAt(0)]).toEqual(
        expected(some),
      );
      expect(of(some).groupBy('t').aggSync({ n: 'count' }).columns.t).toEqual([...new Set(expected(some))]);
      expect(of(some).column('t').maxSync()).toBe(expected(some).filter(Boolean).sort().at(-1));
      expect(of(some).aggSync({ d: { countDistinct: 't' } }).d).toBe(new Set(expected(some).filter(Boolean)).size);
    }
    const calls: ((view: Table) => unknown)[] = [
      (view) => view.toColumnsSync(),
      (view) => view.toColumnsSync({ strings: 'dictionary' }),
      (view) => view.groupBy('t').aggSync({ n: 'count' }),
    ];
    for (const call of calls)
      for (const view of [of(damaged), table, table.where('n >= 0')])
        expect(() => call(view)).toThrow(expect.objectContaining({ code: 'ERR_LAYOUT' }));
    const extremes = (view: Table): unknown[] => [view.column('t').minSync(), view.column('t').maxSync()];
    expect(() => extremes(of(damaged))).toThrow(expect.objectContaining({ code: 'ERR_LAYOUT' }));
    // Of all rows they are in the statistics.
    const ordered = texts.filter(Boolean).sort();
    for (const view of [table, table.where('n >= 0')]) expect(extremes(view)).toEqual([ordered[0], ordered.at(-1)]);
    await expect(of(damaged).toArrow()).rejects.toSatisfy(isColkitError);
    // By groups, of rows that a filter left.
    const kept = sound.filter((row) => row < first);
    const { columns } = table
      .where(`n < ${String(first)}`)
      .groupBy('t')
      .aggSync({ total: { sum: 'n' } });
    expect(columns.t).toEqual([...new Set(expected(kept))]);
  });
});
