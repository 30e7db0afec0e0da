// A seed -> the same numbers everywhere: test data and index patterns that can be made again from the seed that a
// failure prints.

export interface Random {
  /** In [0, 1). */
  number(): number;
  /** An integer in [0, bound). */
  integer(bound: number): number;
  /** Any 64 bits, signed. */
  int64(): bigint;
  /** Any 32 bits, unsigned. */
  uint32(): number;
  pick<T>(items: readonly T[]): T;
}

/** A generator with 64 bits of state: two rounds of a multiply-xorshift of a counter per number. Not for secrets. */
export function createRandom(seed: number): Random {
  let counter = BigInt.asUintN(64, BigInt(Math.trunc(seed)) * 0x9e37_79b9n + 0x51ed_270b_a1d5n);
  const next = (): bigint => {
    counter = BigInt.asUintN(64, counter + 0x9e37_79b9_7f4a_7c15n);
    let mixed = counter;
    for (const factor of [0xff51_afd7_ed55_8ccdn, 0xc4ce_b9fe_1a85_ec53n])
      mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 32n)) * factor);
    return mixed ^ (mixed >> 29n);
  };
  const number = (): number => Number(next() >> 11n) / 2 ** 53;
  const integer = (bound: number): number => Math.floor(number() * bound);
  return {
    number,
    integer,
    int64: () => BigInt.asIntN(64, next()),
    uint32: () => Number(next() >> 32n),
    pick: (items) => {
      const item = items[integer(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}

/** The numbers below `count` in random order. */
export function shuffled(random: Random, count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = random.integer(last + 1);
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
  return order;
}
