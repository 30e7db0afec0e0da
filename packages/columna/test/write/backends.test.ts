// The same bytes with the addon and without it: columns of all types and of every kind of values that the addon's loops
// look at, in every mode, from arrays and from Arrow.
import { backendInfo, giveWorkingMemory, setDefaultBackend, takeWorkingMemory } from '@colkit/io';
import { typed } from '@colkit/table';
import type { ColumnInput } from '@colkit/table';
import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { MemorySink } from '../../src/index.ts';
import { WRITE_MODES } from '../../src/write/encode/modes.ts';
import type { WriteMode } from '../../src/write/encode/modes.ts';
import { writeSync } from '../../src/write/write.ts';
import type { WriteInput } from '../../src/write/values/batch-input.ts';

const projectBackend = process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native';
afterEach(() => setDefaultBackend(projectBackend));

function bytesBy(backend: 'native' | 'js', columns: WriteInput, mode: WriteMode, pageRows?: number): Buffer {
  const sink = new MemorySink();
  setDefaultBackend(backend);
  // Candidates are sized in memory that is used again, whatever is in it.
  const dirty = Array.from({ length: 6 }, () => takeWorkingMemory(1 << 18));
  for (const buffer of dirty) {
    new Uint8Array(buffer).fill(0xa5);
    giveWorkingMemory(buffer);
  }
  writeSync(sink, columns, { mode, ...(pageRows === undefined ? {} : { pageRows }) });
  return Buffer.from(sink.bytes());
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** More than the addon is asked for, and no multiple of anything. */
const ROWS = 5003;
const WORDS = ['', 'a', 'é😀', '\uFEFF', 'import os', 'x'.repeat(300), '\u0000', 'zebra'];

function columnsOf(rows: number, seed: number): Record<string, ColumnInput> {
  const random = randomOf(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const of = <T>(make: (row: number) => T): T[] => Array.from({ length: rows }, (_, row) => make(row));
  let walk = 0;
  const long = (bits: number): bigint => BigInt(below(2 ** Math.min(bits, 32))) << BigInt(Math.max(0, bits - 32));
  return {
    int8: Int8Array.from(of(() => below(256) - 128)),
    uint8: Uint8Array.from(of(() => 7 * below(30))),
    int16: Int16Array.from(of(() => (below(50) === 0 ? below(65536) - 32768 : below(9)))),
    uint16: Uint16Array.from(of((row) => row % 65536)),
    int32: Int32Array.from(of(() => below(2 ** 32) - 2 ** 31)),
    outliers: Int32Array.from(of(() => (below(100) === 0 ? below(2 ** 31) : below(40)))),
    runs: Int32Array.from(of((row) => Math.floor(row / (20 + (seed % 7))) * 10)),
    walk: Int32Array.from(of(() => (walk += below(11) - 5))),
    sawtooth: Uint32Array.from(of((row) => (row % 2 === 0 ? 0 : 2 ** 32 - 1))),
    skewed: Float64Array.from(of(() => Math.min(1e9, Math.floor(1 / (1 - random()) ** 1.2)))),
    int64: BigInt64Array.from(of(() => long(40) * 1000n)),
    exact: BigInt64Array.from(of((row) => 2n ** 53n + BigInt((row % 3) - 1))),
    near: BigInt64Array.from(of(() => 2n ** 62n + long(20))),
    apart: BigInt64Array.from(of((row) => (row % 2 === 0 ? -(2n ** 63n) : 2n ** 63n - 1n))),
    uint64: BigUint64Array.from(of(() => long(64))),
    times: typed('datetime64[us]', BigInt64Array.from(of((row) => 1_700_000_000_000_000n + BigInt(60_000_000 * row)))),
    cents: Float64Array.from(of(() => below(100_000) / 100)),
    mostly: Float64Array.from(
      of(() => [NaN, -0, 0, Infinity, 1 / 3, ...[1, 2, 3, 4, 5, 6].map(() => below(999) / 10)][below(11)]!),
    ),
    doubles: Float64Array.from(of(() => random() * 10 ** below(300))),
    large: Float64Array.from(of((row) => 2 ** 53 - 2 * (row % 5))),
    float32: Float32Array.from(of(() => (below(9) === 0 ? NaN : below(1000) / 8))),
    bool: of(() => below(3) === 0),
    equal: new Int32Array(rows).fill(-5),
    nulls: of((row) => (row % 5 === 0 ? null : below(300) * 3)),
    sparse: of(() => (below(40) === 0 ? random() : null)),
    nothing: typed('int32', new Array<null>(rows).fill(null)),
    few: of(() => WORDS[below(WORDS.length)]!),
    many: of((row) => `row ${below(rows)} ${row % 3}`),
    unique: of((row) => (row % 11 === 3 ? null : `${row} ${'é'.repeat(row % 5)}`)),
    binary: of(() => Uint8Array.from({ length: below(5) }, () => below(4))),
  };
}

describe.skipIf(backendInfo().backend !== 'native')('files', () => {
  test.each(WRITE_MODES)('%s: the same bytes, column by column and together', (mode) => {
    const columns = columnsOf(ROWS, 1);
    for (const [name, values] of Object.entries(columns)) {
      const [native, js] = [bytesBy('native', { [name]: values }, mode), bytesBy('js', { [name]: values }, mode)];
      expect([name, native.equals(js)]).toEqual([name, true]);
    }
    expect(bytesBy('native', columns, mode).equals(bytesBy('js', columns, mode))).toBe(true);
  });

  test('many pages in a row group', () => {
    // More different texts than a dictionary holds, and more rows than joint dictionaries look at.
    const columns = columnsOf(70_001, 2);
    expect(bytesBy('native', columns, 'default', 16_384).equals(bytesBy('js', columns, 'default', 16_384))).toBe(true);
  });

  test.each(WRITE_MODES)('%s: columns that share codes, and patterns that repeat', (mode) => {
    const random = randomOf(5);
    const codes = Array.from({ length: 20_011 }, () => Math.floor(random() ** 2 * 1500));
    const columns = {
      name: codes.map((code) => `name ${code}`),
      group: codes.map((code) => `group ${code % 700}`),
      scale: Float64Array.from(codes, (code) => Math.sqrt(code)),
      outliers: Int32Array.from(codes, (code, row) => (row % 97 === 0 ? code * 100_000 : code % 50)),
    };
    expect(bytesBy('native', columns, mode).equals(bytesBy('js', columns, mode))).toBe(true);
  });

  test('texts of Arrow: as strings of the language, as UTF-8, with the addon and without', () => {
    const { few, many, unique } = columnsOf(ROWS, 3) as Record<string, (string | null)[]>;
    const type = new arrow.Utf8();
    for (const texts of [few!, many!, unique!]) {
      const vector = arrow.vectorFromArray(texts, type);
      const expected = bytesBy('js', { texts }, 'default');
      for (const backend of ['native', 'js'] as const) {
        expect(bytesBy(backend, new arrow.Table({ texts: vector }), 'default').equals(expected)).toBe(true);
        const halves = vector.slice(0, 1000).concat(vector.slice(1000));
        expect(bytesBy(backend, new arrow.Table({ texts: halves }), 'default').equals(expected)).toBe(true);
      }
    }
  });

  test('numbers of any distribution', () => {
    const integers = fc.record({
      seed: fc.integer({ min: 0, max: 2 ** 31 }),
      rows: fc.integer({ min: 500, max: 3000 }),
      bits: fc.integer({ min: 0, max: 63 }),
      step: fc.constantFrom(1n, 3n, 1000n, 2n ** 20n),
      base: fc.constantFrom(0n, -(2n ** 53n), 2n ** 53n - 1n, -(2n ** 63n), 2n ** 62n),
      repeats: fc.constantFrom(0, 0.5, 0.98),
      isSorted: fc.boolean(),
      mode: fc.constantFrom(...WRITE_MODES),
    });
    fc.assert(
      fc.property(integers, ({ seed, rows, bits, step, base, repeats, isSorted, mode }) => {
        const random = randomOf(seed);
        let last = 0n;
        const values = BigInt64Array.from({ length: rows }, () => {
          if (random() >= repeats) last = BigInt(Math.floor(random() * 2 ** Math.min(53, bits))) * step + base;
          return BigInt.asIntN(64, last);
        });
        if (isSorted) values.sort();
        const columns = { values, doubles: Float64Array.from(values, Number), words: Int32Array.from(values, Number) };
        expect(bytesBy('native', columns, mode).equals(bytesBy('js', columns, mode))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

test.each([416, 832, 13_312])('numbers below %i, of which no range is cheaper than all', (below) => {
  const random = randomOf(7);
  const numbers = Int32Array.from({ length: 2764 }, () => Math.floor(random() * below));
  numbers.set([0, below - 1]);
  const columns = { numbers };
  if (projectBackend === 'native')
    expect(bytesBy('native', columns, 'default').equals(bytesBy('js', columns, 'default'))).toBe(true);
  else expect(bytesBy('js', columns, 'default').length).toBeGreaterThan(0);
});
