// What was found out about one page of a column, for the pages behind it: at each place of the tree which encodings
// came off so much worse that they are not looked at again. That holds as long as the cheapest of the others costs
// about the same a value; where it does not, everything is sized anew.

/** Pages of fewer values are sized quickly, and say little. */
const LEAST_VALUES = 1 << 12;
/** What costs so many times the cheapest is left out on the next pages. */
const WORSE = 1.05;
/** The cheapest costs so many times more or less than before: these are other values. */
const OTHERWISE = 1.2;

/** What a candidate takes, a value. */
export interface Tried {
  readonly name: string;
  readonly label: string;
  readonly cost: number;
  readonly bytes: number;
}

export interface Losers {
  /** What the cheapest cost, a value. */
  readonly best: number;
  /** By name; null where it did not apply, or told no size. */
  readonly lost: ReadonlyMap<string, { readonly label: string; readonly bytes: number } | null>;
}

export class KnownLosers {
  readonly #known = new Map<string, Losers>();
  #times = new Map<string, number>();
  #place = '';

  /** From now on places are those of another page, which has the same ones as others of its kind. */
  startPage(kind: string): void {
    this.#place = kind;
    this.#times = new Map();
  }

  /** Where values for a role are sized next: as many times as that is asked for at one place, they are others. */
  placeOf(role: string): string {
    const place = `${this.#place}/${role}`;
    const times = this.#times.get(place) ?? 0;
    this.#times.set(place, times + 1);
    return `${place}${String(times)}`;
  }

  /** Runs what sizes an encoding, and what is below it, at a place. */
  within<T>(place: string, name: string, size: () => T): T {
    const before = [this.#place, this.#times] as const;
    [this.#place, this.#times] = [`${place}:${name}`, new Map<string, number>()];
    try {
      return size();
    } finally {
      [this.#place, this.#times] = before;
    }
  }

  at(place: string, count: number): Losers | null {
    return count < LEAST_VALUES ? null : (this.#known.get(place) ?? null);
  }

  /** Whether what was known still holds. */
  static holds({ best }: Losers, tried: readonly Tried[], count: number): boolean {
    const share = cheapestCost(tried) / count / best;
    return share <= OTHERWISE && share >= 1 / OTHERWISE;
  }

  /** @param passed those that gave no node. */
  learn(place: string, count: number, tried: readonly Tried[], passed: readonly string[]): void {
    if (count < LEAST_VALUES) return;
    const best = cheapestCost(tried);
    const lost = new Map<string, { readonly label: string; readonly bytes: number } | null>();
    for (const name of passed) lost.set(name, null);
    for (const { name, label, cost, bytes } of tried)
      if (cost > best * WORSE) lost.set(name, { label, bytes: bytes / count });
    this.#known.set(place, { best: best / count, lost });
  }
}

function cheapestCost(tried: readonly Tried[]): number {
  return tried.reduce((least, { cost }) => Math.min(least, cost), Infinity);
}
