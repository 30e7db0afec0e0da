// decodePages: a page made by hand, what is left to the caller, and arguments that would read or write elsewhere.
import { describe, expect, test } from 'vitest';
import { JOB } from '../scripts/page-program-table.mjs';
import { CODES, INT32, STRING, fileWith, jobOf } from './page-file.ts';
import type { Job } from './page-file.ts';
import { errorOf, hasNative, mapBytes, native } from './support.ts';

const items = new Uint8Array(Int32Array.of(7, -8, 9).buffer);

describe.skipIf(!hasNative)('decodePages', () => {
  test('writes the items of the rows that are asked for, and says how many values there are', async () => {
    const { bytes, byteLength } = fileWith(items);
    const { mapping } = mapBytes(bytes);
    const out = new Int32Array(4).fill(1);
    const results = new Float64Array(6);
    native().decodePagesSync(mapping, jobOf(byteLength, { start: 1, outputOffset: 4 }), results, [out], true, 0);
    expect([...out]).toEqual([1, -8, 9, 1]);
    expect([...results.subarray(0, 2)]).toEqual([1, 3]);
    out.fill(1);
    await native().decodePages(mapping, jobOf(byteLength), results, [out], true, 0);
    expect([...out]).toEqual([7, -8, 9, 1]);
  });

  test('gives numbers with the line through them, and codes by row with -1 for a null', () => {
    const numbers = fileWith(items);
    const results = new Float64Array(6);
    const out = new Uint32Array(4).fill(1);
    native().decodePagesSync(
      mapBytes(numbers.bytes).mapping,
      jobOf(numbers.byteLength, { form: 1 }),
      results,
      [out],
      true,
      0,
    );
    expect([...out]).toEqual([7, 2 ** 32 - 8, 9, 1]);
    expect([...results]).toEqual([1, 3, 0, 1, 2 ** 32, -1]);
    // Rows: code 4, null, code 1. A bitmap and the codes, each a PLAIN node of bytes.
    const codes = fileWith(
      Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0b101, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0),
      { values: 2, type: STRING, encoding: CODES, parameter: 0 },
    );
    const bitmap = Uint8Array.of(99, 99);
    const job = jobOf(codes.byteLength, {
      form: 1,
      typeId: STRING,
      validityOutput: 1,
      validityOffset: 1,
      hasDictionary: 1,
    });
    native().decodePagesSync(mapBytes(codes.bytes).mapping, job, results, [out, bitmap], true, 0);
    expect([...new Int32Array(out.buffer)]).toEqual([4, -1, 1, 1]);
    expect([...bitmap]).toEqual([99, 0b101]);
    expect([results[0], results[1], results[4], results[5]]).toEqual([1, 2, 5, -2]);
  });

  test('looks codes up among entries with nulls, which are told as bits', () => {
    // Rows: codes 3, 0, 2.
    const codes = fileWith(Uint8Array.of(0, 0, 0, 0, 3, 0, 0, 0, 3, 0, 2, 0, 0, 0, 0, 0), {
      type: STRING,
      encoding: CODES,
      parameter: 0,
    });
    const { mapping } = mapBytes(codes.bytes);
    const out = new Int32Array(4).fill(1);
    const bitmap = Uint8Array.of(99, 99);
    // 70, null, -80, null: what is there for a null does not count.
    const entries = new BigInt64Array(5).fill(9n);
    entries.set([70n, 5n, -80n, 6n]);
    new Uint8Array(entries.buffer)[32] = 0b0101;
    const rows = Uint32Array.of(2, 0, 2);
    const job: Job = {
      typeId: STRING,
      hasDictionary: 1,
      codesOnly: 1,
      validityOutput: 1,
      validityOffset: 1,
      entryCount: 4,
      entriesOutput: 2,
      entryTypeId: INT32,
      entryNulls: 1,
    };
    const run = (more: Job = {}): number[] => {
      out.fill(1);
      const results = new Float64Array(6);
      const jobs = jobOf(codes.byteLength, { ...job, ...more });
      native().decodePagesSync(mapping, jobs, results, [out, bitmap, entries, rows], true, 0);
      return [...results.subarray(0, 2)];
    };
    expect(run()).toEqual([1, 2]);
    expect([...out]).toEqual([0, 70, -80, 1]);
    expect([...bitmap]).toEqual([99, 0b110]);
    expect(run({ start: 1, end: 2 })).toEqual([1, 1]);
    expect([...out]).toEqual([70, 1, 1, 1]);
    expect(bitmap[1]).toBe(0b010);
    expect(run({ listed: 3, testOutput: 3 })).toEqual([1, 2]);
    expect([...out]).toEqual([-80, 0, -80, 1]);
    expect(bitmap[1]).toBe(0b101);
    // A code without an entry, and values where codes are to be.
    expect(run({ entryCount: 3 })[0]).toBe(0);
    const values = fileWith(items);
    const results = new Float64Array(6);
    const jobs = jobOf(values.byteLength, { ...job, typeId: INT32 });
    native().decodePagesSync(mapBytes(values.bytes).mapping, jobs, results, [out, bitmap, entries], true, 0);
    expect(results[0]).toBe(0);
    for (const wrong of [{ entryNulls: 2 }, { validityOutput: -1 }, { entryCount: 5 }] as const)
      expect(errorOf(() => run(wrong))).toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  test('narrows rows page after page, each time to those that pass a test', () => {
    const { bytes, byteLength } = fileWith(items);
    const { mapping } = mapBytes(bytes);
    const out = new Int32Array(4).fill(1);
    // From -8 on and up to 15 above it; exactly 7.
    const tests = BigUint64Array.of(BigInt.asUintN(64, -8n), 15n, 7n, 0n);
    const select = { form: 2, testOutput: 1, testLength: 16 } as const;
    const run = (...jobs: Job[]): number[][] => {
      const results = new Float64Array(6 * jobs.length).fill(9);
      native().decodePagesSync(
        mapping,
        Float64Array.from(jobs.flatMap((job) => [...jobOf(byteLength, job)])),
        results,
        [out, tests],
        true,
        0,
      );
      return jobs.map((_, i) => [...results.subarray(6 * i, 6 * i + 2)]);
    };
    expect(run(select)).toEqual([[1, 2]]);
    expect([...out]).toEqual([0, 1, 1, 1]);
    expect(run({ ...select, start: 1 })).toEqual([[1, 1]]);
    expect([...out]).toEqual([1, 1, 1, 1]);
    out.fill(1);
    const seven = { ...select, testOffset: 16 } as const;
    expect(run(select, { ...seven, follows: 1 })).toEqual([
      [1, 2],
      [1, 1],
    ]);
    expect([...out]).toEqual([0, 1, 1, 1]);
    // What is left of a page that was left is what the job before found; and where no row is left, the next page is not
    // looked at.
    expect(run(select, { ...seven, follows: 1, column: 6 }, { ...seven, follows: 1 }).map(([state]) => state)).toEqual([
      1, 0, 0,
    ]);
    expect([...out]).toEqual([0, 1, 1, 1]);
    expect(run({ ...seven, start: 1 }, { ...select, start: 1, follows: 1, column: 6 })).toEqual([
      [1, 0],
      [2, 0],
    ]);
    tests[1] = 17n;
    expect(run(select)).toEqual([[1, 3]]);
  });

  test('numbers rows by their values, and folds other columns by these numbers', () => {
    const codes = fileWith(Uint8Array.of(0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0), {
      type: STRING,
      encoding: CODES,
      parameter: 0,
    });
    const numbers = fileWith(items);
    const bytes = new Uint8Array(codes.bytes.length + numbers.byteLength);
    bytes.set(codes.bytes);
    bytes.set(numbers.bytes.subarray(4), codes.bytes.length);
    const { mapping } = mapBytes(bytes);
    const out = new BigInt64Array(64);
    const rows = Uint32Array.of(1, 2);
    const run = (...jobs: Float64Array[]): Float64Array => {
      const results = new Float64Array(6 * jobs.length);
      native().decodePagesSync(
        mapping,
        Float64Array.from(jobs.flatMap((job) => [...job])),
        results,
        [out, rows],
        true,
        0,
      );
      return results;
    };
    const groups = (job: Job = {}): Float64Array =>
      jobOf(codes.byteLength, { form: 3, typeId: STRING, hasDictionary: 1, testLength: 4, ...job });
    const folds = (job: Job = {}): Float64Array =>
      jobOf(numbers.byteLength, {
        form: 4,
        byteOffset: codes.bytes.length,
        outputOffset: 96,
        follows: 1,
        testLength: 4,
        wanted: 3,
        ...job,
      });
    // Codes are 2, 0, 2 and numbers 7, -8, 9.
    const results = run(groups(), folds());
    expect([results[0], results[1], results[6], results[11]]).toEqual([1, 3, 1, -3]);
    const records = new Uint32Array(out.buffer, 0, 18);
    const [first, unmet, third] = [0, 6, 12].map((at) => [...records.subarray(at, at + 6)]);
    expect([first, unmet?.[4], third]).toEqual([[0, 0, 0, 1, 1, 0], 0, [2, 0, 0, 0, 2, 0]]);
    const folded = new Float64Array(out.buffer, 96, 21);
    expect([...folded.subarray(0, 1), ...folded.subarray(3, 7)]).toEqual([1, -8, -8, 0, 0]);
    expect((folded[1] as number) + 2 ** 32 * (folded[2] as number)).toBe(-8);
    expect([...folded.subarray(14)]).toEqual([2, 16, 0, 7, 9, 0, 0]);
    // All rows as one group; and the rows that are listed alone.
    expect(run(folds({ follows: 0, testLength: 1 }))[0]).toBe(1);
    expect([...folded.subarray(0, 1), ...folded.subarray(3, 5)]).toEqual([3, -8, 9]);
    run(folds({ follows: 0, testLength: 1, testOutput: 1, listed: 2, wanted: 1 }));
    expect([folded[0], (folded[1] as number) + 2 ** 32 * (folded[2] as number)]).toEqual([2, 1]);
    // A list that is not ascending, or beyond the rows; fewer numbers than there is room for: left, and what follows.
    for (const list of [
      [2, 1],
      [1, 1],
      [1, 3],
    ]) {
      rows.set(list);
      expect(run(groups({ testOutput: 1, listed: 2 }))[0]).toBe(0);
    }
    const small = run(groups({ testLength: 1 }), folds());
    expect([small[0], small[6]]).toEqual([0, 0]);
    expect(errorOf(() => run(folds({ follows: 0, wanted: 5 })))).toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(errorOf(() => run(folds({ follows: 0, testLength: 1025 })))).toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(errorOf(() => run(groups({ testOutput: 1, listed: 4 })))).toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  test('leaves a page that is not as expected, or of a form that it does not know', () => {
    const left = (file: { bytes: Uint8Array; byteLength: number }, job: Job = {}, verifyCrc = true): boolean => {
      const results = new Float64Array(6).fill(9);
      native().decodePagesSync(
        mapBytes(file.bytes).mapping,
        jobOf(file.byteLength, job),
        results,
        [new Int32Array(8)],
        verifyCrc,
        0,
      );
      return results[0] === 0;
    };
    const file = fileWith(items);
    expect(left(file)).toBe(false);
    expect(left(file, { column: 6 })).toBe(true);
    expect(left(file, { rowCount: 4 })).toBe(true);
    expect(left(file, { typeId: 4, end: 2 })).toBe(true);
    expect(left(fileWith(items, { codec: 1 }))).toBe(true);
    expect(left(fileWith(items, { encoding: 77 }))).toBe(true);
    expect(left(fileWith(items, { parameter: 1 }))).toBe(true);
    expect(left(fileWith(items.subarray(0, 11)))).toBe(true);
    expect(left(fileWith(items, { values: 2 }))).toBe(true);
    expect(left(fileWith(items, { values: 4 }))).toBe(true);
    const damaged = { ...file, bytes: file.bytes.slice() };
    damaged.bytes[33]! ^= 1;
    expect(left(damaged)).toBe(true);
    expect(left(damaged, {}, false)).toBe(false);
    expect(left({ bytes: file.bytes, byteLength: file.byteLength - 8 })).toBe(true);
    expect(left({ bytes: file.bytes, byteLength: 0 })).toBe(true);
  });

  test('refuses jobs outside of the file and the outputs, and writes nothing', async () => {
    const { bytes, byteLength } = fileWith(items);
    const { mapping } = mapBytes(bytes);
    const out = new Int32Array(4).fill(1);
    const wrong: Job[] = [
      { byteOffset: bytes.length },
      { byteOffset: -1 },
      { byteOffset: 0.5 },
      { byteOffset: NaN },
      { byteLength: bytes.length },
      { rowCount: 0 },
      { rowCount: 65537 },
      { start: 2, end: 1 },
      { end: 4 },
      { form: 5 },
      { output: 1 },
      { output: -1 },
      { outputOffset: 8 },
      { outputOffset: 2 },
      { outputOffset: 2 ** 60 },
      { typeId: 15 },
      { typeId: STRING },
      { validityOutput: 1 },
      { validityOutput: 0, validityOffset: 16 },
      { hasDictionary: 2 },
      { codesOnly: 2 },
      { form: 1, outputOffset: 4 },
      { form: 2, testLength: 8 },
      { form: 2, testLength: 24 },
      { form: 2, testLength: 16, testOutput: 1 },
      { form: 2, testLength: 16, testOffset: 8 },
      { form: 2, testLength: 16, follows: 1 },
      { form: 3 },
      { form: 3, testLength: 1025 },
      { form: 3, testLength: 3 },
      { form: 4, testLength: 1 },
      { form: 4, testLength: 1, follows: 1 },
      { follows: 1 },
      { follows: 2 },
    ];
    for (const job of wrong) {
      const jobs = Float64Array.from([...jobOf(byteLength), ...jobOf(byteLength, job)]);
      expect(
        errorOf(() => native().decodePagesSync(mapping, jobs, new Float64Array(12), [out], true, 0)),
        JSON.stringify(job),
      ).toMatchObject({ code: 'ERR_ARGUMENT', message: expect.stringContaining('position 1') as string });
    }
    expect([...out]).toEqual([1, 1, 1, 1]);
    const results = new Float64Array(6);
    expect(
      errorOf(() => native().decodePagesSync(mapping, new Float64Array(JOB.length - 1), results, [out], true, 0)),
    ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'jobs' });
    expect(
      errorOf(() => native().decodePagesSync(mapping, jobOf(byteLength), new Float64Array(5), [out], true, 0)),
    ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'results' });
    expect(
      errorOf(() => native().decodePagesSync(mapping, jobOf(byteLength), results, 7 as never, true, 0)),
    ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'outs' });
    expect(
      errorOf(() => native().decodePagesSync(mapping, jobOf(byteLength), results, [out], 'yes' as never, 0)),
    ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'verifyCrc' });
    native().decodePagesSync(mapping, new Float64Array(0), new Float64Array(0), [], true, 0);
    native().closeMapping(mapping);
    await expect(native().decodePages(mapping, jobOf(byteLength), results, [out], true, 0)).rejects.toMatchObject({
      code: 'ERR_CLOSED',
    });
  });
});
