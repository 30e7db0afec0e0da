// Files of the writer: failing disks, names and folders, alignment, and writers that are never closed.
import { IoError } from '@colkit/io';
import type { Output } from '@colkit/io/durable';
import type { Operation } from '@colkit/io/effects';
import { characterArbitrary, codeOf, float32Arbitrary, float64Arbitrary, integerArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { create, createSync, openSync } from '../../src/index.ts';
import type { CreateOptions, ItemInput } from '../../src/index.ts';
import { FileWriter } from '../../src/write/file-writer.ts';
import { SyrahWriter } from '../../src/write/writer.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { item, nothing } from './items.ts';

const folder = temporaryFolder();

let counter = 0;

const newPath = (): string => folder.path(`w${String((counter += 1))}.syr`);

async function written(options: CreateOptions, items: readonly ItemInput[], path = newPath()): Promise<Uint8Array> {
  const writer = await create(path, options);
  await writer.addItems(items);
  await writer.close();
  return new Uint8Array(readFileSync(path));
}

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
      c: fc.string({ unit: characterArbitrary, maxLength: 10 }).filter((text) => !/\p{Surrogate}/u.test(text)),
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
