// The writer: what it refuses, what a refused item leaves, order, limits, rolling, failure, leaks.
import { LimitError } from '@colkit/io';
import { codeOf } from '@colkit/testkit';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SyrahDataset, create, createSync, open, openSync, typed } from '../../src/index.ts';
import type { CreateOptions, ItemInput } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { item } from './items.ts';

const folder = temporaryFolder();

let counter = 0;

const newPath = (): string => folder.path(`w${String((counter += 1))}.syr`);

async function written(options: CreateOptions, items: readonly ItemInput[], path = newPath()): Promise<Uint8Array> {
  const writer = await create(path, options);
  await writer.addItems(items);
  await writer.close();
  return new Uint8Array(readFileSync(path));
}

function transferred<T extends Float32Array | Float64Array>(array: T): T {
  structuredClone(array, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

describe('items', () => {
  test("objects, Maps and pairs; the order of bytes is the item's, of keys the first item's", async () => {
    const path = newPath();
    const writer = await create(path);
    await writer.addItem(
      new Map([
        ['10', [1]],
        ['2', [2]],
      ]),
    );
    await writer.addItem([
      ['2', [4]],
      ['10', [3]],
    ]);
    await writer.addItem({ 2: [6], 10: [5] });
    await writer.close();
    const file = await open(path);
    expect(file.keys).toEqual(['10', '2']);
    expect(
      [0, 1, 2].map((i) => [
        ...(file.getArraySync(i, '10') as Float64Array),
        ...(file.getArraySync(i, '2') as Float64Array),
      ]),
    ).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(Array.from(new Float64Array(new Uint8Array(readFileSync(path)).buffer.slice(22, 22 + 48)))).toEqual([
      1, 2, 4, 3, 6, 5,
    ]);
    file.close();
  });

  test('__proto__, constructor and toString are keys like others', async () => {
    const path = newPath();
    await written({}, [JSON.parse('{"__proto__": [1], "constructor": [2], "toString": [3]}') as ItemInput], path);
    const file = await open(path);
    expect(file.keys).toEqual(['__proto__', 'constructor', 'toString']);
    const record = await file.getItem(0);
    expect(Object.keys(record)).toEqual(file.keys);
    expect(record['__proto__']).toEqual(Float64Array.of(1));
    file.close();
  });

  test.each<[string, ItemInput, string]>([
    ['a missing key', { label: Int32Array.of(1) }, 'ERR_SCHEMA'],
    ['a key more', { ...item(1), more: [1] }, 'ERR_SCHEMA'],
    ['another key', { label: Int32Array.of(1), y: new Float32Array(1) }, 'ERR_SCHEMA'],
    ['another dtype', { ...item(1), x: new Float64Array(1) }, 'ERR_SCHEMA'],
    ['a value that does not fit', { ...item(1), label: [2 ** 31] }, 'ERR_VALUE'],
    [
      'a key twice',
      [
        ['label', Int32Array.of(1)],
        ['label', Int32Array.of(1)],
      ],
      'ERR_SCHEMA',
    ],
    ['pairs that are none', [['label']] as never, 'ERR_ARGUMENT'],
    ['null', null as never, 'ERR_ARGUMENT'],
    ['a typed array', new Float32Array(2) as never, 'ERR_ARGUMENT'],
    ['text', 'label' as never, 'ERR_ARGUMENT'],
    ['an array that was transferred', { ...item(1), x: transferred(new Float32Array(3)) }, 'ERR_DETACHED'],
    [
      'an array that was transferred, with a dtype',
      { ...item(1), x: typed('float32', transferred(new Float64Array(3))) },
      'ERR_DETACHED',
    ],
  ])('%s is refused, and nothing of it is written', async (_, bad, code) => {
    const path = newPath();
    const writer = createSync(path);
    const asyncWriter = await create(newPath());
    for (const i of [0, 1]) {
      writer.addItemSync(item(i));
      await asyncWriter.addItem(item(i));
    }
    expect(await codeOf(() => writer.addItemSync(bad))).toBe(code);
    expect(await codeOf(() => asyncWriter.addItem(bad))).toBe(code);
    expect([writer.itemCount, asyncWriter.itemCount]).toEqual([2, 2]);
    writer.addItemSync(item(2));
    await asyncWriter.addItem(item(2));
    writer.closeSync();
    const [{ path: asyncPath } = { path: '' }] = await asyncWriter.close();
    const expected = await written({}, [item(0), item(1), item(2)]);
    expect(new Uint8Array(readFileSync(path))).toEqual(expected);
    expect(new Uint8Array(readFileSync(asyncPath))).toEqual(expected);
  });

  test.each([
    ['no key', {}],
    ['a NUL in a key', { 'a\0b': [1] }],
    ['half a surrogate pair', { '\ud800': [1] }],
    ['a key of 20 kB', { ['k'.repeat(20_000)]: [1] }],
  ])('a first item with %s is refused', async (_, bad) => {
    const path = newPath();
    const writer = await create(path);
    expect(await codeOf(() => writer.addItem(bad))).toBe('ERR_SCHEMA');
    expect(writer.schema).toBeNull();
    await writer.addItem(item(0));
    expect(writer.schema).toEqual([
      { name: 'label', dtype: 'int32' },
      { name: 'x', dtype: 'float32' },
    ]);
    await writer.close();
    expect(openSync(path).itemCount).toBe(1);
  });

  test('a refused first item fixes no schema', async () => {
    const writer = await create(newPath());
    expect(await codeOf(() => writer.addItem({ a: [1], b: null as never }))).toBe('ERR_ARGUMENT');
    await writer.addItem({ b: [1] });
    await writer.abort();
  });
});

describe('schema', () => {
  test('in any form: names, order and dtypes', async () => {
    const items = [{ x: [1, 2], flag: [true], text: 'a' }];
    const forms: NonNullable<CreateOptions['schema']>[] = [
      [
        { name: 'flag', dtype: 'bool' },
        { name: 'x', dtype: 'float32' },
        { name: 'text', dtype: 'str' },
      ],
      [
        ['flag', 'bool'],
        ['x', 'float32'],
        ['text', 'string'],
      ],
      new Map([
        ['flag', 'bool'],
        ['x', 'float32'],
        ['text', 'str'],
      ]),
      { flag: 'bool', x: 'float32', text: 'str' },
    ];
    for (const schema of forms) {
      const file = openSync(await written({ schema }, items));
      expect(file.schema).toEqual(forms[0]);
      expect({ ...file.getItemSync(0) }).toEqual({ flag: Uint8Array.of(1), x: Float32Array.of(1, 2), text: 'a' });
    }
  });

  test.each([
    [[['x', 'float8']]],
    [
      [
        ['x', 'int8'],
        ['x', 'int8'],
      ],
    ],
    [[]],
    [{ x: null }],
    [[[5, 'int8']]],
    [[{ name: 'x', dtype: null }]],
    [['x', 'y']],
    ['xy'],
    [[null]],
    [[['x']]],
  ])('%j is refused', async (schema) => {
    const before = readdirSync(folder.root);
    for (const journal of [false, true])
      expect(await codeOf(() => create(newPath(), { schema: schema as never, journal }))).toBe('ERR_SCHEMA');
    expect(readdirSync(folder.root)).toEqual(before);
  });

  test.each([null, 'x:int8', 5])('%j is no schema', async (schema) => {
    expect(await codeOf(() => create(newPath(), { schema: schema as never }))).toBe('ERR_SCHEMA');
  });

  test('a file without items keeps the keys of its schema, without offsets; without one it is empty', async () => {
    const bytes = await written({ schema: { x: 'int8', ł: 'str' } }, []);
    const file = openSync(bytes);
    expect([file.itemCount, file.form, file.schema]).toEqual([
      0,
      'current',
      [
        { name: 'x', dtype: 'int8' },
        { name: 'ł', dtype: 'str' },
      ],
    ]);
    const empty = await written({}, []);
    expect(Array.from(empty.subarray(22))).toEqual([5, 0, 0, 0, 0]);
    expect([openSync(empty).itemCount, openSync(empty).schema]).toEqual([0, []]);
    expect(SyrahDataset.openSync(bytes, ['x', 'ł']).length).toBe(0);
  });
});

describe('calls that overlap', () => {
  test('take effect in the order in which they were made', async () => {
    const path = newPath();
    const writer = await create(path);
    const large = (i: number): ItemInput => ({
      label: Int32Array.of(i),
      x: new Float32Array(i % 3 === 0 ? 400_000 : 5).fill(i),
    });
    const all = Array.from({ length: 12 }, (_, i) => writer.addItem(large(i)));
    const closing = writer.close();
    await Promise.all([...all, closing]);
    const file = await open(path);
    for (let i = 0; i < 12; i += 1) {
      const { label, x } = await file.getItem(i);
      expect(label).toEqual(Int32Array.of(i));
      expect((x as Float32Array).every((value) => value === i)).toBe(true);
    }
    file.close();
  });

  test('a Sync call among unfinished ones is refused', async () => {
    const writer = await create(newPath());
    const pending = writer.addItem({ x: new Float32Array(1_000_000) });
    expect(() => writer.addItemSync({ x: new Float32Array(1) })).toThrow(/await the earlier/);
    await pending;
    writer.addItemSync({ x: new Float32Array(1) });
    await writer.close();
  });

  test('an iterable is taken one by one, and closed where an item is refused', async () => {
    const writer = await create(newPath());
    let taken = 0;
    let closed = false;
    const source = (function* (): Generator<ItemInput> {
      try {
        for (; ; taken += 1) yield taken < 5 ? item(taken) : { nope: [1] };
      } finally {
        closed = true;
      }
    })();
    expect(await codeOf(() => writer.addItems(source))).toBe('ERR_SCHEMA');
    expect([taken, closed, writer.itemCount]).toEqual([5, true, 5]);
    for (const items of [null, undefined, 5, 'items', {}]) {
      expect(await codeOf(() => writer.addItems(items as never))).toBe('ERR_ARGUMENT');
      expect(await codeOf(() => writer.addItemsSync(items as never))).toBe('ERR_ARGUMENT');
    }
    await writer.abort();
  });
});

describe('the metadata limit', () => {
  const limit = 200;

  test('ERR_METADATA_TOO_LARGE comes before the item, and everything before it is safe', async () => {
    const path = newPath();
    const writer = await create(path, { maxMetadataBytes: limit });
    let accepted = 0;
    let failure: unknown;
    for (; failure === undefined; accepted += failure === undefined ? 1 : 0)
      failure = await writer.addItem(item(accepted)).then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(failure).toBeInstanceOf(LimitError);
    expect(failure).toMatchObject({ code: 'ERR_METADATA_TOO_LARGE', limit });
    expect(accepted).toBe(2);
    expect(await codeOf(() => writer.addItem(item(accepted)))).toBe('ERR_METADATA_TOO_LARGE');
    expect(writer.itemCount).toBe(accepted);
    const [summary] = await writer.close();
    expect(summary!.itemCount).toBe(accepted);
    const bytes = new Uint8Array(readFileSync(path));
    expect(bytes).toEqual(
      await written(
        {},
        Array.from({ length: accepted }, (_, i) => item(i)),
      ),
    );
    const file = openSync(bytes);
    expect(bytes.length - 22 - 4 * accepted - 4).toBeLessThanOrEqual(limit);
    expect(file.itemCount).toBe(accepted);
  });

  test('roll goes on in the next file; together they hold every item once', async () => {
    const path = newPath();
    const writer = await create(path, { maxMetadataBytes: limit, roll: true });
    for (let i = 0; i < 7; i += 1) await writer.addItem(item(i));
    const files = await writer.close();
    expect(files.map((file) => basename(file.path))).toEqual([
      basename(path),
      ...[1, 2, 3].map((n) => basename(path).replace('.syr', `.0000${String(n)}.syr`)),
    ]);
    expect(files.map(({ itemCount }) => itemCount)).toEqual([2, 2, 2, 1]);
    const labels = files.flatMap((each) => {
      const file = openSync(each.path);
      expect(readFileSync(each.path).length).toBe(each.byteLength);
      return Array.from({ length: file.itemCount }, (_, i) => (file.getArraySync(i, 'label') as Int32Array)[0]);
    });
    expect(labels).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('a file that exists in the way of rolling is not replaced, and the finished file is safe', async () => {
    const path = newPath();
    writeFileSync(path.replace('.syr', '.00001.syr'), 'mine');
    const writer = await create(path, { maxMetadataBytes: limit, roll: true });
    for (let i = 0; i < 2; i += 1) await writer.addItem(item(i));
    expect(await codeOf(() => writer.addItem(item(2)))).toBe('ERR_EXISTS');
    expect(openSync(path).itemCount).toBe(2);
    expect(readFileSync(path.replace('.syr', '.00001.syr'), 'utf8')).toBe('mine');
    await writer.abort();
  });

  test('an item that no file could hold is refused even when rolling', async () => {
    const writer = await create(newPath(), { maxMetadataBytes: 50, roll: true });
    expect(await codeOf(() => writer.addItem(item(0)))).toBe('ERR_METADATA_TOO_LARGE');
    await writer.close();
  });
});

test('typed values of every dtype', async () => {
  const path = newPath();
  await written(
    {},
    [
      {
        bool: [true],
        int8: typed('int8', [-1]),
        float16: typed('float16', [0.5]),
        float128: typed('float128', [2.5]),
        str: ['a', 'b'],
      },
    ],
    path,
  );
  const file = await open(path);
  expect(file.schema.map(({ name, dtype }) => [name, dtype])).toEqual(
    ['bool', 'int8', 'float16', 'float128', 'str'].map((name) => [name, name]),
  );
  expect(file.getArraySync(0, 'float128', { dtype: 'float64' })).toEqual(Float64Array.of(2.5));
  file.close();
});
