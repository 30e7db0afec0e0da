// Damaged files, every byte changed and all checksums made right again: reading, taking rows, scanning and aggregating
// give the same values or the same error code with the addon as without. Whatever the addon does not find to be as the
// format says it leaves to TypeScript, which looks at the rows that are asked for: so the specification says which
// checks a partial read makes, and not who makes it.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isColkitError, setDefaultBackend } from '@colkit/io';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSync, readSync, scan, scanSync } from '../../src/index.ts';
import { withByte } from '../support/damaged.ts';
import { writeTable } from '../support/table.ts';
import type { TestColumn, TestOptions } from '../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-agree-'));
const projectBackend = process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native';
afterEach(() => setDefaultBackend(projectBackend));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Every eleventh byte of the pages, and every seventeenth one of the footer, is changed in one way; a long run sets
 * more, and takes every byte and every operation.
 */
const WAYS = Number(process.env['COLKIT_DAMAGES'] ?? 1);
const [IN_PAGES, IN_FOOTER] = WAYS > 1 ? [1, 1] : [11, 17];
const QUICK = [
  'read',
  'take three',
  'take of one page',
  'scan',
  'scan of nothing',
  'scan of two terms',
  'first matches',
  'groups',
  'nulls',
  'aggregates',
];
const ROWS = 96;
const at = <T>(make: (row: number) => T): T[] => Array.from({ length: ROWS }, (_, row) => make(row));
const validity = Uint8Array.from({ length: ROWS / 8 }, (_, i) => (i < 4 ? 0xff : 0x5b + i));

const FILES: readonly {
  readonly name: string;
  readonly columns: readonly TestColumn[];
  readonly options: TestOptions;
}[] = [
  {
    name: 'codes',
    options: { pageRows: 32, rowGroupRows: 64, joint: false },
    columns: [
      {
        name: 'key',
        type: 'string',
        values: at((row) => ['red', 'green', 'blue', 'black', 'white'][(row * row) % 5]!),
      },
      { name: 'n', type: 'int32', values: Int32Array.from(at((row) => (row * 7) % 30)) },
    ],
  },
  {
    name: 'codes and nulls',
    options: { pageRows: 32, joint: false },
    columns: [
      {
        name: 'key',
        type: 'string',
        values: at((row) => (row > 64 && row % 3 === 0 ? null : ['gift', 'fragile', 'priority'][row % 3]!)),
      },
      { name: 'n', type: 'int64', values: BigInt64Array.from(at((row) => 2n ** 53n + BigInt(row % 7))), validity },
    ],
  },
  {
    name: 'joint',
    options: { pageRows: 48 },
    columns: [
      { name: 'key', type: 'string', values: at((row) => `airport ${(row * 7) % 11}`) },
      { name: 'n', type: 'float64', values: Float64Array.from(at((row) => Math.sqrt((row * 7) % 11))) },
    ],
  },
  {
    name: 'integers',
    options: { pageRows: 48 },
    columns: [
      { name: 'key', type: 'int32', values: Int32Array.from(at((row) => (row * 31) % 12)), encoding: 'BITPACK' },
      { name: 'n', type: 'int64', values: BigInt64Array.from(at((row) => BigInt(row * row))), encoding: 'DELTA' },
      { name: 'runs', type: 'int16', values: Int16Array.from(at((row) => row >> 4)), encoding: 'RLE' },
    ],
  },
  {
    name: 'floats',
    options: { mode: 'smallest' },
    columns: [
      {
        name: 'key',
        type: 'float64',
        values: Float64Array.from(at((row) => (row === 9 ? Math.PI : ((row * 37) % 500) / 100))),
      },
      {
        name: 'n',
        type: 'uint16',
        values: Uint16Array.from(at((row) => [1, 1, 1, 900][(row * row) % 4]!)),
        encoding: 'ENTROPY',
      },
      { name: 'plain', type: 'float32', values: Float32Array.from(at((row) => Math.sin(row))), encoding: 'PLAIN' },
    ],
  },
];

function digest(result: unknown): string {
  const hash = createHash('sha256');
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === 'object' && value !== null)
      Object.entries(value).forEach(([name, each]) => (hash.update(name), add(each)));
    else hash.update(`${typeof value} ${String(value)};`);
  };
  add(result);
  return hash.digest('hex');
}

/** Everything, some rows, rows of one page, matches of many kinds and of none, and groups. */
function outcomes(path: string, [key, n]: readonly TestColumn[]): Record<string, string> {
  const isText = key!.type === 'string';
  const first = isText ? `key == '${(key!.values as string[])[0]!}'` : 'key >= 2';
  const opened = (use: (table: ReturnType<typeof openSync>) => unknown): unknown => {
    using table = openSync(path);
    return use(table);
  };
  const ways: Record<string, () => unknown> = {
    read: () => readSync(path),
    dictionary: () => opened((table) => table.toColumnsSync({ strings: 'dictionary', nulls: 'bitmap' })),
    'take three': () => opened((table) => table.take(Int32Array.of(1, 70, 1)).toColumnsSync()),
    'take of one page': () => opened((table) => table.take(Int32Array.of(3, 17)).toColumnsSync()),
    slice: () => opened((table) => table.slice(5, 9).toColumnsSync()),
    'one row': () => opened((table) => table.slice(40, 41).toRowsSync()),
    scan: () => scanSync(path, { where: first }).columns,
    'scan of nothing': () => scanSync(path, { where: isText ? "key == 'none'" : 'key == 77', columns: ['n'] }).columns,
    'scan of two terms': () => scanSync(path, { where: `n > 5 and ${first}`, columns: ['n'] }).columns,
    nulls: () => opened((table) => table.where('key is null').select('n').toColumnsSync()),
    'scan of a few': () =>
      scanSync(path, {
        where: `${first} and n == ${String((n!.values as unknown as number[])[0])}`,
        columns: ['key', 'n'],
      }).columns,
    'first matches': () => opened((table) => table.where(first).head(2).toColumnsSync()),
    count: () => opened((table) => table.where('n > 3').countSync()),
    groups: () =>
      scan(path)
        .groupBy('key')
        .aggSync({ rows: 'count', sum: { sum: 'n' } }).columns,
    'groups of some': () =>
      scan(path, { where: 'n < 20' })
        .groupBy('key')
        .aggSync({ least: { min: 'n' } }).columns,
    aggregates: () => scan(path).aggSync({ sum: { sum: 'n' }, max: { max: 'n' }, least: { min: 'key' } }),
  };
  return Object.fromEntries(
    Object.entries(ways)
      .filter(([way]) => WAYS > 1 || QUICK.includes(way))
      .map(([way, run]) => {
        try {
          return [way, digest(run())];
        } catch (error) {
          if (!isColkitError(error)) throw error;
          return [way, error.code];
        }
      }),
  );
}

describe.runIf(projectBackend === 'native')('both backends agree', () => {
  it.each(FILES)('about every changed byte of $name', { timeout: 300_000 * WAYS }, ({ name, columns, options }) => {
    const { bytes } = writeTable(columns, options);
    const path = join(folder, 'damaged.cna');
    let refused = 0;
    const footerAt = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    for (let at = 4; at < bytes.length - 8; at += at < footerAt ? IN_PAGES : IN_FOOTER) {
      for (let way = 0; way < WAYS; way++) {
        const old = bytes[at]!;
        const value = [(at & 2) === 0 ? old ^ 0xff : old + 1, old ^ 1, old - 1, old ^ 0x80, 0][way % 5]! & 0xff;
        writeFileSync(path, withByte(bytes, at, value));
        setDefaultBackend('js');
        const expected = outcomes(path, columns);
        setDefaultBackend('native');
        const actual = outcomes(path, columns);
        if (JSON.stringify(actual) !== JSON.stringify(expected))
          expect.soft(actual, `${name}: byte ${at} set to ${value}`).toEqual(expected);
        if (expected['read']!.startsWith('ERR')) refused++;
      }
    }
    // Bytes that mean nothing or something else, and bytes that cannot be: both kinds were met.
    expect(refused).toBeGreaterThan(bytes.length / 40);
    expect(refused).toBeLessThan(bytes.length * WAYS);
  });
});
