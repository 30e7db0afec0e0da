// Remainders and quotients of whole numbers by a constant are those of bigints, whatever their size.
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { compute } from '../../src/query/evaluate/compute.ts';
import { constantVector } from '../../src/query/evaluate/vectors.ts';
import { VectorRoom } from '../../src/query/evaluate/vector-room.ts';
import { wideFloorDivide, wideModulo } from '../../src/query/evaluate/exact-arithmetic.ts';

const random = createRandom(53);
const MOST = 2 ** 53 - 1;
const DIVISORS = [1, 2, 3, 7, 10, 1000, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 2 ** 52, MOST, -1, -3, -(2 ** 40), 0];

test.each(DIVISORS)('by %d', (divisor) => {
  for (const bits of [8, 31, 33, 52, 53]) {
    const edges = [0, 1, -1, divisor, -divisor, divisor - 1, divisor + 1, 2 * divisor, 2 ** bits - 1, 1 - 2 ** bits];
    const drawn = Array.from({ length: 500 }, () => {
      const near = Math.floor(random.number() * 2 ** bits);
      const multiple = divisor === 0 ? near : near - (near % divisor) + random.integer(3) - 1;
      return random.pick([1, -1]) * random.pick([near, multiple]);
    });
    const values = Float64Array.from([...edges, ...drawn].filter((value) => Math.abs(value) < 2 ** bits));
    const left = { kind: 'numbers', values, most: 2 ** bits - 1, nulls: null } as const;
    const room = new VectorRoom();
    for (const op of ['mod', 'floorDiv'] as const) {
      const right = constantVector(divisor, values.length, room);
      const found = compute(op, 'int', left, right, values.length, room);
      const exact = op === 'mod' ? wideModulo : wideFloorDivide;
      for (const [row, value] of values.entries()) {
        const wanted = exact(BigInt(value), BigInt(divisor));
        const isNull = found.nulls?.[row] === 1;
        const own = isNull ? null : BigInt(found.values[row] as number);
        if (own !== wanted || Object.is(found.values[row], -0))
          expect([op, value, own, found.values[row]]).toEqual([op, value, wanted, 0]);
      }
    }
  }
});
