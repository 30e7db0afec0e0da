// 50. Every selector in every layout, from every kind of source, gives the oracle's bytes: items picked one by one from
//     the columns that the files were made of.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ColStore, backendInfo, open, openSync, write } from '../src/index.ts';
import type { Table } from '../src/index.ts';
import { ALL_KINDS, allKinds, inEveryLayout, pickItems } from './support/tables.ts';

const ROWS = 41;
const columns = allKinds(ROWS);
const layouts = inEveryLayout(columns, ROWS);

let folder = '';
const paths = new Map<string, string>();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-paths-'));
  for (const [label, bytes] of layouts) {
    const path = join(folder, `${label}.cstore`);
    writeFileSync(path, bytes);
    paths.set(label, path);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOURCES = ['mapped', 'pread', 'memory', 'blob'] as const;

async function openAs(label: string, source: (typeof SOURCES)[number]): Promise<ColStore> {
  const bytes = layouts.get(label)!;
  switch (source) {
    case 'mapped':
      return open(paths.get(label)!, { io: backendInfo().backend === 'native' ? 'mmap' : 'auto' });
    case 'pread':
      return open(paths.get(label)!, { io: 'pread' });
    case 'memory':
      return open(bytes);
    case 'blob':
      return open(new Blob([bytes]));
  }
}

/** A step of a view, for the table and for the plain array of row numbers alike. */
type Step =
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number;
    }
  | { readonly kind: 'take'; readonly indices: readonly number[] }
  | { readonly kind: 'filter'; readonly mask: readonly boolean[] };

function applySteps(table: Table, steps: readonly Step[]): { view: Table; rows: readonly number[] } {
  let view = table;
  let rows: readonly number[] = Array.from({ length: table.rowCount }, (_, row) => row);
  for (const step of steps) {
    if (step.kind === 'slice') {
      view = view.slice(step.start, step.end, step.step);
      rows = sliced(rows, step.start, step.end, step.step);
    } else if (step.kind === 'take') {
      const indices =
        rows.length === 0
          ? []
          : step.indices
              .map((index) => (index % rows.length) - (index % 3 === 0 ? rows.length : 0))
              .filter((index) => index >= -rows.length && index < rows.length);
      view = view.take(indices);
      rows = indices.map((index) => rows.at(index)!);
    } else {
      const mask = rows.map((_, row) => step.mask[row % step.mask.length]!);
      view = view.filter(mask);
      rows = rows.filter((_, row) => mask[row]);
    }
  }
  return { view, rows };
}

function sliced(
  rows: readonly number[],
  start: number | undefined,
  end: number | undefined,
  step: number,
): readonly number[] {
  const order =
    step > 0
      ? rows.slice(start ?? 0, end ?? rows.length)
      : rows
          .slice(
            end === undefined ? 0 : end < 0 ? Math.max(0, end + rows.length + 1) : end + 1,
            start === undefined ? rows.length : start < 0 ? Math.max(0, start + rows.length + 1) : start + 1,
          )
          .reverse();
  return order.filter((_, index) => index % Math.abs(step) === 0);
}

const same = (found: unknown, expected: Uint8Array): boolean => {
  const array = found as Uint8Array;
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).equals(expected);
};

/** Compares without one `expect` a value, which would cost more than all of the reads. */
async function expectRows(view: Table, rows: readonly number[], isSync: boolean): Promise<void> {
  expect(view.rowCount).toBe(rows.length);
  const wanted = columns.map((column) => pickItems(column, rows));
  const arrays = [
    ...(isSync ? view.toColumnMapSync({ strings: 'bytes' }) : await view.toColumnMap({ strings: 'bytes' })).values(),
  ];
  expect(columns.flatMap(({ name }, index) => (same(arrays[index], wanted[index]!) ? [] : [name]))).toEqual([]);
  const records = isSync ? view.toRecordsSync() : await view.toRecords();
  expect(same(records.bytes, interleaved(wanted, rows.length))).toBe(true);
}

function interleaved(packed: readonly Uint8Array[], rowCount: number): Uint8Array {
  const stride = columns.reduce((sum, { itemBytes }) => sum + itemBytes, 0);
  const bytes = new Uint8Array(stride * rowCount);
  let offset = 0;
  columns.forEach(({ itemBytes }, index) => {
    for (let row = 0; row < rowCount; row += 1)
      for (let at = 0; at < itemBytes; at += 1)
        bytes[row * stride + offset + at] = packed[index]![row * itemBytes + at]!;
    offset += itemBytes;
  });
  return bytes;
}

const CHAINS: readonly (readonly Step[])[] = [
  [],
  [{ kind: 'slice', start: 5, end: 30, step: 1 }],
  [{ kind: 'slice', start: undefined, end: undefined, step: -1 }],
  [{ kind: 'slice', start: 2, end: undefined, step: 7 }],
  [{ kind: 'slice', start: 40, end: 3, step: -3 }],
  [{ kind: 'slice', start: 12, end: 12, step: 1 }],
  [{ kind: 'take', indices: [0, 1, 2, 7, 8, 14, 40] }],
  [{ kind: 'take', indices: [40, 3, 3, 17, 0, 40, 6] }],
  [{ kind: 'take', indices: [] }],
  [{ kind: 'filter', mask: [true] }],
  [{ kind: 'filter', mask: [false] }],
  [{ kind: 'filter', mask: [true, false] }],
  [{ kind: 'filter', mask: [false, false, false, false, false, false, true, true, true] }],
  [
    { kind: 'slice', start: 3, end: 39, step: 2 },
    { kind: 'take', indices: [9, 1, 1, 5] },
    { kind: 'slice', start: undefined, end: undefined, step: -1 },
  ],
  [
    { kind: 'filter', mask: [true, true, false] },
    { kind: 'filter', mask: [false, true] },
    { kind: 'slice', start: 1, end: 6, step: 1 },
  ],
];

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('slice' as const),
    start: fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined }),
    end: fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined }),
    step: fc.integer({ min: -5, max: 5 }).filter((step) => step > 0),
  }),
  fc.record({ kind: fc.constant('take' as const), indices: fc.array(fc.nat(200), { maxLength: 60 }) }),
  fc.record({ kind: fc.constant('filter' as const), mask: fc.array(fc.boolean(), { minLength: 1, maxLength: 70 }) }),
);

describe.each([...layouts.keys()])('%s', (label) => {
  it.each(SOURCES)('every selector from %s', async (source) => {
    const store = await openAs(label, source);
    expect(store.schema.map(({ name }) => name)).toEqual(ALL_KINDS.map(([name]) => name));
    for (const steps of CHAINS) {
      const { view, rows } = applySteps(store, steps);
      await expectRows(view, rows, false);
      if (source !== 'blob') await expectRows(view, rows, true);
    }
    store.close();
  });

  it('random chains of selectors', async () => {
    const stores = await Promise.all(SOURCES.map((source) => openAs(label, source)));
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 4 }), fc.nat(SOURCES.length - 1), async (steps, source) => {
        const { view, rows } = applySteps(stores[source]!, steps);
        await expectRows(view, rows, source % 2 === 0);
      }),
      { numRuns: 25 },
    );
    for (const store of stores) store.close();
  });

  it('writes any view of it to the same file as from the other layouts', async () => {
    const store = await openAs(label, 'mapped');
    const view = store.take([5, 1, 40, 7, 7, -2]).select('f8', 's5', 't3', 'i1');
    const path = join(folder, `${label}-export.cstore`);
    await write(path, view, { batchRows: 2 });
    const back = openSync(path);
    for (const name of ['f8', 's5', 't3', 'i1']) {
      const column = columns.find((candidate) => candidate.name === name)!;
      expect(same(back.column(name).toArraySync({ strings: 'bytes' }), pickItems(column, [5, 1, 40, 7, 7, 39]))).toBe(
        true,
      );
    }
  });

  it('single values, and arrays of the caller', async () => {
    const store = await openAs(label, 'memory');
    const i4 = store.column('i4');
    const out = new Int32Array(ROWS);
    expect(i4.toArraySync({ out })).toBe(out);
    expect(same(out, columns.find(({ name }) => name === 'i4')!.bytes)).toBe(true);
    for (const row of [0, 1, 6, 7, 8, 40, -1, -41]) expect(i4.atSync(row)).toBe(out.at(row));
    expect(store.column('b1').atSync(3)).toBe(columns.find(({ name }) => name === 'b1')!.bytes[3] === 1);
  });
});
