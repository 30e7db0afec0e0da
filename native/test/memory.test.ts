// Memory: the pool of results, what a process grows to when results are dropped, gathers from files much larger than
// the output, and files beyond 4 GiB.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { setTimeout as turnOf } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Mapping } from '../index.js';
import { hasNative, mapPath, native, runChild, temporaryPath } from './support.ts';

/** Two turns of the event loop: the message that says so has passed. */
const turn = (): Promise<unknown> => turnOf(20);

describe.skipIf(!hasNative)('the pool', () => {
  test('blocks come back when their buffers are collected', () => {
    expect(runChild('pool.mjs', [], { execArgv: ['--expose-gc'] })).toMatchObject({
      status: 0,
      stderr: '',
      stdout: 'done\n',
    });
  });

  test.skipIf(process.platform !== 'linux').each(['turning', 'synchronous'])(
    'a loop that drops its results stays bounded: %s',
    (way) => {
      const { status, stdout, stderr } = runChild('dropped-results.mjs', ['', way]);
      expect(stderr).toBe('');
      expect(status).toBe(0);
      expect(Number(stdout)).toBeLessThan(way === 'turning' ? 1024 : 768);
    },
  );

  test("V8's count of what it is told of late stays above zero, and follows what there is", () => {
    const { status, stdout, stderr } = runChild('told-memory.mjs', [], { execArgv: ['--expose-gc'] });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [least, most] = JSON.parse(stdout) as [number, number];
    expect(least).toBeGreaterThanOrEqual(-1);
    // What is in use, at most four rounds of some fifty, and as much that stands for nothing.
    expect(most).toBeGreaterThan(16);
    expect(most).toBeLessThan(512);
  });

  test('after 128 MiB in one turn of the event loop there are none until the next', async () => {
    await turn();
    const given: unknown[] = [];
    while (given.length < 64) {
      const buffer = native().allocatePooled(16 << 20);
      if (buffer === null) break;
      given.push(buffer);
    }
    expect(given.length).toBeLessThanOrEqual(8);
    expect(native().allocatePooled(16 << 20)).toBe(null);
    await turn();
    expect(native().allocatePooled(16 << 20)).toBeInstanceOf(ArrayBuffer);
    await turn();
  });

  test('a process of its own memory: allocatePooled gives what was asked for', () => {
    for (const bytes of [0, 1, 65_535, 65_536, 65_537, 2_097_152, 5_000_001]) {
      const buffer = native().allocatePooled(bytes) as ArrayBuffer;
      expect(buffer).toBeInstanceOf(ArrayBuffer);
      expect(buffer.byteLength).toBe(bytes);
      const array = new Uint8Array(buffer);
      array.fill(3);
      expect(array.at(-1)).toBe(bytes === 0 ? undefined : 3);
    }
  });
});

describe.skipIf(!hasNative || process.platform === 'win32')('large files', () => {
  test('windows are counted, and refused before the system refuses', () => {
    const { status, stdout, stderr } = runChild('windows.mjs', [temporaryPath('windows.bin')], {
      execArgv: ['--expose-gc'],
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('ERR_TOO_MANY_VIEWS at the limit, 0 after they were collected\n');
  });

  test.skipIf(process.platform !== 'linux')('anonymous memory follows the output, not the file', () => {
    const { status, stdout, stderr } = runChild('bounded-memory.mjs', [temporaryPath('sparse.bin')]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(Number(stdout)).toBeLessThan(64);
  });

  const GIBI = 2 ** 30;
  /** A sparse file of 5 GiB with the numbers 1, 2, 3, … as float64 at these byte offsets. */
  const OFFSETS = [0, 4 * GIBI - 8, 4 * GIBI, 4 * GIBI + 8, 5 * GIBI - 8];
  const sparse = (): Mapping => {
    const path = temporaryPath('large.bin');
    const fd = openSync(path, 'w');
    ftruncateSync(fd, 5 * GIBI);
    OFFSETS.forEach((offset, i) => writeSync(fd, Float64Array.of(i + 1), 0, 8, offset));
    closeSync(fd);
    return mapPath(path);
  };
  const mapping = (): Mapping => (mapped ??= sparse());
  let mapped: Mapping | undefined;

  test('gathers, reads and windows beyond 4 GiB', async () => {
    expect(native().mappingByteLength(mapping())).toBe(5 * GIBI);
    expect(native().currentFileSize(mapping())).toBe(5 * GIBI);
    const rowCount = (5 * GIBI) / 8;
    const segments = native().createSegments(
      mapping(),
      Float64Array.of(0, rowCount),
      Int32Array.of(8),
      Float64Array.of(0),
    );
    const rows = OFFSETS.map((offset) => offset / 8);
    for (const indices of [
      Float64Array.from(rows),
      Int32Array.from(rows),
      Float64Array.from(rows, (row) => row - rowCount),
      BigInt64Array.from(rows, BigInt),
    ]) {
      const out = new Float64Array(5);
      native().gatherSync(segments, Int32Array.of(0), indices, [out], null, 0);
      expect(Array.from(out)).toEqual([1, 2, 3, 4, 5]);
    }
    const range = new Float64Array(3);
    await native().gather(
      segments,
      Int32Array.of(0),
      { kind: 'range', start: (4 * GIBI) / 8 + 1, step: -1, count: 3 },
      [range],
      null,
      0,
    );
    expect(Array.from(range)).toEqual([4, 3, 2]);
    const copied = new Float64Array(5);
    native().copyRangesSync(
      mapping(),
      Float64Array.from(OFFSETS),
      new Float64Array(5).fill(8),
      copied,
      Float64Array.of(0, 8, 16, 24, 32),
      0,
    );
    expect(Array.from(copied)).toEqual([1, 2, 3, 4, 5]);
    native().readSync(mapping(), 4 * GIBI - 8, range);
    expect(Array.from(range)).toEqual([2, 3, 4]);
    expect(Array.from(new Float64Array(native().window(mapping(), 4 * GIBI - 8, 24)))).toEqual([2, 3, 4]);
    expect(new Float64Array(native().window(mapping(), 5 * GIBI - 8, 8))[0]).toBe(5);
    expect(native().advise(mapping(), 'random', 4 * GIBI + 1, GIBI - 1)).toBe(true);
  });

  test('more than 2^32 rows, in one segment and in several', () => {
    const rowCount = 5 * GIBI;
    const half = 2.5 * GIBI;
    const tables = [
      native().createSegments(mapping(), Float64Array.of(0, rowCount), Int32Array.of(1), Float64Array.of(0)),
      native().createSegments(mapping(), Float64Array.of(0, half, rowCount), Int32Array.of(1), Float64Array.of(0, 0)),
      native().createSegments(
        mapping(),
        Float64Array.of(0, 1, 2 ** 32 + 5, rowCount),
        Int32Array.of(1),
        Float64Array.of(0, 0, 0),
      ),
    ];
    // The high byte but one of 1, 2, 3, 4 and 5 as float64.
    const bytes = [0xf0, 0x00, 0x08, 0x10, 0x14];
    for (const segments of tables) {
      const rows = OFFSETS.map((offset) => offset + 6);
      for (const list of [rows, rows.map((row) => row - rowCount), rows.toReversed()]) {
        for (const indices of [Float64Array.from(list), BigInt64Array.from(list, BigInt)]) {
          const out = new Uint8Array(5);
          native().gatherSync(segments, Int32Array.of(0), indices, [out], null, 0);
          expect(Array.from(out)).toEqual(list[0] === rows[4] ? bytes.toReversed() : bytes);
        }
      }
      const out = new Uint8Array(2);
      native().gatherSync(
        segments,
        Int32Array.of(0),
        { kind: 'range', start: OFFSETS[3]! + 6, step: -8, count: 2 },
        [out],
        null,
        0,
      );
      expect(Array.from(out)).toEqual([0x10, 0x08]);
    }
  });

  test("a window longer than the runtime's buffers is an error, and what was mapped for it goes", () => {
    for (let i = 0; i < 3; i++) {
      try {
        expect(native().window(mapping(), 0, 5 * GIBI).byteLength).toBe(5 * GIBI);
      } catch (error) {
        expect(error).toMatchObject({ code: 'ERR_VIEW_TOO_LARGE' });
      }
    }
    expect(native().window(mapping(), 0, 4 * GIBI - 8).byteLength).toBe(4 * GIBI - 8);
  });
});

test.skipIf(!hasNative)("where external buffers are forbidden, Electron's rule, only windows are refused", () => {
  const path = temporaryPath('no-external.bin');
  const { stdout, stderr } = runChild('no-external-buffers.mjs', [path], { env: { COLKIT_NO_EXTERNAL_BUFFERS: '1' } });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    code: 'ERR_NO_EXTERNAL_BUFFERS',
    windows: 0,
    pooled: 1 << 20,
    row: (7 * 7919) % 1000,
  });
});
