// Every kernel against a loop over items, on random and adversarial inputs: widths, segments, kinds of rows, index
// types, interleaved outputs, numbers of workers.
import { describe, expect, test } from 'vitest';
import type { IndexArray, NativeRows } from '../index.js';
import { hasNative, makeRandom, makeTable, mapBytes, native, rowNumbers, type Table } from './support.ts';

const WIDTHS = [1, 2, 3, 4, 5, 8, 16, 40];
const WORKERS = [1, 2, 4];

interface Output {
  readonly bytes: Uint8Array;
  readonly byteOffset: number;
  readonly byteStride: number;
}

/** One output a column, packed; filled with a pattern so that a missing write is seen. */
function packedOutputs(table: Table, count: number): Output[] {
  return table.widths.map((width) => ({
    bytes: new Uint8Array(count * width).fill(0xa5),
    byteOffset: 0,
    byteStride: width,
  }));
}

/** All columns in one buffer of records with a gap of 3 bytes, from byte 7 on. */
function recordOutputs(table: Table, count: number): Output[] {
  const byteStride = table.widths.reduce((sum, width) => sum + width, 3);
  const bytes = new Uint8Array(7 + count * byteStride).fill(0xa5);
  let byteOffset = 7;
  return table.widths.map((width) => {
    const output = { bytes, byteOffset, byteStride };
    byteOffset += width;
    return output;
  });
}

/** What the outputs must hold, made item by item. */
function expected(table: Table, rows: readonly number[], outputs: readonly Output[]): Uint8Array[] {
  const copies = new Map(outputs.map(({ bytes }) => [bytes, new Uint8Array(bytes.length).fill(0xa5)]));
  outputs.forEach(({ bytes, byteOffset, byteStride }, column) => {
    const copy = copies.get(bytes)!;
    rows.forEach((row, i) => copy.set(table.item(column, row), byteOffset + i * byteStride));
  });
  return outputs.map(({ bytes }) => copies.get(bytes)!);
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

async function check(table: Table, rows: NativeRows, workers: readonly number[] = WORKERS): Promise<void> {
  const numbers = rowNumbers(rows, table.rowCount);
  const columns = Int32Array.from(table.widths.keys());
  for (const make of [packedOutputs, recordOutputs]) {
    const wanted = expected(table, numbers, make(table, numbers.length));
    for (const count of workers) {
      for (const form of ['sync', 'async'] as const) {
        const outputs = make(table, numbers.length);
        const layout = Float64Array.from(outputs.flatMap(({ byteOffset, byteStride }) => [byteOffset, byteStride]));
        const outs = outputs.map(({ bytes }) => bytes);
        if (form === 'sync') native().gatherSync(table.segments, columns, rows, outs, layout, count);
        else await native().gather(table.segments, columns, rows, outs, layout, count);
        outs.forEach((out, c) => {
          if (!sameBytes(out, wanted[c]!))
            throw new Error(
              `column ${c} of width ${table.widths[c]} differs: ${rows.kind}, ${numbers.length} rows, ${count} ` +
                `workers, ${form}, ${make.name}`,
            );
        });
      }
    }
  }
}

/** Tables in every form that segments take. */
const SHAPES: Readonly<Record<string, (random: () => number) => number[]>> = {
  'one segment': () => [4003],
  'equal segments': () => new Array<number>(40).fill(100),
  'equal segments, a shorter last one': () => [...new Array<number>(20).fill(200), 7],
  'segments of one row': () => new Array<number>(300).fill(1),
  'unequal segments, some empty': (random) =>
    Array.from({ length: 60 }, () => Math.floor(random() * 4) * Math.floor(random() * 60)),
  'few long segments': () => [0, 1500, 2100, 0, 1033, 0],
  'many short segments': (random) => Array.from({ length: 2000 }, () => Math.floor(random() * 4)),
};

const INDEX_TYPES: Readonly<Record<string, (rows: readonly number[]) => IndexArray>> = {
  Int32Array: (rows) => Int32Array.from(rows),
  Uint32Array: (rows) => Uint32Array.from(rows.map(Math.abs)),
  Float64Array: (rows) => Float64Array.from(rows),
  BigInt64Array: (rows) => BigInt64Array.from(rows, BigInt),
};

describe.skipIf(!hasNative).each(Object.keys(SHAPES))('%s', (shape) => {
  const random = makeRandom(7);
  const segmentRows = SHAPES[shape]!(random);
  const table = (): Table => (made ??= makeTable(segmentRows, WIDTHS, 11));
  let made: Table | undefined;

  test('ranges in both directions', async () => {
    const { rowCount } = table();
    await check(table(), { kind: 'range', start: 0, step: 1, count: rowCount });
    await check(table(), { kind: 'range', start: rowCount - 1, step: -1, count: rowCount });
    await check(table(), { kind: 'range', start: 3, step: 1, count: 0 });
    for (const step of [1, 2, 3, 7, 64, 101, -2, -3, -99]) {
      const start = step > 0 ? Math.floor(random() * 20) : rowCount - 1 - Math.floor(random() * 20);
      const most = Math.floor((step > 0 ? rowCount - 1 - start : start) / Math.abs(step)) + 1;
      await check(table(), { kind: 'range', start, step, count: 1 + Math.floor(random() * most) }, [1, 2]);
    }
    await check(table(), { kind: 'range', start: rowCount - 1, step: 2 ** 40, count: 1 }, [1]);
  });

  test.each(Object.keys(INDEX_TYPES))('indices in a %s', async (type) => {
    const { rowCount } = table();
    const anyRow = (): number => Math.floor(random() * rowCount);
    const negative = (row: number): number => (random() < 0.3 && type !== 'Uint32Array' ? row - rowCount : row);
    const lists: Record<string, number[]> = {
      none: [],
      one: [rowCount - 1],
      'all, backwards': Array.from({ length: rowCount }, (_, i) => rowCount - 1 - i),
      random: Array.from({ length: 500 }, anyRow),
      'random, negatives': Array.from({ length: 500 }, () => negative(anyRow())),
      sorted: Array.from({ length: 500 }, anyRow).sort((a, b) => a - b),
      'sorted but one': [...Array.from({ length: 200 }, (_, i) => Math.floor((i * rowCount) / 200)), 0],
      repeated: new Array<number>(300).fill(anyRow()),
      'two far apart': Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? 0 : rowCount - 1)),
    };
    for (const list of Object.values(lists))
      await check(table(), { kind: 'indices', indices: INDEX_TYPES[type]!(list) }, [1, 2]);
  });

  test('masks', async () => {
    const { rowCount } = table();
    const masks: ((row: number) => number)[] = [
      () => 0,
      () => 1,
      (row) => row % 2,
      (row) => (row % 2) ^ 1,
      () => (random() < 0.02 ? 255 : 0),
      () => (random() < 0.1 ? 1 : 0),
      () => (random() < 0.5 ? 128 : 0),
      () => (random() < 0.95 ? 2 : 0),
      (row) => Math.floor(row / 130) % 2,
      (row) => (row === rowCount - 1 ? 1 : 0),
      (row) => (row === 0 ? 1 : 0),
      (row) => (row % 64 === 63 || row % 64 === 0 ? 1 : 0),
    ];
    for (const fill of masks) {
      const mask = new Uint8Array(rowCount).map((_, row) => fill(row));
      await check(table(), { kind: 'mask', mask, count: mask.filter((set) => set !== 0).length }, [1, 2]);
    }
  });
});

describe.skipIf(!hasNative)('larger gathers, on several threads', () => {
  const table = (): Table => (made ??= makeTable([120_000, 0, 90_001, 77], [8, 4, 1, 5], 3));
  let made: Table | undefined;
  const random = makeRandom(5);

  test('indices, a mask and ranges', async () => {
    const { rowCount } = table();
    await check(table(), {
      kind: 'indices',
      indices: Float64Array.from({ length: 100_000 }, () => Math.floor((2 * random() - 1) * rowCount)),
    });
    await check(table(), {
      kind: 'indices',
      indices: Int32Array.from({ length: 100_000 }, (_, i) => Math.floor((i * rowCount) / 100_000)),
    });
    const mask = new Uint8Array(rowCount).map(() => (random() < 0.3 ? 1 : 0));
    await check(table(), { kind: 'mask', mask, count: mask.reduce((sum, set) => sum + set, 0) });
    await check(table(), { kind: 'range', start: 0, step: 1, count: rowCount });
    await check(table(), { kind: 'range', start: rowCount - 1, step: -3, count: Math.floor(rowCount / 3) });
  });

  test('masks of every length around the word borders', async () => {
    for (const rows of [1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 191, 193]) {
      const small = makeTable([rows], [8, 4, 2, 1], rows);
      for (const density of [0.1, 0.5, 0.9, 1]) {
        const mask = new Uint8Array(rows).map(() => (random() < density ? 1 : 0));
        await check(small, { kind: 'mask', mask, count: mask.reduce((sum, set) => sum + set, 0) }, [1]);
      }
    }
  });

  test('an index array by itself, outputs of any element type and DataViews', () => {
    const indices = Int32Array.of(5, -1, 0);
    const wanted = expected(
      table(),
      rowNumbers({ kind: 'indices', indices }, table().rowCount),
      packedOutputs(table(), 3),
    );
    for (const out of [
      new Uint8Array(24),
      new Float64Array(3),
      new BigUint64Array(3),
      new Int16Array(12),
      new Uint8ClampedArray(24),
      new DataView(new ArrayBuffer(40), 5, 24),
      new Float32Array(new ArrayBuffer(32), 8, 6),
    ]) {
      native().gatherSync(table().segments, Int32Array.of(0), indices, [out], null, 0);
      expect(new Uint8Array(out.buffer, out.byteOffset, out.byteLength)).toEqual(wanted[0]);
    }
    const twice = [new Uint8Array(24), new Uint8Array(15), new Uint8Array(24)];
    native().gatherSync(table().segments, Int32Array.of(0, 3, 0), indices, twice, null, 0);
    expect(twice).toEqual([wanted[0], wanted[3], wanted[0]]);
    native().gatherSync(table().segments, new Int32Array(0), indices, [], null, 0);
  });
});

describe.skipIf(!hasNative)('byte ranges', () => {
  test('copyRanges against slices, in and out of order, on several threads', async () => {
    const random = makeRandom(9);
    const bytes = new Uint8Array(12_000_000).map((_, i) => i * 7 + (i >> 11));
    const { mapping } = mapBytes(bytes);
    for (const scattered of [false, true]) {
      const lengths = Float64Array.from({ length: 3000 }, (_, k) =>
        k === 1234 ? 5_000_000 : Math.floor(random() * 200),
      );
      const offsets = lengths.map((length) => Math.floor(random() * (bytes.length - length + 1)));
      const outOffsets = new Float64Array(lengths.length);
      let end = 0;
      lengths.forEach((length, k) => {
        outOffsets[k] = end;
        end += length + Math.floor(random() * 3);
      });
      if (scattered) for (const array of [offsets, lengths, outOffsets]) array.reverse();
      const wanted = new Uint8Array(end);
      lengths.forEach((length, k) => wanted.set(bytes.subarray(offsets[k], offsets[k]! + length), outOffsets[k]));
      for (const workers of WORKERS) {
        const [sync, async_] = [new Uint8Array(end), new Uint8Array(end)];
        native().copyRangesSync(mapping, offsets, lengths, sync, outOffsets, workers);
        await native().copyRanges(mapping, offsets, lengths, async_, outOffsets, workers);
        expect(sameBytes(sync, wanted) && sameBytes(async_, wanted)).toBe(true);
      }
    }
    const none = new Float64Array(0);
    native().copyRangesSync(mapping, none, none, new Uint8Array(0), none, 0);
  });

  test('readSync and windows at any offset', () => {
    const bytes = new Uint8Array(300_000).map((_, i) => i * 13 + (i >> 8));
    const { mapping } = mapBytes(bytes);
    for (const [offset, length] of [
      [0, 300_000],
      [1, 1],
      [4095, 3],
      [65_535, 70_000],
      [299_999, 1],
      [123_457, 8],
    ] as const) {
      const out = new Uint8Array(length);
      native().readSync(mapping, offset, out);
      const window = native().window(mapping, offset, length);
      expect(sameBytes(out, bytes.subarray(offset, offset + length)) && sameBytes(new Uint8Array(window), out)).toBe(
        true,
      );
      expect(window.byteLength).toBe(length);
    }
  });
});
