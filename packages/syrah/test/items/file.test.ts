// Reading items: every access path against a naive oracle, over mapped, positional and memory sources; options, errors,
// lifetime.
import { bytesOfArray } from '@colkit/io';
import { codeOf, createRandom } from '@colkit/testkit';
import { truncateSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { backendInfo, create, open, openShardsSync, openSync, typed } from '../../src/index.ts';
import type { SyrahFile, SyrahValue } from '../../src/index.ts';
import { binary, doc, docField, entry, file as fileBytes, i64s, text } from '@colkit/testkit/syr-bytes';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');
const ITEMS = 60;

/** Item i as it was written: lengths vary, so that every alignment occurs. */
function itemOf(i: number): Record<string, SyrahValue> {
  const random = createRandom(i);
  const length = i % 7;
  return {
    flags: Uint8Array.from({ length: i % 5 }, () => random.integer(256)),
    label: BigInt64Array.of(BigInt(i), -1n),
    features: Float64Array.from({ length }, () => random.number()),
    half: new Uint16Array(3).map(() => random.integer(60_000)),
    note: `item ${String(i)} é😀`,
    fixed: Float32Array.from({ length: 4 }, () => random.number()),
  };
}

beforeAll(async () => {
  const writer = await create(path);
  for (let i = 0; i < ITEMS; i += 1) await writer.addItem(itemOf(i));
  await writer.close();
});

test('the suite runs on the backend that it says', () => {
  expect(backendInfo().backend).toBe(process.env['COLKIT_BACKEND']);
});

const plain = (value: SyrahValue): unknown =>
  typeof value === 'string' ? value : [value.constructor.name, Array.from(value as Uint8Array)];

describe.each(['auto', 'pread', 'memory'] as const)('by %s', (io) => {
  let file: SyrahFile;
  beforeAll(async () => {
    const { readFileSync } = await import('node:fs');
    file = io === 'memory' ? openSync(new Uint8Array(readFileSync(path))) : await open(path, { io });
  });

  test('every path gives the same values', async () => {
    expect(file.keys).toEqual(['flags', 'label', 'features', 'half', 'note', 'fixed']);
    for (let i = 0; i < ITEMS; i += 1) {
      const expected = Object.entries(itemOf(i)).map(([key, value]) => [key, plain(value)]);
      const same = (entries: readonly (readonly [string, SyrahValue])[]): void =>
        expect(entries.map(([key, value]) => [key, plain(value)])).toEqual(expected);
      same(Object.entries(await file.getItem(i)));
      same(Object.entries(file.getItemSync(i - ITEMS)));
      same(await file.getEntries(i));
      same(file.getEntriesSync(i, { transferable: true }));
      same(file.keys.map((key) => [key, file.getArraySync(i, key)]));
      same(await Promise.all(file.keys.map(async (key) => [key, await file.getArray(i, key)] as const)));
    }
  });

  test('some keys, in the order asked for', async () => {
    expect((await file.getEntries(3, { keys: ['note', 'label'] })).map(([key]) => key)).toEqual(['note', 'label']);
    expect(Object.keys(file.getItemSync(3, { keys: ['fixed'] }))).toEqual(['fixed']);
    expect(await codeOf(() => file.getItem(3, { keys: ['fixed', 'nope'] }))).toBe('ERR_UNKNOWN_COLUMN');
    const keys = 'fixed' as never;
    for (const action of [
      () => file.getItem(3, { keys }),
      () => file.getItemSync(3, { keys }),
      () => file.viewItem(3, { keys }),
      () => file.gatherKeys([3], keys),
      () => file.gatherKeysSync([3], keys),
    ]) {
      expect(await codeOf(action)).toBe('ERR_ARGUMENT');
    }
  });

  test('copies: writing into a result changes no later one', async () => {
    const item = await file.getItem(5);
    (item['features'] as Float64Array).fill(99);
    expect(plain((await file.getItem(5))['features']!)).toEqual(plain(itemOf(5)['features']!));
  });

  test('out: filled and returned', async () => {
    const out = new Float32Array(4);
    expect(await file.getArray(7, 'fixed', { out })).toBe(out);
    expect(plain(out)).toEqual(plain(itemOf(7)['fixed']!));
    const shared = new Float32Array(new SharedArrayBuffer(32), 8, 4);
    file.getArraySync(8, 'fixed', { out: shared });
    expect(Array.from(shared)).toEqual(Array.from(itemOf(8)['fixed'] as Float32Array));
    expect(await codeOf(() => file.getArray(7, 'fixed', { out: new Float32Array(3) }))).toBe('ERR_OUT_BUFFER');
    expect(await codeOf(() => file.getArray(7, 'fixed', { out: new Int32Array(4) }))).toBe('ERR_OUT_BUFFER');
    expect(await codeOf(() => file.getArray(7, 'fixed', { out: [] as never }))).toBe('ERR_OUT_BUFFER');
    const textBytes = new Uint8Array(new TextEncoder().encode(itemOf(7)['note'] as string).length);
    expect(await codeOf(() => file.getArray(7, 'note', { out: textBytes }))).toBe('ERR_OUT_BUFFER');
    expect(await codeOf(() => file.getArraySync(7, 'note', { out: textBytes }))).toBe('ERR_OUT_BUFFER');
    expect(file.getArraySync(7, 'note', { out: textBytes, dtype: 'uint8' })).toEqual(
      new TextEncoder().encode(itemOf(7)['note'] as string),
    );
  });

  test('another dtype: the same bytes', async () => {
    const label = itemOf(4)['label'] as BigInt64Array;
    expect(bytesOfArray((await file.getArray(4, 'label', { dtype: 'uint8' })) as Uint8Array)).toEqual(
      bytesOfArray(label),
    );
    expect(file.getArraySync(4, 'label', { dtype: 'uint64' })).toEqual(BigUint64Array.of(4n, 2n ** 64n - 1n));
    expect(file.getArraySync(4, 'note', { dtype: 'uint8' })).toEqual(
      new TextEncoder().encode(itemOf(4)['note'] as string),
    );
    expect(await codeOf(() => file.getArray(4, 'half', { dtype: 'int32' }))).toBe('ERR_VALUE');
    expect(await codeOf(() => file.getArray(4, 'half', { dtype: 'float8' as never }))).toBe('ERR_ARGUMENT');
  });

  test('64-bit integers as numbers, on request', async () => {
    const options = { int64: 'number' } as const;
    const expected = Float64Array.of(9, -1);
    expect((await file.getItem(9, options))['label']).toEqual(expected);
    expect(file.getItemSync(9, options)['label']).toEqual(expected);
    expect(file.getItemSync(9, options)['fixed']).toEqual(itemOf(9)['fixed']);
    expect(file.getEntriesSync(9, { ...options, keys: ['label'] })).toEqual([['label', expected]]);
    expect(await file.getArray(9, 'label', options)).toEqual(expected);
    expect(file.getArraySync(9, 'fixed', options)).toEqual(itemOf(9)['fixed']);
    expect(await file.gatherItems([9, 0], 'label', options)).toEqual({
      data: Float64Array.of(9, -1, 0, -1),
      shape: [2, 2],
    });
    expect(file.getItemSync(9, { int64: 'bigint' })['label']).toEqual(BigInt64Array.of(9n, -1n));
    const unsafe = (): unknown => file.getArraySync(9, 'label', { ...options, dtype: 'uint64' });
    expect(unsafe).toThrow(expect.objectContaining({ name: 'ArgumentError', code: 'ERR_UNSAFE_INTEGER' }));
    expect(unsafe).toThrow(/key "label" of item 9/);
    for (const action of [
      () => file.getItem(9, { int64: 'float' as never }),
      () => file.getItemSync(9, { int64: 'float' as never }),
      () => file.getArray(9, 'label', { int64: 5 as never }),
      () => file.getArray(9, 'label', { ...options, out: new Float64Array(2) }),
      () => file.gatherItems([9], 'label', { ...options, out: new Float64Array(2) }),
    ])
      expect(await codeOf(action)).toBe('ERR_ARGUMENT');
  });

  test('gatherItems stacks, in the order of the indices', async () => {
    const indices = [5, 0, -1, 5, 33];
    const expected = indices.flatMap((i) => Array.from(itemOf((i + ITEMS) % ITEMS)['fixed'] as Float32Array));
    for (const items of [
      indices,
      Int32Array.from(indices),
      Float64Array.from(indices),
      BigInt64Array.from(indices, BigInt),
    ]) {
      const { data, shape } = await file.gatherItems(items, 'fixed');
      expect([data.constructor.name, shape]).toEqual(['Float32Array', [5, 4]]);
      expect(Array.from(data as Float32Array)).toEqual(expected);
      expect(file.gatherItemsSync(items, 'fixed')).toEqual({ data, shape });
    }
    const out = new Float32Array(20);
    expect((await file.gatherItems(indices, 'fixed', { out })).data).toBe(out);
    expect(await file.gatherItems([], 'fixed')).toEqual({ data: new Float32Array(0), shape: [0, 0] });
    expect(await file.gatherItems([0, 7, 14], 'features')).toEqual({ data: new Float64Array(0), shape: [3, 0] });
  });

  test('gatherItems refuses what does not stack, before anything is copied', async () => {
    const out = new Float64Array(2).fill(7);
    const failure = await file.gatherItems([1, 2], 'features', { out }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ArgumentError', code: 'ERR_VALUE' });
    expect((failure as Error).message).toMatch(
      /key "features" of item 2 of .*: expected 8 bytes of float64 as in item 1 .* found 16 bytes/,
    );
    expect(Array.from(out)).toEqual([7, 7]);
    expect(await codeOf(() => file.gatherItems([0], 'note'))).toBe('ERR_ARGUMENT');
    expect(await codeOf(() => file.gatherItems([0], 'nope'))).toBe('ERR_UNKNOWN_COLUMN');
    expect(await codeOf(() => file.gatherItems([0, ITEMS], 'fixed'))).toBe('ERR_INDEX_OUT_OF_RANGE');
    for (const item of [0.5, '1', '', null, true, undefined])
      expect(await codeOf(() => file.gatherItems([0, item] as never, 'fixed')), String(item)).toBe(
        'ERR_INDEX_OUT_OF_RANGE',
      );
    for (const items of [5, '5', null, undefined, new Set([1]), { length: -1 }])
      expect(await codeOf(() => file.gatherItems(items as never, 'fixed')), String(items)).toBe('ERR_ARGUMENT');
    expect(await codeOf(() => file.gatherItems([0], 'fixed', { out: new Float32Array(5) }))).toBe('ERR_OUT_BUFFER');
    await expect(file.gatherItems([0, 1, 99], 'fixed')).rejects.toMatchObject({
      index: 99,
      length: ITEMS,
      position: 2,
    });
  });

  test('lengths read no array', () => {
    expect(Array.from(file.lengths('features'))).toEqual(Array.from({ length: ITEMS }, (_, i) => i % 7));
    expect(file.lengths('note')[3]).toBe(new TextEncoder().encode(itemOf(3)['note'] as string).length);
    expect(() => file.lengths('nope')).toThrow(/unknown key/);
  });

  test.each([ITEMS, -ITEMS - 1, 0.5, NaN, Infinity, '0' as never, undefined as never])(
    'item %s is refused, naming the file',
    async (item) => {
      for (const action of [
        () => file.getItem(item),
        () => file.getItemSync(item),
        () => file.getArray(item, 'label'),
        () => file.viewItem(item),
      ]) {
        expect(['ERR_INDEX_OUT_OF_RANGE', 'ERR_ARGUMENT']).toContain(await codeOf(action));
      }
      if (io !== 'memory') await expect(file.getItem(item)).rejects.toThrow(path);
    },
  );

  test('an unknown key is refused, naming item, key and file', async () => {
    await expect(file.getArray(-1, 'nope')).rejects.toThrow(
      new RegExp(`${file.path}: item 59: unknown key "nope"; available: "flags"`),
    );
    expect(() => file.getArraySync(0, '__proto__')).toThrow(/unknown key "__proto__"/);
  });
});

test('half-precision arrays are of the runtime, or of the ponyfill', async () => {
  const halves = folder.path('halves.syr');
  const writer = await create(halves);
  await writer.addItem({ x: typed('float16', [1.5, -0, 65504, Infinity]), odd: Uint8Array.of(1) });
  await writer.addItem({ x: typed('float16', [2, 3, 4, 5]), odd: Uint8Array.of(1) });
  await writer.close();
  const file = await open(halves);
  expect(Array.from(file.getItemSync(0)['x'] as Float32Array)).toEqual([1.5, -0, 65504, Infinity]);
  const { data } = await file.gatherItems([1, 0], 'x');
  expect(Array.from(data as Float32Array)).toEqual([2, 3, 4, 5, 1.5, -0, 65504, Infinity]);
  const out = data.slice(0, 4);
  expect(await file.getArray(1, 'x', { out })).toBe(out);
  expect(Array.from(out as Float32Array)).toEqual([2, 3, 4, 5]);
  file.close();
});

test('float128: raw bytes, or float64', () => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setBigUint64(0, 0xc000000000000000n, true);
  new DataView(bytes.buffer).setUint16(8, 16383, true);
  const file = openSync(
    fileBytes(
      bytes,
      doc(docField('x', doc(binary('offset', i64s([22])), binary('size', i64s([32])), text('dtype', 'float128')))),
    ),
  );
  expect(file.getArraySync(0, 'x')).toEqual(bytes);
  expect(file.getArraySync(0, 'x', { dtype: 'float64' })).toEqual(Float64Array.of(1.5, 0));
  const out = new Float64Array(2);
  expect(file.getArraySync(0, 'x', { dtype: 'float64', out })).toBe(out);
  expect(Array.from(out)).toEqual([1.5, 0]);
  expect(file.gatherItemsSync([0, 0], 'x').shape).toEqual([2, 32]);
  expect(Array.from(file.lengths('x'))).toEqual([2]);
});

test('items by name, where the file has names', async () => {
  const file = openSync(
    fileBytes(
      Uint8Array.of(1, 2),
      doc(docField('b', doc(entry('x', 'uint8', 22, 1))), docField('a', doc(entry('x', 'uint8', 23, 1)))),
    ),
  );
  expect(file.getItemSync('a')).toEqual({ x: Uint8Array.of(2) });
  expect(await file.getArray('b', 'x')).toEqual(Uint8Array.of(1));
  expect(file.itemNumber('a')).toBe(1);
  expect(() => file.getItemSync('c')).toThrow(/item: expected an item name of <memory> but found "c"/);
});

test('text that is none is refused with item, key and offset', async () => {
  const file = openSync(
    fileBytes(
      [0x41, 0xff],
      doc(docField('t', doc(binary('offset', i64s([22])), binary('size', i64s([2])), text('dtype', 'str')))),
    ),
  );
  await expect(file.getItem(0)).rejects.toMatchObject({
    name: 'CorruptFileError',
    code: 'ERR_LAYOUT',
    column: 't',
    region: 'item 0',
    byteOffset: 22,
  });
});

test('after close everything is refused, and results stay', async () => {
  const file = await open(path);
  const item = await file.getItem(1);
  file.close();
  file.close();
  expect(file.closed).toBe(true);
  for (const action of [
    () => file.getItem(0),
    () => file.getItemSync(0),
    () => file.getArray(0, 'label'),
    () => file.gatherItems([0], 'fixed'),
    () => file.viewArray(0, 'fixed'),
    () => file.lengths('note'),
  ]) {
    expect(await codeOf(action)).toBe('ERR_CLOSED');
  }
  expect(plain(item['note']!)).toBe(itemOf(1)['note']);
  {
    using scoped = openSync(path);
    expect(scoped.closed).toBe(false);
  }
});

test('a file that another process truncates is an error, with item and key, not a crash', async () => {
  const cut = folder.path('cut.syr');
  const { readFileSync } = await import('node:fs');
  for (const io of ['auto', 'pread'] as const) {
    writeFileSync(cut, readFileSync(path));
    const file = await open(cut, { io });
    file.getItemSync(0);
    truncateSync(cut, 100);
    expect(() => file.getArraySync(ITEMS - 1, 'fixed')).toThrow(/reading key "fixed" of item 59/);
    expect(() => file.getItemSync(ITEMS - 1)).toThrow(/reading item 59/);
    expect(await codeOf(() => file.getItem(ITEMS - 1))).toBe('ERR_FILE_CHANGED');
    expect(await codeOf(() => file.gatherItems([ITEMS - 1, ITEMS - 2], 'fixed'))).toBe('ERR_FILE_CHANGED');
    file.close();
  }
});

test('what is no .syr file is refused, and no descriptor stays open', async () => {
  const { closeSync, openSync: openFile, readdirSync, readlinkSync } = await import('node:fs');
  const other = folder.path('other.syr');
  // Of this file only: other tests' descriptors come and go in the same process.
  const open_ = (): number =>
    process.platform === 'linux'
      ? readdirSync('/proc/self/fd').filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`) === other;
          } catch {
            return false; // closed meanwhile
          }
        }).length
      : 0;
  writeFileSync(other, 'no syrah');
  const fd = openFile(other, 'r');
  if (process.platform === 'linux') expect(open_()).toBe(1);
  closeSync(fd);
  for (let k = 0; k < 20; k += 1) {
    expect(await codeOf(() => open(folder.path('other.syr')))).toBe('ERR_TRUNCATED');
    expect(await codeOf(() => openSync(folder.path('other.syr')))).toBe('ERR_TRUNCATED');
  }
  expect(open_()).toBe(0);
  expect(await codeOf(() => open(folder.path('missing.syr')))).toBe('ERR_NOT_FOUND');
});

test('an abort ends an async read with its reason', async () => {
  const file = await open(path);
  const reason = new Error('enough');
  await expect(file.getItem(0, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  file.close();
});

test('an aborted signal ends every Sync read with its reason, of one file and of several', () => {
  const reason = new Error('enough');
  const aborted = { signal: AbortSignal.abort(reason) };
  using file = openSync(path);
  using shards = openShardsSync([path]);
  const [key = ''] = file.keys;
  for (const items of [file, shards]) {
    for (const read of [
      () => items.getItemSync(0, aborted),
      () => items.getItemSync(0, { ...aborted, keys: [key] }),
      () => items.getEntriesSync(0, aborted),
      () => items.getArraySync(0, key, aborted),
      () => items.gatherItemsSync([0], key, aborted),
      () => items.gatherItemsSync([], key, aborted),
      () => items.gatherKeysSync([0], [key], aborted),
    ])
      expect(read).toThrow(reason);
    expect(Object.keys(items.getItemSync(0, { signal: new AbortController().signal }))).toEqual(file.keys);
  }
});
