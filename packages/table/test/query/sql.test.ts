// What SQL and Python writers type: patterns, comparisons that know null, integer division, powers and bits.
import { QueryError } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { col } from '../../src/index.ts';
import { tableFrom } from '../support/tables.ts';

const NAMES = ['', 'a', 'ab', 'a%b', 'a_b', 'A', 'aab', '\u{1f600}', 'x\u{1f600}y', '\ufeffbom', 'b\nc', 'Straße'];
const names = tableFrom({ name: ['string', NAMES], fixed: ['U6', NAMES], id: ['int32', NAMES.map((_, row) => row)] });

function matching(predicate: string): unknown {
  return names.where(predicate).toColumnsSync()['name'];
}

describe('like', () => {
  it.each([
    ["like 'a%'", ['a', 'ab', 'a%b', 'a_b', 'aab']],
    ["like '%b'", ['ab', 'a%b', 'a_b', 'aab']],
    ["like 'a_b'", ['a%b', 'a_b', 'aab']],
    ["like 'a!_b' escape '!'", ['a_b']],
    ["like 'a\\\\%b' escape '\\\\'", ['a%b']],
    ["like '%a%b%'", ['ab', 'a%b', 'a_b', 'aab']],
    ["like '_'", ['a', 'A', '\u{1f600}']],
    ["like '__'", ['ab']],
    ["like 'x_y'", ['x\u{1f600}y']],
    ["like '%_\u{1f600}%'", ['x\u{1f600}y']],
    ["like 'b%c'", ['b\nc']],
    ["like '\ufeff%'", ['\ufeffbom']],
    ["ilike 'A'", ['a', 'A']],
    ["ilike 'STRA%E'", ['Straße']],
    ["like ''", ['']],
    ["like '%'", NAMES],
    ["not like '%a%'", ['', 'A', '\u{1f600}', 'x\u{1f600}y', '\ufeffbom', 'b\nc']],
    ["like '%_b_%'", ['\ufeffbom']],
    ["like 'aab%aab'", []],
    ["like 'a%ab'", ['aab']],
  ])('%s', (predicate, expected) => {
    expect(matching(`name ${predicate}`)).toEqual(expected);
    // Texts of fixed width, which are no strings yet.
    expect(matching(`fixed ${predicate}`)).toEqual(expected);
  });

  // What DuckDB says of each: lower case code point by code point.
  it.each([
    ['ΟΔΟΣ', 'ΟΔΟΣ', true],
    ['ΟΔΟΣ', 'οδοσ', true],
    ['ΟΔΟΣ', 'οδος', false],
    ['ΟΔΟΣ ΟΔΟΣ', '%δοΣ', true],
    ['Σ', 'σ', true],
    ['ς', 'σ', false],
    ['İ', '_', true],
    ['İ', 'i', true],
    ['İ', 'İ', true],
    ['aİb', 'A_B', true],
    ['İİ', '%i', true],
    ['\u212a', 'k', true],
    ['ẞ', 'ß', true],
    ['I', 'ı', false],
    ['\u{10400}', '\u{10428}', true],
    ['aΣ', '%Σ%', true],
  ])('%s ilike %s is %s', (text, pattern, expected) => {
    const table = tableFrom({ t: ['string', [text]] });
    expect(table.where(col('t').ilike(pattern)).countSync()).toBe(Number(expected));
    expect(table.where('@text ilike @pattern', { text, pattern }).countSync()).toBe(Number(expected));
    expect(table.where(col('t').ilike(pattern.replaceAll(/[^%_]/gu, '!$&'), '!')).countSync()).toBe(Number(expected));
  });

  it('takes time by the length of the text, whatever the pattern', () => {
    const text = 'a'.repeat(20_000);
    const long = tableFrom({ text: ['string', [text, `${text}b`]] });
    const pattern = `${'%a_'.repeat(200)}%b`;
    expect(long.where('text like @pattern', { pattern }).countSync()).toBe(1);
  });

  it('a pattern is a constant text', () => {
    expect(() => names.where('name like id')).toThrow(QueryError);
    expect(() => names.where("id like 'a'")).toThrow(/expected text but found int32 column id/u);
    expect(() => names.where("name like 'a!' escape '!'")).toThrow(/behind the escape/u);
    expect(() => col('name').like('a', 'ab')).toThrow(/one character/u);
  });

  it('null matches no pattern', () => {
    const table = tableFrom({ t: ['string?', ['a', null]] });
    expect(table.where("t like '%'").countSync()).toBe(1);
    expect(table.where("not (t like 'x%')").countSync()).toBe(1);
    expect(table.where('t like null or t not like null').countSync()).toBe(0);
  });
});

describe('is distinct from', () => {
  const table = tableFrom({ a: ['int32?', [1, null, 2, null]], b: ['int32?', [1, null, null, 3]] });
  const rows = (predicate: string): unknown => Array.from(table.where(predicate).resolveSync().rowNumbers());
  it('is true or false, also of nulls', () => {
    expect(rows('a is distinct from b')).toEqual([2, 3]);
    expect(rows('a is not distinct from b')).toEqual([0, 1]);
    expect(rows('not (a is distinct from b)')).toEqual([0, 1]);
    expect(rows('a is distinct from 1')).toEqual([1, 2, 3]);
    expect(rows('a is not distinct from null')).toEqual([1, 3]);
    expect(rows('null is distinct from a + 0')).toEqual([0, 2]);
  });
});

describe('numbers as Python writes them', () => {
  it('double division, rounded down', () => {
    // What Python 3.11 prints for each.
    const cases: readonly (readonly [number, number, number])[] = [
      [1, 0.1, 9],
      [-1, 0.1, -10],
      [7.5, 2, 3],
      [-7.5, 2, -4],
      [7.5, -2, -4],
      [-0, 3, -0],
      [0.5, -3, -1],
      [5.5, Infinity, 0],
      [-5.5, Infinity, -1],
      [0.3, 0.1, 2],
      [6.5, 0.1, 64],
    ];
    const table = tableFrom({
      a: ['float64', cases.map(([a]) => a)],
      b: ['float64', cases.map(([, b]) => b)],
      q: ['float64', cases.map(([, , q]) => q)],
    });
    expect(table.where('a // b == q').countSync()).toBe(cases.length);
    for (const [a, b, q] of cases)
      expect(table.where('@a // @b == @q', { a, b, q }).countSync(), `${String(a)} // ${String(b)}`).toBe(cases.length);
  });

  const I64 = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, -7n, 0n, 7n, 2n ** 31n, -(2n ** 31n) - 1n];
  const wide = tableFrom({ v: ['int64', I64], row: ['int32', I64.map((_, row) => row)] });
  const matches = (predicate: string, test: (value: bigint) => boolean): void => {
    expect(Array.from(wide.where(predicate).toColumnsSync()['v'] as BigInt64Array), predicate).toEqual(
      I64.filter(test),
    );
  };

  it('integers stay exact: quotients, powers, bits', () => {
    const floor = (a: bigint, b: bigint): bigint => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
    for (const d of [3n, -3n, 2n ** 53n, -1n])
      for (const value of I64) {
        const q = floor(value, d);
        matches(`v // ${String(d)} == ${String(q)}`, (other) => floor(other, d) === q);
      }
    matches('v // 0 is null', () => true);
    matches('v ** 2 == 81129638414606699710187514626049', (v) => v ** 2n === (2n ** 53n + 1n) ** 2n);
    matches('v ** 0 == 1', () => true);
    matches('v & 1 == 1', (v) => (v & 1n) === 1n);
    matches('v | 4294967296 == v', (v) => (v | 4294967296n) === v);
    matches('v ^ -1 == ~v', () => true);
    matches('~v == 6', (v) => v === -7n);
    matches('v & 2147483647 == 0', (v) => (v & 2147483647n) === 0n);
    expect(wide.where('row & 1 == 1').countSync()).toBe(4);
    expect(wide.where('row ^ 3 == 0').countSync()).toBe(1);
  });

  it('powers bind tightest, to the right, and of doubles and large ones are doubles', () => {
    matches('-2 ** 2 == -4', () => true);
    matches('2 ** 3 ** 2 == 512', () => true);
    matches('2 ** -1 == 0.5', () => true);
    matches('(-2) ** 2 == 4', () => true);
    matches('((v ** 16) ** 16) ** 16 >= 0', () => true);
    expect(String(wide.where(col('v').pow(2).neg().pow(-2).eq(1)).view.pending.length)).toBe('1');
  });

  it('conditions combine by bits too, in parentheses', () => {
    matches('(v > 0) & (v < 8)', (v) => v === 7n);
    matches('(v > 0) ^ (v < 8)', (v) => v > 0n !== v < 8n);
    matches('~((v > 0) | (v < -7))', (v) => !(v > 0n || v < -7n));
    expect(() => wide.where('v > 0 & v < 1.5 & true')).toThrow(/in parentheses/u);
    expect(() => wide.where('(v > 0) & 1')).toThrow(/in parentheses/u);
    expect(() => wide.where('v & 1.5 == 1')).toThrow(QueryError);
  });
});

describe('names in double quotes', () => {
  const table = tableFrom({ 'Cost Total': ['float64', [1, 2]], region: ['string', ['EMEA', 'x']] });
  it.each([
    '"Cost Total" > 1',
    '1 < "Cost Total"',
    '"Cost Total" + 1 > 2',
    '"no such" == 1',
    '`Cost Total` > "Cost Total"',
  ])('%s: what to write is told', (predicate) => {
    expect(() => table.where(predicate)).toThrow(/names take back-ticks: `/u);
  });
  it('a column that is no column, compared with a text, is no silent false', () => {
    expect(() => table.where(`"region" = 'EMEA'`)).toThrow(/names take back-ticks: `region`/u);
    expect(table.where(`region = "EMEA"`).countSync()).toBe(1);
  });
});

it('what other languages write is refused with the word for it', () => {
  expect(() => names.where('id > 1 && id < 3')).toThrow(/expected "and" but found "&&"/u);
  expect(() => names.where('id > 1 || id < 3')).toThrow(/expected "or" but found "\|\|"/u);
});

describe('in, of what is computed', () => {
  const table = tableFrom({
    id: ['int32?', [1, 2, 3, null, -4]],
    wide: ['int64', [2n ** 53n, 2n ** 62n, -1n, 0n, 5n]],
    x: ['float64', [0.5, Number.NaN, -0, Infinity, 2 ** 62]],
    raw: ['binary', [Uint8Array.of(1), Uint8Array.of(), Uint8Array.of(1, 2), Uint8Array.of(255), Uint8Array.of(1)]],
  });
  it.each([
    ['id % 3 in (0, 1)', [1, 3]],
    ['id % 3 not in (0, 1)', [2, -4]],
    ['id % 3 in (0, null, nan)', [3]],
    ['id % 3 not in (null, nan)', [1, 2, 3, -4]],
    ['id + 1 in (2, 2.0, 2)', [1]],
    ['id * 1 in (id, 7)', [1, 2, 3, -4]],
    ['wide + 1 in (9007199254740993, 4611686018427387905, 6)', [1, 2, -4]],
    ['wide + 0 in (9007199254740992.0, 4611686018427387904.0)', [1, 2]],
    ['x * 1 in (0, inf, nan, 4611686018427387904)', [3, null, -4]],
    ['x * 1 not in (0, inf, nan)', [1, 2, -4]],
    ["cast(id, 'string') in ('1', '-4', '')", [1, -4]],
    ['(id > 1) in (true, false)', [1, 2, 3, -4]],
    ["fillNull(raw, x'00') in (x'01', x'ff')", [1, null, -4]],
    ['id % 3 == 0 or id % 3 in (1, 5)', [1, 3]],
  ])('%s', (predicate, expected) => {
    expect(table.where(predicate).toColumnsSync()['id']).toEqual(expected);
  });

  it('takes lists of any length', () => {
    const list = Array.from({ length: 100_000 }, (_, index) => 2 * index);
    expect(table.where(col('id').add(1).isIn(list)).toColumnsSync()['id']).toEqual([1, 3]);
    expect(table.where(col('id').add(1).isIn(list).not()).toColumnsSync()['id']).toEqual([2, -4]);
  });

  it('refuses what is of another type, whatever is listed before', () => {
    expect(() => table.where("id % 3 in (1, 2, 'a')")).toThrow(QueryError);
  });
});
