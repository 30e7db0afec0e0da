// Memory of vectors: what is kept is not given to others, what was released is; and long expressions give what they
// should, whichever way they lean.
import { expect, test } from 'vitest';
import { VectorRoom } from '../../src/query/evaluate/vector-room.ts';
import { tableFrom } from '../support/tables.ts';

test('what is released is used again, but for what is kept', () => {
  const room = new VectorRoom();
  const below = room.doubles(4).fill(1);
  const { mark } = room;
  const [one, two, three] = [room.doubles(4).fill(2), room.doubles(4).fill(3), room.doubles(4).fill(4)];
  room.release(mark, two);
  expect(room.mark).toBe(mark + 1);
  const again = [room.doubles(4).fill(5), room.doubles(4).fill(6)];
  expect([below, two].map(([first]) => first)).toEqual([1, 3]);
  expect(new Set(again.map(({ buffer }) => buffer))).toEqual(new Set([one.buffer, three.buffer]));
  room.release(mark, null);
  expect(room.mark).toBe(mark);
});

test('what is not of it is kept as it is', () => {
  const room = new VectorRoom();
  const { mark } = room;
  room.doubles(4);
  const other = Float64Array.of(7);
  room.release(mark, other);
  expect([room.mark, other[0]]).toEqual([mark, 7]);
});

test('constants are one, as long as there is room for them', () => {
  const room = new VectorRoom();
  expect(room.constant(5, 8).buffer).toBe(room.constant(5, 4).buffer);
  const most = (1 << 24) / 8;
  const large = room.constant(6, most);
  expect([room.constant(5, 8).buffer === room.constant(5, 8).buffer, room.mark, large.length]).toEqual([true, 1, most]);
  expect(large.every((value) => value === 6)).toBe(true);
  expect(Object.is(room.constant(-0, 1)[0], -0) && room.constant(0, 1)[0] === 0).toBe(true);
});

test.each([3, 150, 199])('expressions of %i terms, leaning to either side', (terms) => {
  const values = Array.from({ length: 100 }, (_, row) => row - 50);
  const table = tableFrom({
    x: ['float64', values],
    n: ['int32?', values.map((each) => (each % 7 === 0 ? null : each))],
  });
  const of = (column: string): string[] => Array.from({ length: terms }, (_, term) => `${column} * ${String(term)}`);
  const factor = (terms * (terms - 1)) / 2;
  const left = of('x').join(' + ');
  const right = of('x').reduceRight((rest, term) => `${term} + (${rest})`);
  for (const text of [left, right])
    expect(table.where(`${text} > 100 and not (${text} > 100000)`).toColumnsSync()['x']).toEqual(
      Float64Array.from(values.filter((each) => each * factor > 100 && !(each * factor > 100_000))),
    );
  expect(table.where(`${of('n').join(' + ')} >= ${of('n').toReversed().join(' + ')}`).countSync()).toBe(
    values.filter((each) => each % 7 !== 0).length,
  );
});
