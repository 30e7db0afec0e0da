// Texts that begin as the ones before them (FRONT), which the addon tells from constants by where they differ: beside
// plain comparisons of bytes, of texts in order and in none, whatever encoding holds what each has of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, afterEach, expect, it } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import { backendsToAsk } from '../../support/backends.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-beginnings-'));
afterEach(() => setDefaultBackend('js'));
afterAll(() => rmSync(folder, { recursive: true }));

const random = createRandom(77);
const ROWS = 1200;
const letters = (from: string, least: number, most: number): string =>
  Array.from({ length: least + random.integer(most - least + 1) }, () => from[random.integer(from.length)]).join('');
const many = (one: () => string): string[] => Array.from({ length: ROWS }, one);
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const inOrder = (texts: string[]): string[] => texts.sort(compare);

const TABLES: readonly (readonly [string, readonly (string | null)[]])[] = [
  ['two letters in order', inOrder(many(() => letters('ab', 6, 24)))],
  ['two letters in no order', many(() => letters('ab', 6, 24))],
  [
    'two letters in no order, with nulls',
    many(() => letters('ab', 5, 20)).map((text, i) => (i % 7 === 3 ? null : text)),
  ],
  ['the other way round', inOrder(many(() => letters('abc', 0, 20))).reverse()],
  ['about what is compared at once', inOrder(many(() => 'k'.repeat(20 + random.integer(10)) + letters('ab', 4, 9)))],
  [
    'long ones',
    inOrder(many(() => `https://example.org/${letters('ab', 0, 3)}/${'path/'.repeat(20)}${letters('01', 8, 20)}`)),
  ],
  ['of more than ASCII', inOrder(many(() => letters('aż日', 0, 12) + (random.integer(3) === 0 ? '😀' : '')))],
  ['each longer', Array.from({ length: ROWS }, (_, row) => 'ab'.repeat(300).slice(0, row >> 1) + String(row % 2))],
];

/** Texts that are there, some that begin or end them, and some that are not there. */
function constantsOf(texts: readonly (string | null)[]): string[] {
  const found = Array.from({ length: 5 }, () => texts[random.integer(ROWS)] ?? '');
  return [
    ...found,
    ...found.map((text) => Array.from(text).slice(0, -1).join('')),
    ...found.map((text) => `${text}a`),
    ...['', '\0', 'b', 'ab', 'zz', 'k'.repeat(31), 'k'.repeat(32), 'k'.repeat(33), '😀'],
  ];
}

it.each(TABLES.flatMap(([name, texts]) => ['default', 'smallest'].map((mode) => [name, mode, texts] as const)))(
  '%s, in mode %s',
  async (name, mode, texts) => {
    const path = join(folder, `${name.replaceAll(/\W+/gu, '-')}-${mode}.cna`);
    const encodings = { t: 'FRONT' };
    writeSync(path, { t: texts }, { mode, encodings, schema: { t: 'string' }, pageRows: 704 } as object);
    const constants = constantsOf(texts);
    for (const backend of backendsToAsk()) {
      setDefaultBackend(backend);
      const table = openSync(path, { backend });
      const found = async (where: string, params: object): Promise<unknown> =>
        ((await table.where(where, params).toColumns()) as { t: unknown }).t;
      const expected = (passes: (text: string) => boolean): unknown =>
        texts.filter((text) => text !== null && passes(text));
      for (const [i, c] of constants.entries()) {
        const d = constants[(i * 7 + 3) % constants.length] as string;
        expect(await found('t == @c', { c })).toEqual(expected((text) => text === c));
        expect(await found('t != @c', { c })).toEqual(expected((text) => text !== c));
        expect(await found('t in @list', { list: [c, d] })).toEqual(expected((text) => text === c || text === d));
        expect(await found('t < @c', { c })).toEqual(expected((text) => compare(text, c) < 0));
        expect(await found('t <= @c', { c })).toEqual(expected((text) => compare(text, c) <= 0));
        expect(await found('t > @c', { c })).toEqual(expected((text) => compare(text, c) > 0));
        expect(await found('t >= @c and t < @d', { c, d })).toEqual(
          expected((text) => compare(text, c) >= 0 && compare(text, d) < 0),
        );
        expect(await found('t between @c and @d', { c, d })).toEqual(
          expected((text) => compare(text, c) >= 0 && compare(text, d) <= 0),
        );
        expect(await found('t like @p', { p: `${c}%` })).toEqual(expected((text) => text.startsWith(c)));
        expect(await found('t not like @p', { p: `${c}%` })).toEqual(expected((text) => !text.startsWith(c)));
      }
      table.close();
    }
  },
);
