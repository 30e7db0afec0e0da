// What a gather refuses: the same typed error from every source and backend, with nothing written.
import { truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MemorySource, createGatherer, openSourceSync } from '@colkit/io';
import type { ColumnSegments, GatherOutput, GatherRequest, RandomAccessSource, RowSelection } from '@colkit/io';
import { IS_NATIVE } from '../support/backend.ts';
import { patternBytes, testFolder } from '../support/folder.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const folder = testFolder();
const ROWS = 1000;
const SEGMENTS: ColumnSegments = {
  rowStarts: Float64Array.of(0, 400, ROWS),
  itemBytes: Int32Array.of(4, 8),
  bases: Float64Array.of(0, 0, 4000, 4000),
};
const FILE = patternBytes(12_000);

const SOURCES: { name: string; backend: 'auto' | 'js'; open: () => RandomAccessSource }[] = [
  { name: 'memory', backend: 'auto', open: () => new MemorySource(FILE) },
  { name: 'positional file', backend: 'auto', open: () => openSourceSync(folder.file('f', FILE), { io: 'pread' }) },
  ...(IS_NATIVE
    ? (['auto', 'js'] as const).map((backend) => ({
        name: `mapping, ${backend}`,
        backend,
        open: () => openSourceSync(folder.file('f', FILE), { io: 'mmap' }),
      }))
    : []),
];

function outputs(count: number): GatherOutput[] {
  return [4, 8].map((width) => ({ bytes: new Uint8Array(count * width).fill(7), byteOffset: 0, byteStride: width }));
}

function indices(...list: number[]): RowSelection {
  return { kind: 'indices', indices: Float64Array.from(list) };
}

const OUT_OF_RANGE = { name: 'OutOfRangeError', code: 'ERR_INDEX_OUT_OF_RANGE', length: ROWS };
const ARGUMENT = { name: 'ArgumentError', code: 'ERR_ARGUMENT' };
const mask = (set: number): Uint8Array => new Uint8Array(ROWS).fill(1, 0, set);

const BAD_ROWS: [string, RowSelection, object][] = [
  ['an index at the end', indices(0, 999, -1000, 1000, 1001), { ...OUT_OF_RANGE, index: 1000, position: 3 }],
  ['an index before the start', indices(5, -1001), { ...OUT_OF_RANGE, index: -1001, position: 1 }],
  ['a huge index', indices(1e300), { ...OUT_OF_RANGE, index: 1e300, position: 0 }],
  [
    'an Int32Array',
    { kind: 'indices', indices: Int32Array.of(1, -2, 5000) },
    { ...OUT_OF_RANGE, index: 5000, position: 2 },
  ],
  [
    'a Uint32Array',
    { kind: 'indices', indices: Uint32Array.of(4294967295) },
    { ...OUT_OF_RANGE, index: 4294967295, position: 0 },
  ],
  [
    'a BigInt64Array',
    { kind: 'indices', indices: BigInt64Array.of(3n, -(2n ** 63n)) },
    { ...OUT_OF_RANGE, index: -(2 ** 63), position: 1 },
  ],
  ['a fraction', indices(1, 2.5, -1e9), { ...ARGUMENT, argument: 'rows', found: '2.5 at position 1' }],
  ['a fraction out of range', indices(1, 2000.5), { ...ARGUMENT, argument: 'rows', found: '2000.5 at position 1' }],
  ['NaN', indices(NaN), { ...ARGUMENT, argument: 'rows', found: 'NaN at position 0' }],
  ['Infinity', indices(0, -Infinity), { ...ARGUMENT, argument: 'rows', found: '-Infinity at position 1' }],
  [
    'a range that starts outside',
    { kind: 'range', start: -1, step: 1, count: 2 },
    { ...OUT_OF_RANGE, index: -1, position: 0 },
  ],
  [
    'a range that ends outside',
    { kind: 'range', start: 990, step: 2, count: 6 },
    { ...OUT_OF_RANGE, index: 1000, position: 5 },
  ],
  [
    'a range that ends before the start',
    { kind: 'range', start: 3, step: -2, count: 3 },
    { ...OUT_OF_RANGE, index: -1, position: 2 },
  ],
  ['a step of 0', { kind: 'range', start: 0, step: 0, count: 1 }, { ...ARGUMENT, argument: 'rows.step' }],
  ['a fractional step', { kind: 'range', start: 0, step: 0.5, count: 1 }, { ...ARGUMENT, argument: 'rows.step' }],
  ['a fractional start', { kind: 'range', start: 0.5, step: 1, count: 1 }, { ...ARGUMENT, argument: 'rows.start' }],
  ['a negative count', { kind: 'range', start: 0, step: 1, count: -1 }, { ...ARGUMENT, argument: 'rows.count' }],
  [
    'indices of another type',
    { kind: 'indices', indices: [1, 2] as unknown as Int32Array },
    { ...ARGUMENT, argument: 'rows.indices' },
  ],
  [
    'a mask of another type',
    { kind: 'mask', mask: [1, 2] as unknown as Uint8Array, count: 2 },
    { ...ARGUMENT, argument: 'rows.mask' },
  ],
  ['a selection of another kind', { kind: 'all' } as unknown as RowSelection, ARGUMENT],
  ['a short mask', { kind: 'mask', mask: new Uint8Array(999), count: 0 }, { ...ARGUMENT, argument: 'rows.mask' }],
  [
    'a mask of fewer rows than announced',
    { kind: 'mask', mask: mask(4), count: 5 },
    { ...ARGUMENT, argument: 'rows.count' },
  ],
  [
    'a mask of more rows than announced',
    { kind: 'mask', mask: mask(6), count: 5 },
    { ...ARGUMENT, argument: 'rows.count' },
  ],
];

describe.each(SOURCES)('a gather from $name', ({ open, backend }) => {
  async function expectRefusal(request: GatherRequest, expected: object): Promise<void> {
    const source = open();
    const gatherer = createGatherer(source, SEGMENTS, { backend });
    expect(thrownBy(() => gatherer.gatherSync(request))).toMatchObject(expected);
    expect(await rejectedBy(gatherer.gather(request))).toMatchObject(expected);
    for (const { bytes } of request.outputs)
      if (bytes instanceof Uint8Array) expect(bytes.every((byte) => byte === 7)).toBe(true);
    source.close();
  }

  test.each(BAD_ROWS)('refuses %s', async (_, rows, expected) => {
    await expectRefusal({ columns: Int32Array.of(0, 1), rows, outputs: outputs(8) }, expected);
  });

  const TWO = indices(0, 1);
  const good = { bytes: new Uint8Array(16).fill(7), byteOffset: 0, byteStride: 8 };
  test.each<[string, Partial<GatherRequest>, object]>([
    ['a column number', { columns: Int32Array.of(0, 2) }, { ...ARGUMENT, argument: 'columns', found: '2' }],
    ['a negative column number', { columns: Int32Array.of(-1, 0) }, { ...ARGUMENT, argument: 'columns', found: '-1' }],
    ['columns of another type', { columns: [0, 1] as unknown as Int32Array }, { ...ARGUMENT, argument: 'columns' }],
    [
      'outputs of another type',
      { outputs: [{ ...good, bytes: [1] as unknown as Uint8Array }, good] },
      { ...ARGUMENT, argument: 'outputs' },
    ],
    ['fewer outputs than columns', { outputs: [good] }, { ...ARGUMENT, argument: 'outputs' }],
    [
      'an output that is one byte short',
      {
        outputs: [
          { ...good, byteStride: 4 },
          { ...good, bytes: good.bytes.subarray(1) },
        ],
      },
      { name: 'ArgumentError', code: 'ERR_OUT_BUFFER', argument: 'outputs[1]', found: '15 bytes' },
    ],
    [
      'an output that its offset makes short',
      {
        outputs: [
          { ...good, byteStride: 4 },
          { ...good, byteOffset: 1 },
        ],
      },
      { name: 'ArgumentError', code: 'ERR_OUT_BUFFER' },
    ],
    [
      'an output that its stride makes short',
      { outputs: [{ ...good, byteStride: 13 }, good] },
      { name: 'ArgumentError', code: 'ERR_OUT_BUFFER' },
    ],
    ['a stride below the item', { outputs: [{ ...good, byteStride: 3 }, good] }, { ...ARGUMENT, argument: 'outputs' }],
    [
      'a negative offset',
      { outputs: [{ ...good, byteOffset: -4, byteStride: 4 }, good] },
      { ...ARGUMENT, argument: 'outputs' },
    ],
  ])('refuses %s', async (_, change, expected) => {
    await expectRefusal(
      { columns: Int32Array.of(0, 1), rows: TWO, outputs: [{ ...good, byteStride: 4 }, good], ...change },
      expected,
    );
  });

  test('refuses a closed source', async () => {
    const source = open();
    const gatherer = createGatherer(source, SEGMENTS, { backend });
    const request = { columns: Int32Array.of(0, 1), rows: TWO, outputs: outputs(2) };
    gatherer.gatherSync(request);
    source.close();
    expect(thrownBy(() => gatherer.gatherSync(request))).toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
    expect(await rejectedBy(gatherer.gather(request))).toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
  });

  test('refuses an aborted signal, with its reason', async () => {
    const source = open();
    const reason = new Error('enough');
    const gatherer = createGatherer(source, SEGMENTS, { backend });
    const request = { columns: Int32Array.of(0, 1), rows: TWO, outputs: outputs(2), signal: AbortSignal.abort(reason) };
    expect(await rejectedBy(gatherer.gather(request))).toBe(reason);
    source.close();
  });

  test('of no rows or no columns reads and writes nothing', async () => {
    const source = open();
    const gatherer = createGatherer(source, SEGMENTS, { backend });
    const none = { columns: Int32Array.of(0, 1), rows: indices(), outputs: outputs(0) };
    gatherer.gatherSync(none);
    await gatherer.gather(none);
    gatherer.gatherSync({ columns: new Int32Array(0), rows: TWO, outputs: [] });
    expect(
      thrownBy(() => gatherer.gatherSync({ columns: new Int32Array(0), rows: indices(ROWS), outputs: [] })),
    ).toMatchObject(OUT_OF_RANGE);
    source.close();
  });
});

describe.each(SOURCES)('segments over $name', ({ open, backend }) => {
  const cases: [string, Partial<Record<keyof ColumnSegments, Float64Array | Int32Array>>][] = [
    ['reach past the end', { bases: Float64Array.of(0, 0, 4000, 4001) }],
    ['reach before the start', { bases: Float64Array.of(-1, 0, 4000, 4000) }],
    ['have a fraction', { bases: Float64Array.of(0.5, 0, 4000, 4000) }],
    ['have NaN', { bases: Float64Array.of(NaN, 0, 4000, 4000) }],
    ['are too few', { bases: Float64Array.of(0, 0, 4000) }],
    ['descend', { rowStarts: Float64Array.of(0, 400, 300) }],
    ['start late', { rowStarts: Float64Array.of(1, 400, ROWS) }],
    ['have no row starts', { rowStarts: new Float64Array(0), bases: new Float64Array(0) }],
    ['have items of no bytes', { itemBytes: Int32Array.of(4, 0) }],
    ['have huge rows', { rowStarts: Float64Array.of(0, 400, 2 ** 53 - 1) }],
  ];
  test.each(cases)('are refused where they %s', (_, change) => {
    const source = open();
    expect(
      thrownBy(() => createGatherer(source, { ...SEGMENTS, ...change } as ColumnSegments, { backend })),
    ).toMatchObject(ARGUMENT);
    source.close();
  });

  test('may be empty, with bases that mean nothing', () => {
    const source = open();
    const segments = {
      rowStarts: Float64Array.of(0, 0, 3, 3),
      itemBytes: Int32Array.of(4),
      bases: Float64Array.of(NaN, 8, -1e18),
    };
    const bytes = new Uint8Array(12);
    createGatherer(source, segments, { backend }).gatherSync({
      columns: Int32Array.of(0),
      rows: indices(2, -2, 0),
      outputs: [{ bytes, byteOffset: 0, byteStride: 4 }],
    });
    expect([...bytes]).toEqual([...FILE.subarray(16, 20), ...FILE.subarray(12, 16), ...FILE.subarray(8, 12)]);
    expect(
      createGatherer(
        source,
        { rowStarts: Float64Array.of(0), itemBytes: Int32Array.of(4), bases: new Float64Array(0) },
        { backend },
      ).rowCount,
    ).toBe(0);
    source.close();
  });
});

describe.each(SOURCES.filter(({ name }) => name !== 'memory'))(
  'a file that shrank under $name',
  ({ open, backend }) => {
    test.each([
      ['before anything was read', false],
      ['after a gather', true],
    ])('is ERR_FILE_CHANGED: %s', async (_, gatherFirst) => {
      const source = open();
      const gatherer = createGatherer(source, SEGMENTS, { backend });
      const request = { columns: Int32Array.of(0, 1), rows: indices(0, 1), outputs: outputs(2) };
      if (gatherFirst) gatherer.gatherSync(request);
      for (const { bytes } of request.outputs) bytes.fill(7);
      // The rows that are asked for are still there: any file that is shorter than it was is another file.
      truncateSync(source.path, 11_999);
      expect(thrownBy(() => gatherer.gatherSync(request))).toMatchObject({
        name: 'IoError',
        code: 'ERR_FILE_CHANGED',
        path: source.path,
      });
      expect(await rejectedBy(gatherer.gather(request))).toMatchObject({ name: 'IoError', code: 'ERR_FILE_CHANGED' });
      for (const { bytes } of request.outputs) expect(bytes.every((byte) => byte === 7)).toBe(true);
      source.close();
    });
  },
);

test('a buffer that was transferred away is ERR_DETACHED', () => {
  const bytes = new Uint8Array(100);
  const source = new MemorySource(bytes);
  const gatherer = createGatherer(source, {
    rowStarts: Float64Array.of(0, 10),
    itemBytes: Int32Array.of(4),
    bases: Float64Array.of(0),
  });
  const request = {
    columns: Int32Array.of(0),
    rows: indices(1),
    outputs: [{ bytes: new Uint8Array(4), byteOffset: 0, byteStride: 4 }],
  };
  gatherer.gatherSync(request);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  expect(thrownBy(() => gatherer.gatherSync(request))).toMatchObject({ name: 'ClosedError', code: 'ERR_DETACHED' });
});
