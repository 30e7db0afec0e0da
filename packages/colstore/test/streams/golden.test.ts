// Files that grew under Python's colstore 0.5.1 (test/golden/streams, by generate.py there) and under ours, from the
// same records: byte for byte the same, with and without a footer, created and updated, in both forms.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, createSync, typed, update, updateSync } from '../../src/index.ts';
import type { ColStoreWriter, WriteInput } from '../../src/index.ts';

const golden = (name: string): string => fileURLToPath(new URL(`../golden/streams/${name}.cstore`, import.meta.url));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-streams-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function list<T>(count: number, valueOf: (row: number) => T): T[] {
  return Array.from({ length: count }, (_, row) => valueOf(row));
}

const TICKS_PER_MS = 1000n;
const micros = (text: string): bigint => BigInt(Date.parse(text)) * TICKS_PER_MS;
const TIMES = ['2020-01-01', null, '1969-12-31T23:00Z', '2100-01-01', '2000-01-01'];

function record(number: number, rows: number): WriteInput {
  const isSpecial = number === 2;
  return new Map<string, unknown>([
    [
      'b',
      typed(
        'bool',
        list(rows, (row) => row % 2 === 0),
      ),
    ],
    ['i1', Int8Array.from(list(rows, (row) => row - 2))],
    ['i2', Int16Array.from(list(rows, (row) => row * 100 - 150))],
    ['i4', Int32Array.from(list(rows, (row) => row * -7 + number))],
    ['i8', BigInt64Array.from(list(rows, (row) => BigInt(row) * (2n ** 53n + 1n) - 5n))],
    ['u1', Uint8Array.from(list(rows, (row) => row + 200))],
    ['u2', Uint16Array.from(list(rows, (row) => row + 60_000))],
    ['u4', Uint32Array.from(list(rows, (row) => row + 4_000_000_000))],
    ['u8', BigUint64Array.from(list(rows, (row) => BigInt(row) + 2n ** 63n))],
    [
      'f2',
      typed(
        'float16',
        list(rows, (row) => row * -1.5),
      ),
    ],
    ['f4', Float32Array.from(list(rows, (row) => row / 3))],
    ['f8', isSpecial ? Float64Array.of(0.5, -0, Number.NaN, Infinity, 1e300) : list(rows, (row) => row * 0.1)],
    [
      'M',
      typed(
        'datetime64[us]',
        list(rows, (row) => {
          const time = isSpecial ? TIMES[row] : '2024-05-05';
          return time == null ? -(2n ** 63n) : micros(time);
        }),
      ),
    ],
    ['m', typed('timedelta64[s]', list(rows, BigInt))],
    ['S', typed('S5', ['abc', '', 'z\0q', '12345', 'x'].slice(0, rows))],
    ['U', typed('U3', ['é😀', '', 'a', 'bcd', 'xy'].slice(0, rows))],
    ['é😀"', Float32Array.from(list(rows, (row) => row))],
  ]) as WriteInput;
}

const RECORDS: readonly WriteInput[] = [3, 0, 5, 1].map((rows, number) => record(number, rows));

async function fill(writer: ColStoreWriter, records: readonly WriteInput[], isSync: boolean): Promise<void> {
  for (const each of records)
    if (isSync) writer.writeSync(each);
    else await writer.write(each);
  if (isSync) writer.closeSync();
  else await writer.close();
}

const FORMS = [
  ['async', false],
  ['sync', true],
] as const;

it.each(FORMS)('a created file, %s', async (form, isSync) => {
  for (const [name, statistics] of [
    ['stream-plain', false],
    ['stream-stats', true],
  ] as const) {
    const path = join(folder, `${name}-${form}`);
    await fill(isSync ? createSync(path, { statistics }) : await create(path, { statistics }), RECORDS, isSync);
    expect(readFileSync(path).equals(readFileSync(golden(name)))).toBe(true);
  }
});

it.each(FORMS)('an updated file, %s', async (form, isSync) => {
  for (const before of ['plain', 'stats'])
    for (const after of ['plain', 'stats']) {
      const path = join(folder, `${before}-${after}-${form}`);
      copyFileSync(golden(`stream-${before}`), path);
      const options = { statistics: after === 'stats' };
      await fill(isSync ? updateSync(path, options) : await update(path, options), RECORDS.slice(2), isSync);
      expect(readFileSync(path).equals(readFileSync(golden(`updated-${before}-${after}`)))).toBe(true);
    }
});

it('an update that says nothing keeps the footer where there is one', async () => {
  for (const before of ['plain', 'stats']) {
    const path = join(folder, `${before}-as-it-is`);
    copyFileSync(golden(`stream-${before}`), path);
    await fill(await update(path), RECORDS.slice(2), false);
    expect(readFileSync(path).equals(readFileSync(golden(`updated-${before}-${before}`)))).toBe(true);
  }
});
