// Copy-free views: at any byte of the file, never a copy, and a write into one reaches neither the file nor what get…
// returns.
import { CannotViewError } from '@colkit/io';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { backendInfo, create, open, openSync, typed } from '../../src/index.ts';
import type { SyrahArray, SyrahFile } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const path = folder.path('views.syr');
const ITEMS = 32;
const native = process.env['COLKIT_BACKEND'] === 'native';

/** One byte more before each next item: all eight phases for the arrays of 8-byte elements. */
const itemOf = (i: number): Record<string, SyrahArray> => ({
  pad: new Uint8Array(i % 8).fill(i),
  double: Float64Array.of(i, i / 3, -0),
  long: BigInt64Array.of(BigInt(i), -5n),
  float: Float32Array.of(i, 0.5),
  short: Int16Array.of(i, -i),
});

beforeAll(async () => {
  const writer = await create(path);
  for (let i = 0; i < ITEMS; i += 1) await writer.addItem({ ...itemOf(i), half: typed('float16', [i]) });
  await writer.close();
});

describe.runIf(native)('over a mapping', () => {
  let file: SyrahFile;
  beforeAll(async () => {
    expect(backendInfo().backend).toBe('native');
    file = await open(path);
  });

  test('every array of every item, at every phase', () => {
    const phases = new Set<number>();
    for (let i = 0; i < ITEMS; i += 1) {
      const views = file.viewItem(i - ITEMS);
      const { half, ...rest } = views;
      expect({ ...rest }).toEqual(itemOf(i));
      expect(Array.from(half as Float32Array)).toEqual([i]);
      expect(file.viewArray(i, 'long')).toEqual(itemOf(i)['long']);
      phases.add(offsetOf(i) % 8);
    }
    expect(phases.size).toBe(8);
  });

  test('are no copies: arrays at the same phase share one buffer with everything around them', () => {
    const first = file.viewArray(0, 'double') as Float64Array;
    const same = Array.from({ length: ITEMS }, (_, i) => i).filter((i) => offsetOf(i) % 8 === offsetOf(0) % 8);
    expect(same.length).toBeGreaterThan(1);
    for (const i of same) {
      const view = file.viewArray(i, 'double') as Float64Array;
      expect(view.buffer).toBe(first.buffer);
      expect(view.byteOffset - first.byteOffset).toBe(offsetOf(i) - offsetOf(0));
    }
    expect(first.buffer.byteLength).toBeGreaterThan(1000);
  });

  test('there are at most as many windows as phases', () => {
    const buffers = new Set(Array.from({ length: ITEMS }, (_, i) => file.viewArray(i, 'double').buffer));
    expect(buffers.size).toBe(8);
  });

  test('a write reaches neither the file nor a later read', async () => {
    const before = readFileSync(path);
    const view = file.viewArray(3, 'double') as Float64Array;
    view.fill(77);
    expect(await file.getArray(3, 'double')).toEqual(itemOf(3)['double']);
    expect(file.getItemSync(3)['double']).toEqual(itemOf(3)['double']);
    expect((await file.gatherItems([3, 4], 'double')).data).toEqual(
      Float64Array.of(...(itemOf(3)['double'] as Float64Array), ...(itemOf(4)['double'] as Float64Array)),
    );
    expect(file.viewArray(3, 'long')).toEqual(itemOf(3)['long']);
    const other = openSync(path);
    expect(other.viewArray(3, 'double')).toEqual(itemOf(3)['double']);
    other.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.runIf(process.platform === 'linux')(
    'any number of them in one turn of the event loop take a few mappings',
    () => {
      const mappings = (): number =>
        readFileSync('/proc/self/maps', 'utf8')
          .split('\n')
          .filter((line) => line.endsWith(path)).length;
      const looped = openSync(path);
      const before = mappings();
      for (let round = 0; round < 70_000; round += 1) {
        looped.viewItem(round % ITEMS);
        (looped.viewArray(round % ITEMS, 'double') as Float64Array)[0] = round;
      }
      expect(mappings() - before).toBeLessThanOrEqual(1 + 8); // the file's, and a window for each phase
      looped.close();
    },
  );

  test('a window whose buffer was transferred away is replaced', () => {
    const own = openSync(path);
    const view = own.viewArray(3, 'double');
    setFlagsFromString('--allow-natives-syntax');
    (runInThisContext('(buffer) => %ArrayBufferDetach(buffer)') as (buffer: ArrayBufferLike) => void)(view.buffer);
    setFlagsFromString('--no-allow-natives-syntax');
    expect(view.length).toBe(0);
    expect(own.viewArray(3, 'double')).toEqual(itemOf(3)['double']);
    expect({ ...own.viewItem(3, { keys: ['double'] }) }).toEqual({ double: itemOf(3)['double'] });
    own.close();
  });

  test('outlive close()', async () => {
    const closing = await open(path);
    const view = closing.viewArray(9, 'double');
    closing.close();
    expect(view).toEqual(itemOf(9)['double']);
    expect(() => closing.viewArray(9, 'double')).toThrow(/closed/);
  });

  test('text cannot be viewed; the other keys can', async () => {
    const texts = folder.path('texts.syr');
    const writer = await create(texts);
    await writer.addItem({ text: 'ab', x: Float64Array.of(1) });
    await writer.close();
    const withText = await open(texts);
    expect(() => withText.viewItem(0)).toThrow(
      expect.objectContaining({ name: 'CannotViewError', code: 'ERR_NOT_VIEWABLE', remedy: 'read it with getArray' }),
    );
    expect({ ...withText.viewItem(0, { keys: ['x'] }) }).toEqual({ x: Float64Array.of(1) });
    withText.close();
  });

  test('empty arrays', () => {
    expect(file.viewArray(0, 'pad')).toEqual(new Uint8Array(0));
    expect(file.viewArray(8, 'pad')).toEqual(new Uint8Array(0));
  });
});

test('where nothing is mapped, the error says so', async () => {
  for (const file of [
    await open(path, { io: 'pread' }),
    openSync(new Uint8Array(readFileSync(path))),
    await open(path, { backend: 'js' }),
  ]) {
    expect(() => file.viewArray(0, 'double')).toThrow(CannotViewError);
    expect(() => file.viewItem(0)).toThrow(expect.objectContaining({ code: 'ERR_NOT_MAPPED' }));
    file.close();
  }
});

test('align: 8 puts every array at a multiple of 8', async () => {
  const aligned = folder.path('aligned.syr');
  const writer = await create(aligned, { align: 8 });
  for (let i = 0; i < ITEMS; i += 1) await writer.addItem(itemOf(i));
  await writer.close();
  const file = await open(aligned);
  for (let i = 0; i < ITEMS; i += 1) expect({ ...(await file.getItem(i)) }).toEqual(itemOf(i));
  if (native) {
    const buffers = new Set(Array.from({ length: ITEMS }, (_, i) => file.viewArray(i, 'double').buffer));
    expect(buffers.size).toBe(1);
  }
  file.close();
});

/** Where item i's doubles are in the file, counted by hand. */
function offsetOf(item: number): number {
  let offset = 22;
  for (let i = 0; i < item; i += 1) offset += (i % 8) + 24 + 16 + 8 + 4 + 2;
  return offset + (item % 8);
}
