// The writer: what it refuses, what a refused item leaves, order, limits, rolling, failure, leaks.
import { IoError, LimitError } from '@colkit/io';
import type { Output } from '@colkit/io/durable';
import type { Operation, Work } from '@colkit/io/effects';
import { codeOf, float32Arbitrary, float64Arbitrary, integerArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SyrahDataset, create, createSync, open, openSync, typed } from '../../src/index.ts';
import type { CreateOptions, ItemInput } from '../../src/index.ts';
import { FileWriter } from '../../src/write/file-writer.ts';
import { SyrahWriter } from '../../src/write/writer.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function* nothing(): Work<void> {}

const folder = temporaryFolder();
let counter = 0;
const newPath = (): string => folder.path(`w${String((counter += 1))}.syr`);
const item = (i: number): Record<string, Int32Array | Float32Array> => ({
  label: Int32Array.of(i),
  x: new Float32Array(i % 4).fill(i),
});

async function written(options: CreateOptions, items: readonly ItemInput[], path = newPath()): Promise<Uint8Array> {
  const writer = await create(path, options);
  await writer.addItems(items);
  await writer.close();
  return new Uint8Array(readFileSync(path));
}

function transferred(array: Float32Array<ArrayBuffer>): Float32Array {
  structuredClone(array, { transfer: [array.buffer] });
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

  test('a file without items keeps the keys of its schema, with no offsets and no sizes; without one its document is empty', async () => {
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

describe('a failing disk', () => {
  test('is told once by the call that meets it, and by every call after it; nothing is left', async () => {
    const disk = new IoError('ERR_WRITE', 'write', 'disk', 'no space left');
    let aborted = 0;
    const failed: Operation<void> = {
      run: () => Promise.reject(disk),
      runSync: () => {
        throw disk;
      },
    };
    const done = (): void => undefined;
    const aborting: Operation<void> = {
      run: () => Promise.resolve(void (aborted += 1)),
      runSync: () => void (aborted += 1),
    };
    const failing: Output = {
      position: 0,
      write: () => failed,
      writeAt: () => failed,
      finish: () => ({ run: () => Promise.resolve(), runSync: done }),
      abort: () => aborting,
    };
    for (const sync of [false, true]) {
      aborted = 0;
      const file = new FileWriter({ path: 'disk', output: failing, journal: null, end: nothing, align: 1 });
      const writer = new SyrahWriter(file, {
        path: 'disk',
        startFile: () => {
          throw disk;
        },
        maxMetadataBytes: 2 ** 31 - 1,
        roll: false,
        holdsBack: false,
        removeOldParts: nothing,
        keys: null,
      });
      const add = async (value: ItemInput): Promise<void> => (sync ? writer.addItemSync(value) : writer.addItem(value));
      await add({ x: new Float64Array(10) });
      const large = { x: new Float64Array(1_000_000) };
      await expect(add(large)).rejects.toBe(disk);
      expect(aborted).toBe(1);
      await expect(add({ x: new Float64Array(10) })).rejects.toBe(disk);
      await expect(writer.close()).rejects.toBe(disk);
    }
  });
});

describe('files', () => {
  test('nothing is at the path before close(), and nothing is left after abort()', async () => {
    const here = temporaryNames();
    const path = newPath();
    const writer = await create(path);
    await writer.addItem(item(0));
    expect(existsSync(path)).toBe(false);
    await writer.abort();
    await writer.abort();
    expect(await codeOf(() => writer.addItem(item(1)))).toBe('ERR_CLOSED');
    expect(temporaryNames()).toEqual(here);
  });

  test('an existing file stays, unless it is to be overwritten', async () => {
    const path = newPath();
    const first = await written({}, [item(1)], path);
    expect(await codeOf(() => create(path))).toBe('ERR_EXISTS');
    const writer = await create(path, { overwrite: true });
    await writer.addItem(item(2));
    expect(new Uint8Array(readFileSync(path))).toEqual(first);
    await writer.close();
    expect(openSync(path).getArraySync(0, 'label')).toEqual(Int32Array.of(2));
  });

  test('close() is idempotent; await using closes', async () => {
    const path = newPath();
    {
      await using writer = await create(path, { durability: 'none' });
      await writer.addItem(item(3));
    }
    expect(openSync(path).itemCount).toBe(1);
    const again = createSync(newPath());
    expect(again.closeSync()).toHaveLength(1);
    expect(await again.close()).toHaveLength(1);
    expect(again.closed).toBe(true);
  });

  const temporaryNames = (): string[] => readdirSync(folder.root).sort();
});

describe.each([1, 8, 64])('align %i', (align) => {
  test('any items read back; every array is aligned; only padding is added', async () => {
    const anItem = fc.record({
      a: fc.uint8Array({ maxLength: 20 }),
      b: fc.array(float64Arbitrary, { maxLength: 5 }).map((values) => Float64Array.from(values)),
      d: fc
        .array(integerArbitrary(-(2n ** 63n), 2n ** 63n - 1n), { maxLength: 5 })
        .map((values) => BigInt64Array.from(values)),
      e: fc.array(float32Arbitrary, { maxLength: 4 }).map((values) => Float32Array.from(values)),
      c: fc.string({ unit: 'binary', maxLength: 10 }).filter((text) => !/\p{Surrogate}/u.test(text)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anItem, { minLength: 1, maxLength: 20 }), async (items) => {
        const file = openSync(await written({ align, durability: 'none' }, items));
        expect(Array.from({ length: items.length }, (_, i) => ({ ...file.getItemSync(i) }))).toEqual(items);
      }),
      { numRuns: 25 },
    );
    const bytes = await written({ align }, [{ a: Uint8Array.of(1), b: Float64Array.of(2) }]);
    const start = Math.ceil(22 / align) * align;
    const second = Math.ceil((start + 1) / align) * align;
    expect(bytes[start]).toBe(1);
    expect(new DataView(bytes.buffer).getFloat64(second, true)).toBe(2);
    expect(bytes.subarray(22, start).every((byte) => byte === 0)).toBe(true);
  });
});

describe('a writer that is never closed warns', () => {
  const library = JSON.stringify(new URL('../../dist/index.js', import.meta.url).href);
  const warningsOf = (body: string): string => {
    const script = `import { create } from ${library};\n${body}`;
    const { stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    return stderr;
  };

  test('when the process has nothing left to do', () => {
    const path = newPath();
    const warnings = warningsOf(
      `const writer = await create(${JSON.stringify(path)}); await writer.addItem({ x: [1] });`,
    );
    expect(warnings).toMatch(/SyrahWriterLeak/);
    expect(warnings).toContain(`${path} was not written`);
  });

  test('when it is collected', () => {
    const path = newPath();
    const warnings = warningsOf(`
      await (async () => { await create(${JSON.stringify(path)}); })();
      for (let k = 0; k < 20; k += 1) { gc(); await new Promise((resolve) => setTimeout(resolve, 5)); }
      process.exit(0);
    `);
    expect(warnings).toContain(`${path} was not written`);
  });

  test('and one that is closed or aborted does not', () => {
    expect(
      warningsOf(`
      const writers = await Promise.all(Array.from({ length: 15 }, (_, k) => create(${JSON.stringify(newPath())} + k)));
      for (const [k, writer] of writers.entries()) await (k % 2 ? writer.close() : writer.abort());
    `),
    ).toBe('');
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
