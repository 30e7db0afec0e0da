// Which views share a window, and that however many are asked for, few are mapped.
import { spawnSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { MappedSource } from '@colkit/io';
import { SharedWindows } from '../../src/windows/shared-windows.ts';
import { IS_NATIVE } from '../support/backend.ts';
import { patternBytes, sameBytes, testFolder } from '../support/folder.ts';

const FILE = patternBytes(200_000);
const folder = testFolder();

/** Windows over a file in memory; each is a copy, as private as a mapping. */
function windowsOf(mayOpen = () => true) {
  const opened: [number, number][] = [];
  const open = (byteOffset: number, byteLength: number): Uint8Array => {
    opened.push([byteOffset, byteLength]);
    return FILE.slice(byteOffset, byteOffset + byteLength);
  };
  return { opened, windows: new SharedWindows(open, FILE.length, mayOpen) };
}

/** Takes a buffer's memory away, as a transfer does. */
function detach(buffer: ArrayBufferLike): void {
  setFlagsFromString('--allow-natives-syntax');
  (runInThisContext('(buffer) => %ArrayBufferDetach(buffer)') as (buffer: ArrayBufferLike) => void)(buffer);
  setFlagsFromString('--no-allow-natives-syntax');
}

describe('views', () => {
  const COLUMN = { byteOffset: 1003, byteLength: 8000 };

  test('of one stretch are parts of one buffer that holds nothing else', () => {
    const { opened, windows } = windowsOf();
    const whole = windows.view(1003, 8000, COLUMN);
    const part = windows.view(1003 + 80, 160, COLUMN);
    expect([whole.byteOffset, whole.buffer.byteLength, part.byteOffset, part.byteLength]).toEqual([0, 8000, 80, 160]);
    expect(part.buffer).toBe(whole.buffer);
    expect(sameBytes(part, FILE.subarray(1083, 1243))).toBe(true);
    expect(opened).toEqual([[1003, 8000]]);
  });

  test('of many stretches share large windows, in which each is aligned', () => {
    const { opened, windows } = windowsOf();
    for (let at = 0; at < 20_000; at++) {
      const view = windows.view(at, 16, { byteOffset: at, byteLength: 16 });
      expect(view.byteOffset % 8).toBe(0);
      if (!sameBytes(view, FILE.subarray(at, at + 16))) throw new Error(`bytes at ${String(at)}`);
    }
    expect(opened.length).toBe(256 + 8);
  });

  test('ever longer ones from one byte on', () => {
    const { opened, windows } = windowsOf();
    for (let byteLength = 1; byteLength < 20_000; byteLength++)
      expect(windows.view(5, byteLength, { byteOffset: 5, byteLength }).length).toBe(byteLength);
    expect(opened.length).toBe(256 + 1);
  });

  test('share at once where the process has many windows', () => {
    const { opened, windows } = windowsOf(() => false);
    windows.view(1003, 8000, COLUMN);
    windows.view(1003 + 16, 8, COLUMN);
    expect(opened).toEqual([[3, FILE.length - 3]]);
  });

  test.each([
    ['own', () => true],
    ['shared', () => false],
  ])('after the buffer of an earlier one was transferred: %s', (_, mayOpen) => {
    const { opened, windows } = windowsOf(mayOpen);
    const first = windows.view(1003, 8000, COLUMN);
    detach(first.buffer);
    expect(first.length).toBe(0);
    expect(sameBytes(windows.view(1003, 8000, COLUMN), FILE.subarray(1003, 9003))).toBe(true);
    expect(opened.length).toBe(2);
  });

  test('keep their window when it is forgotten', () => {
    const { opened, windows } = windowsOf();
    const view = windows.view(1003, 8000, COLUMN).fill(7);
    windows.release();
    expect(sameBytes(windows.view(1003, 8000, COLUMN), FILE.subarray(1003, 9003))).toBe(true);
    expect([opened.length, view[0]]).toEqual([2, 7]);
  });
});

describe.runIf(IS_NATIVE)('of a mapping', () => {
  test('a transferred buffer is replaced, and a file that shrank is noticed', () => {
    const source = MappedSource.openSync(folder.file('views', FILE));
    detach(source.view(0, 800).buffer);
    expect(sameBytes(source.view(0, 800), FILE.subarray(0, 800))).toBe(true);
    expect(source.view(8, 80, { byteOffset: 8, byteLength: 800 }).buffer.byteLength).toBe(800);
    source.close();
  });

  // In a process of its own: its windows are counted for all of it.
  test('more windows than the process may have are refused, long before the system refuses', () => {
    const script = `
      import * as io from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      const kept = [];
      try {
        for (let i = 0; i < 70_000; i++) {
          const source = io.MappedSource.openSync(process.env.TEST_FILE);
          kept.push(source.view(8, 80));
          source.close();
        }
      } catch (error) {
        // What the remedy says: a copy is had at once, and a view again once those that were dropped are given back.
        const source = io.MappedSource.openSync(process.env.TEST_FILE);
        const copy = new Uint8Array(80);
        source.readSync(8, copy);
        const views = kept.length;
        kept.length = 0;
        let again = null;
        for (let turn = 0; again === null && turn < 100; turn++) {
          globalThis.gc();
          await new Promise((resolve) => setTimeout(resolve, 10));
          try {
            again = source.view(8, 80);
          } catch {}
        }
        const isSame = again !== null && Buffer.compare(copy, again) === 0;
        console.log(JSON.stringify({ name: error.name, code: error.code, remedy: error.remedy, views, isSame }));
      }`;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--expose-gc', '--input-type=module', '-e', script],
      {
        env: { ...process.env, TEST_FILE: folder.file('many', FILE) },
        encoding: 'utf8',
      },
    );
    expect([status, stderr]).toEqual([0, '']);
    const { views, ...error } = JSON.parse(stdout) as { views: number };
    expect(error).toMatchObject({
      name: 'CannotViewError',
      code: 'ERR_TOO_MANY_VIEWS',
      isSame: true,
      remedy: expect.stringMatching(/copies.*event loop/) as unknown,
    });
    expect(views).toBeLessThanOrEqual(16_384);
    expect(views).toBeGreaterThan(1000);
  });
});
