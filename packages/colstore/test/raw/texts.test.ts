// Texts of every width that items have loads of their own for, as they lie: comparisons with bounds that share their
// first bytes with items, prefixes, and extremes, against the strings that the items were made of.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareText } from '@colkit/table';
import { afterAll, expect, test } from 'vitest';
import { openSync, typed, writeSync } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = 3000;
const BYTES = ['', 'a', 'b', 'ab', '\0b', 'aa', '\u007f', '\u0080', 'é', 'ÿ', 'zz'];
const POINTS = [...BYTES, 'Ā', '｡', '😀', '\ufffd', '\u{10ffff}'];

/** Texts of at most `width` characters, many of which begin alike. */
function textsOf(width: number, parts: readonly string[]): readonly string[] {
  const starts = ['', 'common', 'common 12', 'common 12 and more'];
  return Array.from({ length: ROWS }, (_, row) => {
    const [start = '', end = ''] = [starts[row % starts.length], parts[(row * 7) % parts.length]];
    const text = `${start}${end}${String((row * 31) % 13)}`;
    // An item never ends in NUL.
    return [...text].slice(0, width).join('').replace(/\0+$/, '');
  });
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
};

const WIDTHS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 30].map((width) => ['S', width] as const),
  ...[1, 2, 3, 7, 20].map((width) => ['U', width] as const),
];

test.each(WIDTHS)('%s%i', (kind, width) => {
  const texts = textsOf(width, kind === 'S' ? BYTES : POINTS);
  const path = join(folder, `${kind}${String(width)}.cstore`);
  writeSync(path, { text: typed(`${kind}${String(width)}` as 'S1', texts) });
  using table = openSync(path);
  const count = (holds: (text: string) => boolean): number => texts.filter(holds).length;
  const bounds = new Set([...texts.slice(0, 40), ...POINTS, 'common 12', `${'common 12 and more'.slice(0, width)}!`]);
  for (const bound of bounds) {
    for (const [operator, holds] of Object.entries(COMPARISONS)) {
      const found = table.where(`text ${operator} @bound`, { bound }).countSync();
      expect(found, `${operator} ${JSON.stringify(bound)}`).toBe(count((text) => holds(compareText(text, bound))));
    }
    const other = texts[7] ?? '';
    const between = table.where('not (text between @bound and @other)', { bound, other }).countSync();
    const isOutside = (text: string): boolean => compareText(text, bound) < 0 || compareText(text, other) > 0;
    expect(between, `between ${JSON.stringify(bound)}`).toBe(count(isOutside));
    const begins = table.where('startsWith(text, @bound)', { bound }).countSync();
    expect(begins, `begins ${JSON.stringify(bound)}`).toBe(count((text) => text.startsWith(bound)));
  }
  const ascending = [...texts].sort(compareText);
  expect(table.column('text').minSync()).toBe(ascending[0]);
  expect(table.column('text').maxSync()).toBe(ascending.at(-1));
});
