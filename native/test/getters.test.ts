// Arguments whose getters take memory away from other arguments while the call reads them: found by the fuzzer as reads
// and writes of freed memory. All of the caller's code runs before the first
// address is taken, so that what is gone is refused and nothing is written. (Under the fuzzer's sanitizers a wrong
// order is a crash; here it is a call that goes through.)
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, makeTable, native } from './support.ts';

const detach = ({ buffer }: ArrayBufferView): void =>
  void structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
const as = (value: unknown): never => value as never;

/** An array of outputs whose last one is a getter. */
function trapped<T>(outs: readonly T[], rob: () => void): T[] {
  const list = [...outs];
  const last = outs.length - 1;
  return Object.defineProperty(list, last, {
    get: () => {
      rob();
      return outs[last];
    },
  });
}

describe.skipIf(!hasNative)('getters that detach', () => {
  const { segments, mapping } = makeTable([100], [8, 8]);
  const columns = () => Int32Array.of(0, 1);

  test('an output that is read later takes an earlier one, the columns or the indices', () => {
    const first = new Float64Array(3);
    const rows = Float64Array.of(1, 2, 3);
    for (const [numbers, gone] of [
      [columns(), first],
      [columns(), rows],
    ] as const) {
      const outs = trapped([first, new Float64Array(3)], () => detach(gone));
      const error = errorOf(() => native().gatherSync(segments, numbers, rows, as(outs), null, 0));
      expect([error.code, error.message]).toEqual(['ERR_ARGUMENT', expect.stringContaining('detached') as unknown]);
    }
    const numbers = columns();
    expect(
      errorOf(() =>
        native().gatherSync(
          segments,
          numbers,
          Float64Array.of(1),
          as(trapped([new Float64Array(1), new Float64Array(1)], () => detach(numbers))),
          null,
          0,
        ),
      ).code,
    ).toBe('ERR_ARGUMENT');
  });

  test('a property of the rows takes the mask, the indices or the columns', () => {
    const mask = new Uint8Array(100);
    const take = (array: ArrayBufferView, value: unknown) => ({
      get: () => {
        detach(array);
        return value;
      },
    });
    const masked = Object.defineProperty({ kind: 'mask', mask }, 'count', take(mask, 0));
    expect(
      errorOf(() => native().gatherSync(segments, Int32Array.of(0), as(masked), [new Float64Array(0)], null, 0))
        .message,
    ).toContain('detached');
    const numbers = Int32Array.of(0);
    const ranged = Object.defineProperty({ kind: 'range', step: 1, count: 1 }, 'start', take(numbers, 0));
    expect(
      errorOf(() => native().gatherSync(segments, numbers, as(ranged), [new Float64Array(1)], null, 0)).message,
    ).toContain('detached');
  });

  test('an output of decodePages takes the jobs or the results', () => {
    for (const which of ['jobs', 'results']) {
      const [jobs, results] = [new Float64Array(17), new Float64Array(6)];
      const outs = trapped([new Float64Array(8)], () => detach(which === 'jobs' ? jobs : results));
      expect(errorOf(() => native().decodePagesSync(mapping, jobs, results, as(outs), true, 0)).message).toContain(
        'detached',
      );
    }
  });

  test('a resizable output is one, whatever its property says', async () => {
    const buffer = new (ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer)(24, {
      maxByteLength: 100,
    });
    const out = Object.defineProperty(new Float64Array(buffer), 'buffer', { value: {} });
    await expect(
      native().gather(segments, Int32Array.of(0), Float64Array.of(1, 2, 3), [out], null, 0),
    ).rejects.toMatchObject({ code: 'ERR_ARGUMENT', found: 'a resizable one' });
  });

  test('an array that says that it has 2^32 - 1 elements is refused before memory is taken for them', () => {
    const outs = Object.assign([], { length: 2 ** 32 - 1 });
    expect(
      errorOf(() => native().gatherSync(segments, columns(), Float64Array.of(1), as(outs), null, 0)).message,
    ).toContain('at most 1048576 elements');
    expect(
      errorOf(() => native().decodePagesSync(mapping, new Float64Array(0), new Float64Array(0), as(outs), true, 0))
        .message,
    ).toContain('at most 1048576 elements');
  });
});
