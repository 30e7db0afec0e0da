// JSON in the addon: what its call answers, and arguments that it refuses. (That values are those of TypeScript is
// tested where JSON is read.)
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, native } from './support.ts';

const RECORDS = ['{"a":1,"bc":"x\\n\\u00e9"}', '{"bc":null,"a":-2.5}', '{ "a" : true }', '{"d":1}'];

const args = () => {
  const bytes = new TextEncoder().encode(RECORDS.join('\n'));
  const ends = RECORDS.map((_, record) => RECORDS.slice(0, record + 1).join('\n').length);
  return {
    bytes,
    bounds: Int32Array.from(ends.flatMap((end, record) => [end - (RECORDS[record] as string).length, end])),
    settings: Int32Array.of(0, 4, 1, 3, 2, 0, 0, 2, 4),
    names: new TextEncoder().encode('abc'),
    // Whatever the hash: both names in each slot's row.
    numbers: Int32Array.of(1, 2, 1, 2, 0, 1, 0, 1, 3, 1),
    starts: new Int32Array(15),
    ends: new Int32Array(15),
    flags: new Uint8Array(15),
    facts: new Uint32Array(4),
  };
};

const find = (given: ReturnType<typeof args>): number => {
  const { bytes, bounds, settings, names, numbers, starts, ends, flags, facts } = given;
  return native().findJsonMembers(bytes, bounds, settings, names, numbers, starts, ends, flags, facts);
};

describe.skipIf(!hasNative)('records of JSON', () => {
  test('findJsonMembers tells where values are, up to a record of another name', () => {
    const given = args();
    expect(find(given)).toBe(3);
    const cellAt = (row: number, column: number): unknown => {
      const cell = 3 * row + column;
      const text = new TextDecoder().decode(given.bytes.subarray(given.starts[cell], given.ends[cell]));
      return [text, given.flags[cell], given.starts[cell] !== 0];
    };
    expect([cellAt(1, 0), cellAt(1, 1)]).toEqual([
      ['1', 0, true],
      ['x\né', 1, true],
    ]);
    expect([cellAt(2, 0), cellAt(2, 1)]).toEqual([
      ['-2.5', 0, true],
      ['', 0, true],
    ]);
    expect([cellAt(3, 0), cellAt(3, 1)]).toEqual([
      ['true', 0, true],
      ['', 0, false],
    ]);
    expect([...given.facts]).toEqual([3, 4 | 16 | 2, 1, 128 | 1]);
  });

  test('names that are not known are passed over', () => {
    const given = args();
    given.settings[5] = 1;
    expect(find(given)).toBe(4);
  });

  test('findJsonMembers refuses records and cells that have no room', () => {
    const refused = (change: (given: ReturnType<typeof args>) => void): unknown => {
      const given = args();
      change(given);
      return errorOf(() => find(given));
    };
    expect(refused((given) => (given.settings = new Int32Array(8)))).toMatchObject({ argument: 'settings' });
    expect(refused((given) => (given.settings[0] = -1))).toMatchObject({ argument: 'settings' });
    expect(refused((given) => (given.settings[1] = 5))).toMatchObject({ argument: 'bounds' });
    expect(refused((given) => (given.bounds[7] = 1000))).toMatchObject({ argument: 'bounds' });
    expect(refused((given) => (given.bounds[6] = 2 ** 30))).toMatchObject({ argument: 'bounds' });
    expect(refused((given) => (given.starts = new Int32Array(14)))).toMatchObject({ code: 'ERR_OUT_BUFFER' });
    expect(refused((given) => (given.settings[2] = 2))).toMatchObject({ code: 'ERR_OUT_BUFFER' });
    expect(refused((given) => (given.settings[4] = 4))).toMatchObject({ argument: 'settings' });
    expect(refused((given) => (given.facts = new Uint32Array(3)))).toMatchObject({ code: 'ERR_OUT_BUFFER' });
    expect(refused((given) => (given.settings[7] = 3))).toMatchObject({ argument: 'numbers' });
    expect(refused((given) => (given.settings[8] = 3))).toMatchObject({ argument: 'numbers' });
  });

  test('a table of names that errs finds nothing', () => {
    const given = args();
    given.numbers.set([9, -5, 2 ** 31 - 1, 7, -1, 2, 5, 0, 2 ** 30, 9]);
    expect(find(given)).toBe(0);
    given.numbers.set([1, 1, 1, 1, 0, 1, 900, 1, 3, -9]);
    expect(find(given)).toBe(0);
  });
});
