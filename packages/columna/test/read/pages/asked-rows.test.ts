// Pages of which one value is damaged: a question that needs it is refused, any other is answered as if it were whole,
// in every kind of question, for every encoding that can refuse a value, with the addon as without it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setDefaultBackend } from '@colkit/io';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSync, readSync } from '../../../src/index.ts';
import { answer } from '../../support/answer.ts';
import { backendsToAsk } from '../../support/backends.ts';
import { withByte } from '../../support/damaged.ts';
import { writeTable } from '../../support/table.ts';
import type { TestColumn, TestOptions } from '../../support/table.ts';

type ColumnaTable = ReturnType<typeof openSync>;

const folder = mkdtempSync(join(tmpdir(), 'columna-asked-'));
const BACKENDS = backendsToAsk();
const path = join(folder, 'damaged.cna');
afterEach(() => setDefaultBackend('js'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 96;
const at = <T>(make: (row: number) => T): T[] => Array.from({ length: ROWS }, (_, row) => make(row));
const every = at((row) => row);
const bitmap = (isPresent: (row: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: ROWS / 8 }, (_, i) =>
    every.slice(8 * i, 8 * i + 8).reduce((bits, row) => bits | (Number(isPresent(row)) << (row & 7)), 0),
  );
const ints = (
  name: string,
  make: (row: number) => number,
  encoding?: TestColumn['encoding'],
  validity?: Uint8Array,
): TestColumn => ({
  name,
  type: 'int32',
  values: Int32Array.from(at(make)),
  ...(encoding === undefined ? {} : { encoding }),
  ...(validity === undefined ? {} : { validity }),
});

/** Pages whose `key` is damaged; `n` beside it says which rows are wanted. `few`: a value of `n` that few rows have. */
const FILES: readonly {
  readonly name: string;
  readonly columns: readonly [TestColumn, TestColumn];
  readonly options: TestOptions;
}[] = [
  {
    name: 'CODES of texts',
    options: { pageRows: 48, joint: false },
    columns: [
      { name: 'key', type: 'string', values: at((row) => ['red', 'green', 'blue'][(row * row) % 3]!) },
      ints('n', (row) => row % 12),
    ],
  },
  {
    name: 'CODES of texts and nulls',
    options: { pageRows: 48, joint: false },
    columns: [
      { name: 'key', type: 'string', values: at((row) => (row % 5 === 0 ? null : ['gift', 'fragile'][row & 1]!)) },
      ints('n', (row) => row % 12),
    ],
  },
  {
    name: 'joint CODES',
    options: { pageRows: 48 },
    columns: [
      { name: 'key', type: 'string', values: at((row) => `airport ${(row * 7) % 12}`) },
      ints('n', (row) => ((row * 7) % 12) * 1_000_003),
    ],
  },
  {
    name: 'joint CODES and nulls',
    options: { pageRows: 48 },
    columns: [
      { name: 'key', type: 'string', values: at((row) => ((row * 7) % 12 === 3 ? null : `airport ${(row * 7) % 12}`)) },
      ints(
        'n',
        (row) => ((row * 7) % 12) * 1_000_003,
        undefined,
        bitmap((row) => (row * 7) % 12 !== 5),
      ),
    ],
  },
  {
    name: 'DICTIONARY',
    options: { pageRows: 48, joint: false },
    columns: [ints('key', (row) => ((row * row) % 5) * 1_000_003, 'DICTIONARY'), ints('n', (row) => row % 12)],
  },
  {
    name: 'DICTIONARY over runs, with nulls',
    options: { pageRows: 48, joint: false },
    columns: [
      ints(
        'key',
        (row) => (row >> 3) * 1_000_003,
        'DICTIONARY',
        bitmap((row) => row % 7 !== 0),
      ),
      ints('n', (row) => row % 12),
    ],
  },
  {
    name: 'BITPACK with digits',
    options: { mode: 'smallest', pageRows: 96 },
    columns: [ints('key', (row) => (row * 5 + (row >> 2)) % 3, 'BITPACK'), ints('n', (row) => row % 12)],
  },
  {
    name: 'DELTA of digits',
    options: { mode: 'smallest', pageRows: 96 },
    columns: [
      ints('key', (row) => every.slice(0, row).reduce((sum, each) => sum + ((each * 5 + (each >> 2)) % 9), 0), 'DELTA'),
      ints('n', (row) => row % 12),
    ],
  },
  {
    name: 'PATCHED digits',
    options: { mode: 'smallest', pageRows: 96 },
    columns: [
      ints('key', (row) => (row % 40 === 9 ? 1_000_000_000 + row : (row * 5 + (row >> 2)) % 9), 'PATCHED'),
      ints('n', (row) => row % 12),
    ],
  },
];

/** A question, and the rows that it needs of `key`, told those where `n` has the value that few have. */
interface Question {
  readonly ask: (table: ColumnaTable, few: string) => unknown;
  readonly rows: (few: readonly number[]) => readonly number[];
  /** What a predicate needs of `n`, which is refused with `key` where their codes are joint. */
  readonly tested?: readonly number[];
}

const all = (): readonly number[] => every;
const some = [1, 70];
const dense = Array.from({ length: 20 }, (_, i) => 2 * i + 1);
const between = (from: number, to: number) => every.slice(from, to);
const groups = (table: ReturnType<ColumnaTable['slice']>) =>
  table.groupBy('key').aggSync({ rows: 'count', sum: { sum: 'n' } });
const QUESTIONS: Record<string, Question> = {
  read: { ask: (table) => table.toColumnsSync(), rows: all },
  'codes of texts': { ask: (table) => table.toColumnsSync({ strings: 'dictionary', nulls: 'bitmap' }), rows: all },
  'take of few': { ask: (table) => table.take(some).toColumnsSync(), rows: () => some },
  'take of many': { ask: (table) => table.take(dense).toColumnsSync(), rows: () => dense },
  mask: {
    ask: (table) => table.filter(Uint8Array.from(at((row) => Number(row % 3 === 0)))).toColumnsSync(),
    rows: () => every.filter((row) => row % 3 === 0),
  },
  slice: { ask: (table) => table.slice(5, 30).toColumnsSync(), rows: () => between(5, 30) },
  'one row': { ask: (table) => table.slice(40, 41).toRowsSync(), rows: () => [40] },
  'where of another column': {
    ask: (table, few) => table.where(few).toColumnsSync(),
    rows: (few) => few,
    tested: every,
  },
  'where of itself': { ask: (table) => table.where('key is not null').toColumnsSync(), rows: all },
  'where of a slice': {
    ask: (table, few) => table.slice(3, 40).where(few).toColumnsSync(),
    rows: (few) => few.filter((row) => row >= 3 && row < 40),
    tested: between(3, 40),
  },
  'where of itself, of a slice': {
    ask: (table) => table.slice(3, 40).where('key == key').toColumnsSync(),
    rows: () => between(3, 40),
  },
  'a second term': {
    ask: (table, few) => table.where(`${few} and key == key`).toColumnsSync(),
    rows: (few) => few,
    tested: every,
  },
  groupBy: { ask: groups, rows: all },
  'groupBy of a slice': { ask: (table) => groups(table.slice(3, 40)), rows: () => between(3, 40) },
  'groupBy of taken rows': { ask: (table) => groups(table.take([3, 17, 50, 51])), rows: () => [3, 17, 50, 51] },
  'where and groupBy': { ask: (table, few) => groups(table.where(few)), rows: (few) => few, tested: every },
  'where and groupBy of both': {
    ask: (table, few) => table.where(few).groupBy(['n', 'key']).aggSync({ rows: 'count' }),
    rows: (few) => few,
    tested: every,
  },
  'groups of other rows': {
    ask: (table, few) =>
      table
        .where(few)
        .groupBy('n')
        .aggSync({ some: { first: 'key' }, different: { countDistinct: 'key' } }),
    rows: (few) => few,
    tested: every,
  },
  distinct: { ask: (table) => table.select(['key']).distinct().toRowsSync(), rows: all },
  'where and distinct': {
    ask: (table, few) => table.where(few).select(['key']).distinct().toRowsSync(),
    rows: (few) => few,
    tested: every,
  },
  orderBy: { ask: (table) => table.orderBy('key').toRowsSync(), rows: all },
  'where and orderBy': {
    ask: (table, few) => table.where(few).orderBy('key').head(3).toRowsSync(),
    rows: (few) => few,
    tested: every,
  },
  'counts of different ones': {
    ask: (table, few) => table.where(few).aggSync({ different: { countDistinct: 'key' } }),
    rows: (few) => few,
    tested: every,
  },
  'counts of a slice': {
    ask: (table) => table.slice(3, 40).aggSync({ different: { countDistinct: 'key' } }),
    rows: () => between(3, 40),
  },
};
const SUMS: typeof QUESTIONS = {
  sum: { ask: (table) => table.aggSync({ sum: { sum: 'key' } }), rows: all },
  'sum of a slice': { ask: (table) => table.slice(3, 40).aggSync({ sum: { sum: 'key' } }), rows: () => between(3, 40) },
  'where and sum': {
    ask: (table, few) => table.where(few).aggSync({ sum: { sum: 'key' }, mean: { mean: 'key' }, std: { std: 'key' } }),
    rows: (few) => few,
    tested: every,
  },
  'sums by another column': {
    ask: (table, few) =>
      table
        .where(few)
        .groupBy('n')
        .aggSync({ sum: { sum: 'key' }, least: { min: 'key' } }),
    rows: (few) => few,
    tested: every,
  },
  'where by numbers': { ask: (table) => table.slice(3, 40).where('key > 0').toRowsSync(), rows: () => between(3, 40) },
};

/** Which rows of `key` are refused when they alone are read, of those asked about. */
function refusedRows(bytes: Uint8Array, rows: readonly number[], columns: readonly string[]): number[] {
  using table = openSync(bytes);
  return rows.filter((row) =>
    columns.every((column) => answer(() => table.select([column]).take([row]).toColumnsSync()) === 'ERR_LAYOUT'),
  );
}

/** Files with one byte changed so that some values of a page are refused, and all others are what they were. */
function* damages(
  bytes: Uint8Array,
  columns: readonly string[],
): Generator<{ readonly label: string; readonly damaged: Uint8Array; readonly bad: ReadonlySet<number> }> {
  const end = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
  const valuesOf = (file: Uint8Array, rows: readonly number[]) => {
    using table = openSync(file);
    return table.take(rows).toRowsSync();
  };
  for (let position = 4; position < end; position++) {
    const damaged = withByte(bytes, position, 0xff);
    if (answer(() => readSync(damaged)) !== 'ERR_LAYOUT') continue;
    const refused = refusedRows(damaged, [0, 24, 47, 48, 72, 95], columns).length;
    if (refused > 4 || (columns.length > 1 && refusedRows(damaged, every.slice(0, 12), columns).length === 0)) continue;
    const bad = new Set(refusedRows(damaged, every, columns));
    const others = every.filter((row) => !bad.has(row));
    if (bad.size === 0 || others.length % 48 === 0) continue;
    const kept = answer(() => valuesOf(damaged, others));
    if (isDeepStrictEqual(kept, valuesOf(bytes, others)))
      yield { label: `byte ${position}, rows ${[...bad].join()}`, damaged, bad };
  }
}

/** Of each file; a long run sets more. */
const DAMAGES = Number(process.env['COLKIT_DAMAGES'] ?? 2);

describe('values that nobody asks for are no reason to refuse', () => {
  it.each(FILES)('$name', { timeout: 300_000 }, ({ columns, options }) => {
    const { bytes } = writeTable(columns, options);
    const [texts, n] = columns;
    const questions = Object.entries(texts.type === 'string' ? QUESTIONS : { ...QUESTIONS, ...SUMS });
    const wanted = (n.values as Int32Array)[4]!;
    const few = every.filter((row) => (n.values as Int32Array)[row] === wanted);
    const isJoint = options.joint !== false && texts.type === 'string';
    const ask = ([, { ask }]: (typeof questions)[number], backend: 'js' | 'native') => {
      setDefaultBackend(backend);
      return answer(() => {
        using table = openSync(path);
        return ask(table, `n == ${wanted}`);
      });
    };
    writeFileSync(path, bytes);
    const good = BACKENDS.map((backend) => questions.map((question) => ask(question, backend)));
    for (const answered of good.flat()) expect(answered).not.toBeTypeOf('string');
    setDefaultBackend('js');
    let seen = 0;
    for (const { label, damaged, bad } of damages(bytes, isJoint ? ['key', 'n'] : ['key'])) {
      writeFileSync(path, damaged);
      for (const [index, question] of questions.entries()) {
        const [name, { rows, tested = [] }] = question;
        const needed = isJoint ? [...rows(few), ...tested] : rows(few);
        const isRefused = needed.some((row) => bad.has(row));
        for (const [number, backend] of BACKENDS.entries())
          expect
            .soft(ask(question, backend), `${name}, ${backend}: ${label}`)
            .toEqual(isRefused ? 'ERR_LAYOUT' : good[number]![index]);
      }
      if (++seen === DAMAGES) break;
      setDefaultBackend('js');
    }
    expect(seen, 'damaged values').toBeGreaterThan(0);
  });
});
