// Raw programs from JavaScript: what is no program is refused with a code and nothing is written, an answer is that of
// the plainest loop, and a file that shrinks is an error.
import { spawnSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { as, detached, errorOf, hasNative, mapBytes, native } from './support.ts';

const ROWS = 300_000;
const FOLD_NUMBERS = 74;
/** One column of int32; rows [5, 299,000); those that are not in [-100, 100], their sum. */
const PROGRAM = [1, 1, 1, 1, 1, 0, 0, 0, 3, 0, 5, 299_000, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
const bounds = (): Uint8Array => new Uint8Array(Int32Array.of(-100, 0, 100, 0).buffer);

function table(): {
  readonly path: string;
  readonly values: Int32Array;
  readonly segments: ReturnType<ReturnType<typeof native>['createSegments']>;
} {
  const values = Int32Array.from({ length: ROWS }, (_, row) => ((row * 7919) % 1001) - 500);
  const { mapping, path } = mapBytes(new Uint8Array(values.buffer));
  const segments = native().createSegments(mapping, Float64Array.of(0, ROWS), Int32Array.of(4), Float64Array.of(0));
  return { path, values, segments };
}

test('the generated constants are those of the table', () => {
  const script = fileURLToPath(new URL('../scripts/generate-raw-program.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

describe.skipIf(!hasNative)('runRaw', () => {
  test('finds rows and adds them up, in both forms and with any number of threads', async () => {
    const { values, segments } = table();
    const rows = Array.from({ length: 299_000 - 5 }, (_, row) => row + 5).filter((row) => Math.abs(values[row]!) > 100);
    const total = rows.reduce((sum, row) => sum + values[row]!, 0);
    for (const workers of [0, 1, 3]) {
      for (const run of ['runRaw', 'runRawSync'] as const) {
        const bits = new Uint8Array(Math.ceil((299_000 - 5) / 8));
        const results = new Float64Array(2 + FOLD_NUMBERS);
        await native()[run](segments, Float64Array.from(PROGRAM), bounds(), bits, results, workers);
        expect(results[0]).toBe(rows.length);
        expect(results[5]! * 2 ** 64 + results[4]! * 2 ** 32 + results[3]!).toBe(total);
        const found: number[] = [];
        for (let row = 5; row < 299_000; row += 1)
          if (((bits[(row - 5) >> 3]! >> ((row - 5) & 7)) & 1) === 1) found.push(row);
        expect(found).toEqual(rows);
      }
    }
  });

  test('refuses what is no program, and writes nothing', async () => {
    const { segments } = table();
    const room = new Uint8Array(40_000);
    const results = new Float64Array(2 + FOLD_NUMBERS).fill(7);
    const call = (
      program: unknown,
      constants: unknown = bounds(),
      bits: unknown = room,
      out: unknown = results,
    ): Error => errorOf(() => native().runRawSync(segments, as(program), as(constants), as(bits), as(out), 0));
    const changed = (index: number, value: number): Float64Array => Float64Array.from(PROGRAM.with(index, value));
    for (const [index, ...wrong] of [
      [0, -1, 0.5, 2, 1e9, NaN],
      [1, -1, 2, Infinity],
      [2, 2, 257, -0.5],
      [3, 0, 65],
      [4, 2],
      [5, 1, 17],
      [6, 1, 16_385],
      [7, 1, -1],
      [8, 4, 15, 13],
      [9, 2],
      [10, -1, 300_000, 1.5],
      [11, 300_001, 4, 2 ** 53],
      [12, 2, 4, 6],
      [13, 1],
      [14, 2],
      [15, 1, 16, -4],
      [21, 1],
      [22, 3],
    ] as const) {
      for (const value of wrong)
        expect(call(changed(index, value)), `${index}: ${value}`).toMatchObject({ code: 'ERR_ARGUMENT' });
    }
    const good = Float64Array.from(PROGRAM);
    expect(call(new Float64Array(0))).toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(call([1])).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'program' });
    expect(call(Float64Array.of(...PROGRAM, 1))).toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(call(good, new Uint8Array(15))).toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(call(good, 'constants')).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'constants' });
    expect(call(good, bounds(), new Uint8Array(37_374))).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'bits' });
    expect(call(good, bounds(), room, new Float64Array(74))).toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'results',
    });
    expect(call(good, bounds(), room, detached(new Float64Array(76)))).toHaveProperty('code');
    expect(errorOf(() => native().runRawSync(as({}), good, bounds(), room, results, 0))).toMatchObject({
      argument: 'segments',
    });
    await expect(native().runRaw(segments, changed(11, 300_001), bounds(), room, results, 0)).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
    });
    const resizable = new Uint8Array(
      Reflect.construct(ArrayBuffer, [40_000, { maxByteLength: 80_000 }]) as ArrayBuffer,
    );
    await expect(native().runRaw(segments, good, bounds(), resizable, results, 0)).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
    });
    expect([...new Set([...room])]).toEqual([0]);
    expect([...new Set([...results])]).toEqual([7]);
  });

  test('a file that shrinks is an error in both forms', async () => {
    const { path, segments } = table();
    truncateSync(path, 4096);
    const parameters = [
      segments,
      Float64Array.from(PROGRAM),
      bounds(),
      new Uint8Array(40_000),
      new Float64Array(2 + FOLD_NUMBERS),
      2,
    ] as const;
    expect(errorOf(() => native().runRawSync(...parameters))).toMatchObject({ code: 'ERR_FILE_CHANGED' });
    await expect(native().runRaw(...parameters)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  });
});
