import assert from 'node:assert/strict';
import { ColStore, Expression, NAT, QueryError, col, typed } from 'colstore';

// #region two-ways
const table = await ColStore.fromColumns(
  {
    price: Float64Array.of(5, 12.5, 20, NaN),
    qty: Int32Array.of(1, 4, 9, 16),
    id: BigInt64Array.of(1n, 2n, 9007199254740993n, -1n),
    // 2024-01-01, 2024-02-29, 2024-03-01, none
    day: typed('datetime64[D]', [19723n, 19782n, 19783n, NAT]),
    code: typed('S4', ['EU-1', 'EU-2', 'US-1', '']),
  },
  'sales.cstore',
);

const built = table.where(col('price').gt(10).and(col('qty').lt(5)));
const written = table.where('price > 10 and qty < @max', { max: 5 });
assert.equal(await built.count(), 1);
assert.deepEqual(await written.toRows(), await built.toRows());
// #endregion two-ways

// #region mistakes
const mistakes: [string | Expression<boolean>, string, number][] = [
  ['price >', 'ERR_QUERY_SYNTAX', 7],
  ["price > 'a'", 'ERR_QUERY_TYPE', 8],
  ['price > 1 and cost < 2', 'ERR_QUERY_TYPE', 14],
  [col('price').gt(1).and(col('cost').lt(2)), 'ERR_QUERY_TYPE', 14],
];
for (const [predicate, code, position] of mistakes) {
  assert.throws(
    () => table.where(predicate),
    (e) => e instanceof QueryError && e.code === code && e.position === position,
  );
}
// #endregion mistakes

// #region nan
const count = (predicate: string | Expression<boolean>) => table.where(predicate).countSync();
assert.equal(count('price >= 5'), 3);
assert.equal(count('not (price < 5)'), 4);
assert.equal(count('price != nan'), 4);
assert.equal(count("day != '2024-01-01'"), 3);
assert.equal(count('day is null'), 0);
// #endregion nan

// #region numbers
assert.equal(count('id > 9007199254740992.0'), 1);
assert.equal(count('id * id == 81129638414606699710187514626049'), 1);
assert.equal(count('qty % 5 == 4'), 2);
assert.equal(count('-qty % 5 == 4'), 2);
assert.equal(count('qty / 8 == 0.5'), 1);
// #endregion numbers

// #region moments
assert.equal(count("day > '2024-02-28T12:00'"), 2);
assert.equal(count("day == '2024-02-28T12:00'"), 0);
const [from, to] = [new Date('2024-02-01'), new Date('2024-02-29')];
assert.equal(count(col('day').between(from, to)), 1);
assert.equal(count("startsWith(code, 'EU') and code != 'EU-1'"), 1);
assert.throws(() => count('day > 19000'), /a Date, ISO 8601 text or a bigint/);
// #endregion moments

// #region explain
const view = table.where('price > 10 and qty < 5').head(3).select('id');
const lines = (await view.explain()).split('\n');
assert.equal(lines[1], 'reads 1 of 5 columns: id');
assert.equal(lines[3], 'where price > 10 and qty < 5');
assert.equal(lines[4], '  stops after 3 matches');
assert.equal(await view.count(), 1);
// #endregion explain
table.close();
