// CSV in the addon: what its calls answer, and arguments that they refuse. (That values are those of TypeScript is
// tested where CSV is read.)
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, native } from './support.ts';

const bytes = new TextEncoder().encode('1,a\n22,"b"\n,a\n');
const settings = (over: Partial<Record<0 | 1 | 2 | 3 | 4, number>> = {}): Int32Array =>
  Int32Array.from([44, 34, 2, 1, 1], (value, at) => over[at as 0] ?? value);

interface Cells {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
  readonly lines: Int32Array;
  readonly facts: Int32Array;
}

const room = (cells = 8, rows = 8): Cells => ({
  starts: new Int32Array(cells),
  ends: new Int32Array(cells),
  flags: new Uint8Array(cells),
  lines: new Int32Array(rows),
  facts: new Int32Array(4),
});
const find = (given: Cells, with_ = settings(), of = bytes): number =>
  native().findCsvCells(of, with_, given.starts, given.ends, given.flags, given.lines, given.facts);

describe.skipIf(!hasNative)('blocks of CSV', () => {
  test('findCsvCells tells where cells are', () => {
    const found = room();
    expect(find(found)).toBe(0);
    expect([...found.facts]).toEqual([bytes.length, 3, 3, 1]);
    expect([...found.starts.subarray(0, 6)]).toEqual([0, 2, 4, 8, 11, 12]);
    expect([...found.ends.subarray(0, 6)]).toEqual([1, 3, 6, 9, 11, 13]);
    expect([...found.flags.subarray(0, 6)]).toEqual([0, 0, 0, 1, 0, 0]);
    expect(find(room(5))).toBe(1);
    expect(find(room(8, 2))).toBe(1);
    expect(find(room(), settings({ 2: 3 }))).toBe(2);
    expect(find(room(), settings({ 1: -1 }))).toBe(0);
  });

  test('findCsvCells refuses what has no room, or no columns', () => {
    expect(errorOf(() => find(room(), settings({ 2: 0 })))).toMatchObject({ argument: 'settings' });
    expect(errorOf(() => find(room(), new Int32Array(4)))).toMatchObject({ argument: 'settings' });
    expect(errorOf(() => find({ ...room(), ends: new Int32Array(7) }))).toMatchObject({ argument: 'ends' });
    expect(errorOf(() => find({ ...room(), flags: new Uint8Array(7) }))).toMatchObject({ argument: 'ends' });
    expect(errorOf(() => find({ ...room(), facts: new Int32Array(3) }))).toMatchObject({ code: 'ERR_OUT_BUFFER' });
  });

  const found = room();
  const parse = (
    over: {
      readonly plan?: readonly number[];
      readonly out?: Uint8Array;
      readonly texts?: Uint8Array;
      readonly results?: Uint32Array;
      readonly starts?: Int32Array;
    } = {},
  ): { readonly left: number; readonly out: Uint8Array; readonly texts: Uint8Array; readonly results: Uint32Array } => {
    find(found);
    const plan = Uint32Array.from(over.plan ?? [3, 2, 34, 1, 3, 0, 24, 1, 32, 40, 0]);
    const { out = new Uint8Array(48), texts = new Uint8Array(64), results = new Uint32Array(18) } = over;
    const left = native().parseCsvColumns(
      bytes,
      over.starts ?? found.starts,
      found.ends,
      found.flags,
      plan,
      out,
      texts,
      results,
    );
    return { left, out, texts, results };
  };

  test('parseCsvColumns gives values, codes and texts', () => {
    const { left, out, texts, results } = parse();
    expect(left).toBe(0);
    expect([...results.subarray(0, 7)]).toEqual([0, 2 | 4, 1, 0, 0, 0, 0]);
    expect([...results.subarray(7, 14)]).toEqual([0, 0, 0, 2, 2, 1, 0]);
    expect([...new BigInt64Array(out.buffer, 0, 3), out[24]]).toEqual([1n, 22n, 0n, 0b011]);
    expect([...new Uint16Array(out.buffer, 32, 3), out[40]]).toEqual([0, 1, 0, 0b111]);
    expect([...new Uint32Array(texts.buffer, 0, 2), ...texts.subarray(8, 10)]).toEqual([1, 2, 97, 98]);
    // In shared memory too.
    const shared = new Uint8Array(new SharedArrayBuffer(48));
    expect([...parse({ out: shared }).out]).toEqual([...out]);
    // A cell is no number, or texts have no room: the caller does it.
    expect(parse({ plan: [3, 2, 34, 1, 0, 0, 0, 3, 0, 24, 0] }).results[7]).toBe(1);
    expect(parse({ texts: new Uint8Array(9) }).results[7]).toBe(1);
    expect(parse({ texts: new Uint8Array(10) }).results[7]).toBe(0);
  });

  test('parseCsvColumns refuses plans and cells that are none', () => {
    const refusal = (over: Parameters<typeof parse>[0]): unknown => errorOf(() => parse(over));
    expect(refusal({ plan: [3, 2, 34] })).toMatchObject({ argument: 'plan' });
    expect(refusal({ plan: [5, 2, 34, 0, 3, 0, 24, 1, 32, 40] })).toMatchObject({ argument: 'plan' });
    expect(refusal({ plan: [3, 0, 34, 0] })).toMatchObject({ argument: 'plan' });
    expect(refusal({ plan: [3, 2, 34, 0, 3, 0, 24, 1, 32] })).toMatchObject({ argument: 'plan' });
    expect(refusal({ plan: [3, 2, 34, 0, 7, 0, 24, 1, 32, 40] })).toMatchObject({ argument: 'plan' });
    expect(refusal({ plan: [3, 2, 34, 1, 3, 0, 24, 1, 32, 40] })).toMatchObject({ argument: 'plan' });
    expect(refusal({ plan: [3, 2, 34, 1, 3, 0, 24, 1, 32, 40, 2, 1] })).toMatchObject({ argument: 'plan' });
    expect(refusal({ plan: [3, 2, 34, 0, 3, 25, 24, 1, 32, 40] })).toMatchObject({ argument: 'out' });
    expect(refusal({ plan: [3, 2, 34, 0, 3, 0, 48, 1, 32, 40] })).toMatchObject({ argument: 'out' });
    expect(refusal({ plan: [3, 2, 34, 0, 3, 4294967295, 24, 1, 32, 40] })).toMatchObject({ argument: 'out' });
    expect(refusal({ results: new Uint32Array(13) })).toMatchObject({ argument: 'results' });
    expect(refusal({ starts: Int32Array.of(0, 2, 4, 8, 99, 12) })).toMatchObject({ argument: 'starts' });
    expect(refusal({ starts: Int32Array.of(-1, 2, 4, 8, 11, 12) })).toMatchObject({ argument: 'starts' });
  });
});
