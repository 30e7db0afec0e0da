// CSV and JSON out of files of both table formats, more rows than are read at once: texts as dictionaries, as bytes and
// as packed items, with all that has to be quoted or escaped, numbers, moments and nulls, as loops over the rows write
// them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { typed } from '@colkit/table';
import { toJson } from '@colkit/table/json';
import { MemorySink } from '@colkit/io';
import { writeSync as writeColstore } from 'colstore';
import { open, writeSync } from 'columna';
import type { WriteMode } from 'columna';
import { afterAll, describe, expect, it } from 'vitest';
import { openTable, toCsv } from '../../src/convert.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-csv-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = 70_000;
const random = createRandom(34);
const rows = Array.from({ length: ROWS }, (_, row) => row);
const PIECES = ['', 'a', '"', ',', '\n', '\r', 'é', '\u{1F600}', 'NA', ' ', '""', 'word', '\0'];
const some = Array.from({ length: 40 }, () => random.pick(PIECES) + random.pick(PIECES) + random.pick(PIECES));
const DOUBLES = [0, -0, 0.1, 76.65, 1 / 3, 1e-7, 1e21, -2.5, 1234567.125, NaN, Infinity, -Infinity, 5e-324];

const unique = rows.map((row) => `${random.pick(PIECES)}${String(row * 7919)}${random.pick(PIECES)}`);
const often = rows.map(() => random.pick(some));
const gaps = rows.map((row) => (row % 3 === 0 ? null : random.pick(some)));
const double = rows.map((row) => (row % 2 === 0 ? random.pick(DOUBLES) : random.integer(1e6) / 100));
const small = rows.map(() => random.integer(2000) - 1000);
const wide = rows.map(() => random.pick([0n, -1n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n, 17n]));
const flag = rows.map((row) => (row % 5 === 0 ? null : row % 2 === 0));
const moment = rows.map((row) => BigInt(row) * 86_399_999_999n - 10n ** 12n);

const quoted = (text: string): string => (/^$|["\n\r,]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const doubleText = (value: number): string => {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf';
};
/** In the digits of a float32. */
const SINGLES = new Map([
  [1 / 3, '0.33333334'],
  [1234567.125, '1234567.1'],
  [5e-324, '0'],
]);
const singleText = (value: number): string => SINGLES.get(value) ?? doubleText(value);
const momentText = (ticks: bigint): string => {
  const whole = ticks / 1_000_000n - (ticks % 1_000_000n < 0n ? 1n : 0n);
  const micro = ticks - whole * 1_000_000n;
  return `${new Date(Number(whole) * 1000).toISOString().slice(0, 19)}.${String(micro).padStart(6, '0')}`;
};

/** The first rows of some columns, each with the texts of its cells. */
function expected(columns: Record<string, (row: number) => string>, rowCount: number): string {
  const lines = [Object.keys(columns).join(',')];
  for (let row = 0; row < rowCount; row++)
    lines.push(
      Object.values(columns)
        .map((textOf) => textOf(row))
        .join(','),
    );
  return `${lines.join('\n')}\n`;
}

async function csvOf(path: string): Promise<string> {
  const opened = await openTable(path);
  await toCsv(opened.table, `${path}.csv`, { overwrite: true });
  opened.close();
  return readFileSync(`${path}.csv`, 'utf8');
}

async function jsonOf(path: string): Promise<string> {
  const opened = await openTable(path);
  const sink = new MemorySink();
  await toJson(opened.table, sink);
  opened.close();
  return Buffer.from(sink.bytes()).toString();
}

/** Not the text itself: a difference of megabytes tells nothing. */
function expectSame(found: string, wanted: string): void {
  if (found === wanted) return;
  let at = 0;
  while (found[at] === wanted[at]) at += 1;
  expect(found.slice(at - 100, at + 100)).toBe(wanted.slice(at - 100, at + 100));
}

const SIZES: readonly (readonly [WriteMode, number])[] = [
  ['fast', 2000],
  ['default', 0],
  ['default', 1],
  ['default', ROWS],
  ['smallest', 2000],
];

describe('.cna', () => {
  it.each(SIZES)('mode %s, %i rows', async (mode, count) => {
    const path = join(folder, `${mode}-${String(count)}.cna`);
    const first = <T>(values: readonly T[]): T[] => values.slice(0, count);
    writeSync(
      path,
      {
        unique: typed('string', first(unique)),
        often: typed('string', first(often)),
        gaps: typed('string', first(gaps)),
        double: typed('float64', first(double)),
        small: typed('int16', first(small)),
        wide: typed('int64', first(wide)),
        flag: typed('bool', first(flag)),
        moment: typed('datetime64[us]', first(moment)),
      },
      { mode },
    );
    const wanted = expected(
      {
        unique: (row) => quoted(unique[row] as string),
        often: (row) => quoted(often[row] as string),
        gaps: (row) => (gaps[row] === null ? '' : quoted(gaps[row] as string)),
        double: (row) => doubleText(double[row] as number),
        small: (row) => String(small[row]),
        wide: (row) => String(wide[row]),
        flag: (row) => String(flag[row] ?? ''),
        moment: (row) => momentText(moment[row] as bigint),
      },
      count,
    );
    expectSame(await csvOf(path), wanted);
    const lines = rows.slice(0, count).map((row) => {
      const cells = [unique[row], often[row], gaps[row], small[row], flag[row]].map((cell) => JSON.stringify(cell));
      const [number, whole] = [double[row] as number, wide[row] as bigint];
      const text = Number.isFinite(number) ? doubleText(number) : `"${String(number)}"`;
      const digits = Number.isSafeInteger(Number(whole)) ? String(whole) : `"${String(whole)}"`;
      return (
        `{"unique":${cells[0]!},"often":${cells[1]!},"gaps":${cells[2]!},"double":${text},"small":${cells[3]!},` +
        `"wide":${digits},"flag":${cells[4]!},"moment":"${momentText(moment[row] as bigint)}Z"}\n`
      );
    });
    expectSame(await jsonOf(path), lines.join(''));
  });
});

it('.cstore with packed texts', async () => {
  const path = join(folder, 'texts.cstore');
  // Packed texts end before zeros.
  const packed = (text: string): string => text.replace(/\0+$/u, '');
  const latin = often.map((text) => [...text].filter((point) => point.codePointAt(0)! < 0x100).join(''));
  writeColstore(path, {
    unique: typed('U20', unique.map(packed)),
    often: typed('U12', often.map(packed)),
    latin: typed('S12', latin.map(packed)),
    double: typed('float32', double),
    wide: typed(
      'uint64',
      wide.map((value) => BigInt.asUintN(64, value)),
    ),
  });
  const wanted = expected(
    {
      unique: (row) => quoted(packed(unique[row] as string)),
      often: (row) => quoted(packed(often[row] as string)),
      latin: (row) => quoted(packed(latin[row] as string)),
      double: (row) => singleText(double[row] as number),
      wide: (row) => String(BigInt.asUintN(64, wide[row] as bigint)),
    },
    ROWS,
  );
  expectSame(await csvOf(path), wanted);
});

it('of rows that are too much for one read, fewer are read at a time', async () => {
  const path = join(folder, 'long.cna');
  const long = Array.from({ length: 3000 }, (_, row) => `${String(row)}${'x'.repeat(5000)}`);
  writeSync(path, { long });
  const limits = { maxDecodedBytes: 2_000_000 };
  const csv = new MemorySink();
  await toCsv(path, csv, { limits });
  expect(new TextDecoder().decode(csv.bytes())).toBe(`long\n${long.join('\n')}\n`);
  const table = await open(path, { limits });
  const last = table.orderBy({ column: 'long', descending: true }).head(2);
  expect(await last.toRows()).toEqual([{ long: long[9] }, { long: long[99] }]);
  table.close();
  // One row alone is refused.
  await expect(toCsv(path, new MemorySink(), { limits: { maxDecodedBytes: 4000 } })).rejects.toMatchObject({
    code: 'ERR_LIMIT',
    limit: 4000,
  });
});
