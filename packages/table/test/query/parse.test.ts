// The text form: what it means, and where it says what is wrong.
import { QueryError } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { bindPredicate, col } from '../../src/index.ts';
import type { Field } from '../../src/index.ts';
import { tableFrom } from '../support/tables.ts';

const FIELDS: readonly Field[] = [
  { name: 'price', dtype: 'float64', nullable: false },
  { name: 'qty', dtype: 'int32', nullable: true },
  { name: 'ts', dtype: 'datetime64[s]', nullable: false },
  { name: 'any', dtype: 'datetime64', nullable: false },
  { name: 'name', dtype: 'string', nullable: false },
  { name: 'raw', dtype: 'binary', nullable: false },
  { name: 'on', dtype: 'bool', nullable: false },
  { name: 'a b', dtype: 'int8', nullable: false },
  { name: 'in', dtype: 'int8', nullable: false },
  { name: 'x`y', dtype: 'int8', nullable: false },
  { name: 'größe', dtype: 'int8', nullable: false },
  { name: 'wide', dtype: 'float128', nullable: true },
  { name: 'gap', dtype: 'timedelta64[s]', nullable: false },
  { name: '__proto__', dtype: 'int8', nullable: false },
];
const text = (predicate: Parameters<typeof bindPredicate>[0], params?: Record<string, unknown>): string =>
  JSON.stringify(bindPredicate(predicate, FIELDS, params).root, (key, value: unknown) =>
    key === 'column' ? (value as { name: string }).name : typeof value === 'bigint' ? `${String(value)}n` : value,
  );

describe('text means what the methods mean', () => {
  const price = col('price');
  const qty = col('qty');
  it.each([
    ['price > 10 and qty < 5', price.gt(10).and(qty.lt(5))],
    ['price > 10 or qty < 5 and on', price.gt(10).or(qty.lt(5).and(col('on')))],
    ['not on or price<1', col('on').not().or(price.lt(1))],
    ['1 < price <= 5', price.gt(1).and(price.le(5))],
    ['not price == 1', price.eq(1).not()],
    ['price not in (1, 2.5)', price.isIn([1, 2.5]).not()],
    ['qty is not null', qty.notNull()],
    ['qty IS NULL', qty.isNull()],
    ['qty is None', qty.isNull()],
    ['price between 1 and 5 and on', price.between(1, 5).and(col('on'))],
    ['price = 1 and qty <> 2', price.eq(1).and(qty.ne(2))],
    ['price in [1, 2.5,]', price.isIn([1, 2.5])],
    ["name = 'it''s'", col('name').eq("it's")],
    ["name like 'a%' and name not like '%b_'", col('name').startsWith('a').and(col('name').like('%b_').not())],
    ["name LIKE 'a!%' escape '!'", col('name').eq('a%')],
    ["name ILIKE 'A%c'", col('name').ilike('a%C')],
    ['qty is distinct from 5', qty.isDistinctFrom(5)],
    ['qty is not distinct from null', qty.isDistinctFrom(null).not()],
    ['(price > 1) & (qty < 5) | ~on', price.gt(1).and(qty.lt(5)).or(col('on').not())],
    [
      '(price > 1) ^ on',
      price
        .gt(1)
        .and(col('on').not())
        .or(price.gt(1).not().and(col('on'))),
    ],
    ['~(price > 1)', price.gt(1).not()],
    ['qty // 2 == 1', qty.floorDiv(2).eq(1)],
    ['qty ** 2 == 9', qty.pow(2).eq(9)],
    ['price not between 1 and 5', price.between(1, 5).not()],
    ['-price + 2 * qty >= 1 - 3 - qty % 4', price.neg().add(qty.mul(2)).ge(col('qty').mod(4).neg().add(-2))],
    ["startsWith(name, 'a\\'b\\n\\u{1F600}\\x')", col('name').startsWith("a'b\n\u{1f600}x")],
    ['name == "it\'s"', col('name').eq("it's")],
    [
      '`a b` == 1 and `in` == 2 and `x``y` == 3 and größe == 4',
      col('a b').eq(1).and(col('in').eq(2)).and(col('x`y').eq(3)).and(col('größe').eq(4)),
    ],
    ["raw == x'00fF'", col('raw').eq(Uint8Array.of(0, 255))],
    ["ts > '2024-01-01'", col('ts').gt(new Date('2024-01-01'))],
    ['gap > 5n', col('gap').gt(5n)],
    ['price > 1000.5e-1', price.gt(100.05)],
    [
      'price > 5. and price > +5 and price > -.75 and price > +.5 and price > 5.e-1',
      price.gt(5).and(price.gt(5)).and(price.gt(-0.75)).and(price.gt(0.5)).and(price.gt(0.5)),
    ],
    ['qty == 1_000 and price > 1_0.2_5e1_0', qty.eq(1000).and(price.gt(10.25e10))],
    ['qty == 0x1F and qty == 0Xff_ffn', qty.eq(31).and(qty.eq(65_535n))],
    ['qty == 0x20000000000001', qty.eq(2n ** 53n + 1n)],
    ['price > .5 and price > -inf', price.gt(0.5).and(price.gt(-Infinity))],
    ['qty == 9007199254740993', qty.eq(9007199254740993n)],
    ['(((on)))', col('on')],
    ['+price > - -1', price.gt(1)],
    ['__proto__ == 1', col('__proto__').eq(1)],
    ['TRUE and On == on'.replace('On', 'on'), col('on').eq(col('on'))],
    ['price == price', price.eq(price)],
  ])('%s', (predicate, built) => {
    // Constants on the other side and sums that constants are folded in give other trees of the same meaning: those are
    // tested by what they match.
    if (predicate.startsWith('-price'))
      expect(JSON.parse(text(predicate))).toMatchObject({ kind: 'compareValues', op: 'ge' });
    else expect(text(predicate)).toBe(text(built));
  });

  it('arithmetic binds tighter than comparison, products than sums, signs tightest; equals go to the left', () => {
    const table = tableFrom({ a: ['int32', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] });
    const rows = (predicate: string): unknown[] => [...(table.where(predicate).toColumnsSync()['a'] as Int32Array)];
    expect(rows('a - 1 - 1 == 3')).toEqual([5]);
    expect(rows('a * 2 + 1 == 7')).toEqual([3]);
    expect(rows('1 + a * 2 == 7')).toEqual([3]);
    expect(rows('-a + 10 == 7')).toEqual([3]);
    expect(rows('a / 2 / 2 == 2')).toEqual([8]);
    expect(rows('(a + 1) * 2 == 8')).toEqual([3]);
    expect(rows('not a > 3 and a > 1')).toEqual([2, 3]);
    expect(rows('not (a > 3 and a > 1)')).toEqual([1, 2, 3]);
    expect(rows('a == 1 or a == 2 and a == 3')).toEqual([1]);
    expect(rows('2 <= a < 5 and a != 3')).toEqual([2, 4]);
    expect(rows('10 > a > 7')).toEqual([8, 9]);
    expect(rows('a in (1, 1 + 1, 9)')).toEqual([1, 2, 9]);
    expect([
      ...(table.where('a in @list or a == @one', { list: Int32Array.of(4, 5), one: 9n }).toColumnsSync()[
        'a'
      ] as Int32Array),
    ]).toEqual([4, 5, 9]);
    expect([
      ...(table.where('a in @list', new Map([['list', new Set([4])]])).toColumnsSync()['a'] as Int32Array),
    ]).toEqual([4]);
    expect(rows('a in (a, 3)')).toHaveLength(10);
    expect(rows('a % 2 in (1)')).toEqual([1, 3, 5, 7, 9]);
    expect(rows('a + 0 not in ()')).toHaveLength(10);
    expect(rows('(a > 3) == (a < 9)')).toEqual([4, 5, 6, 7, 8]);
  });
});

describe('a mistake is told with its position', () => {
  it.each([
    ['', 0],
    ['   ', 3],
    ['price >', 7],
    ['price > )', 8],
    ['(price > 1', 10],
    ['price > 1)', 9],
    ['price > 1 price', 10],
    ['price === 1', 6],
    ['price !== 1', 6],
    ['on && on', 3],
    ['on || on', 3],
    ['!on', 0],
    ['price > 1 and', 13],
    ['and price', 0],
    ['price in 1', 9],
    ['price in (,)', 10],
    ['price in [1, 2)', 14],
    ['name like', 9],
    ["name like 'a' escape 'ab'", 21],
    ['qty is distinct 5', 16],
    ['price **', 8],
    ['~', 1],
    ['price in (1 2)', 12],
    ['price in (1,', 12],
    ['price is 1', 9],
    ['price not 1', 10],
    ['price between 1 or 2', 16],
    ["name == 'a", 8],
    ['name == "a', 8],
    ['`a', 0],
    ['@ > 1', 0],
    ['price > 1x', 8],
    ['price > 1.5n', 8],
    ['price > #', 8],
    ['price > 1 ; drop', 10],
    ["name == '\\u12'", 9],
    ["name == '\\u{110000}'", 9],
    ["raw == x'0'", 7],
    ['f(price)', 0],
    ['startsWith(name)', 15],
    ["startsWith(name, 'a'", 20],
    ['price > \u{1f600}', 8],
    ['1 < price < ', 12],
    ['price > 1__0', 8],
    ['price > 1_.5', 8],
    ['price > 0x', 8],
    ['price > 0xfg', 8],
    ['price > 0x_f', 8],
    ['price > 0x1.5', 11],
    ['price > 5_', 8],
    ['price > .', 8],
    ['price > 1._5', 8],
    ['price > ._5', 8],
    ['price > 1,5', 9],
  ])('syntax: %j at %d', (predicate, position) => {
    expectError(predicate, 'ERR_QUERY_SYNTAX', position);
  });

  it.each([
    ['nope > 1', 0],
    ['price > nope', 8],
    ['price', 0],
    ['price + 1', 0],
    ['price and on', 0],
    ['on and price', 7],
    ["price > 'a'", 8],
    ['name > 1', 7],
    ['1 < name', 0],
    ['on == 1', 6],
    ['on + 1 > 2', 0],
    ['price > on', 8],
    ['name == price', 8],
    ['price + name > 1', 8],
    ["'a' == 1", 7],
    ["ts > 'yesterday'", 5],
    ["ts > '2024-02-30'", 5],
    ['ts > 1.5', 5],
    ['ts == 5', 6],
    ["any > '2024-01-01'", 6],
    ['ts == any', 6],
    ['ts == gap', 6],
    ['gap > 5', 6],
    ["gap > '5'", 6],
    ['raw < raw', 6],
    ["raw < x'00'", 6],
    ["raw == 'a'", 7],
    ['wide > 1', 0],
    ['price > @max', 8],
    ['price > @list', 8],
    ['price in @one', 0],
    ['price in @objects', 0],
    ["startsWith(price, 'a')", 11],
    ['startsWith(name, 1)', 17],
    ['not price', 4],
    ['price in (1, name)', 13],
    ["price in (1, 'x')", 13],
    ['-on > 1', 1],
    ['true > 1', 7],
    ['price between 1 and name', 20],
    ['(price > 1) > 2', 14],
    ["name + 'a' == 'b'", 0],
  ])('types: %j at %d', (predicate, position) => {
    expectError(predicate, 'ERR_QUERY_TYPE', position, { list: [1], one: 1, objects: [{}] });
  });

  it('of a built expression in its printed form', () => {
    const error = errorOf(() => bindPredicate(col('price').gt(1).and(col('nope').lt(2)), FIELDS));
    expect([error.text, error.position]).toEqual(['price > 1 and nope < 2', 14]);
    expect(error.message).toContain('"price > 1 and nope < 2"');
  });

  it('names the nearest column, where one is near', () => {
    const table = tableFrom({ name: ['int32', [1]], 'Cost Total': ['int32', [1]] });
    expect(() => table.where('nmae == 1')).toThrow('unknown column nmae (did you mean name? there are: name, `Cost');
    expect(() => table.where('cost_total == 1')).toThrow('(did you mean `Cost Total`? there are:');
    expect(() => table.where('other == 1')).toThrow('unknown column other (there are:');
  });

  it('before anything is read, and columns that were left out cannot be asked about', () => {
    const table = tableFrom({ a: ['int32', [1]], b: ['int32', [1]] });
    expect(() => table.where('c > 1')).toThrow(QueryError);
    expect(() => table.select('a').where('b > 1')).toThrow(QueryError);
    expect(table.where('b > 0').select('a').countSync()).toBe(1);
  });

  it('what is no predicate is no query', () => {
    const table = tableFrom({ a: ['int32', [1]] });
    for (const wrong of [1, null, undefined, {}, () => true])
      expect(() => table.where(wrong as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => table.where('a > 1', null as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => col('a').gt({} as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => col(1 as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => col('a').isIn(5 as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
  });
});

describe('size', () => {
  it('nesting that would overflow the stack is refused', () => {
    for (const deep of [
      `${'('.repeat(5000)}on${')'.repeat(5000)}`,
      `${'not '.repeat(5000)}on`,
      `${'-'.repeat(5000)}price > 1`,
      `${'startsWith('.repeat(5000)}name`,
    ]) {
      expect(errorOf(() => bindPredicate(deep, FIELDS)).code).toBe('ERR_QUERY_SYNTAX');
    }
    expect(() => bindPredicate(`${'1 + '.repeat(5000)}price > 1`, FIELDS)).toThrow(
      expect.objectContaining({ code: 'ERR_LIMIT' }),
    );
    expect(() => bindPredicate('x'.repeat(1_000_001), FIELDS)).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT' }),
    );
    expect(() => {
      let deep = col('on').and(col('on'));
      for (let level = 0; level < 5000; level += 1) deep = col('on').and(deep.not());
    }).toThrow(expect.objectContaining({ code: 'ERR_LIMIT' }));
    const nested = (level: number): string => (level === 0 ? 'on' : `((${nested(level - 1)}) == (on == on))`);
    expect(() => bindPredicate(nested(12), FIELDS)).toThrow(QueryError);
  });

  it('long chains and lists are fine', () => {
    let chain = col('qty').eq(0);
    for (let value = 1; value < 3000; value += 1) chain = chain.or(col('qty').eq(2 * value));
    expect(JSON.parse(text(chain))).toMatchObject({ kind: 'in', values: { length: 3000 } });
    expect(JSON.parse(text(col('qty').isIn(Int32Array.from({ length: 100_000 }, (_, value) => value))))).toMatchObject({
      values: { length: 100_000 },
    });
    expect(
      bindPredicate(Array.from({ length: 3000 }, (_, value) => `qty != ${String(value)}`).join(' and '), FIELDS)
        .columns,
    ).toEqual([1]);
  });
});

function errorOf(run: () => unknown): QueryError {
  try {
    run();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('no error');
}

function expectError(predicate: string, code: string, position: number, params?: Record<string, unknown>): void {
  const error = errorOf(() => bindPredicate(predicate, FIELDS, params));
  expect([error.code, error.position, error.text], error.message).toEqual([code, position, predicate]);
}
