// Bytes -> literals and matches. Of all ways to cut the next few thousand bytes into them, the one that is expected to
// take the fewest bits, as what came before suggests; the way stands after each stretch, and prices follow it.
import { SHORTEST_MATCH } from './index.ts';
import { LONGEST_FOUND, MatchTree } from './match-tree.ts';
import { SAME_OFFSET, codeOfOffset, offsetBits } from './offsets.ts';
import { BIT, LONGEST_MATCH, LONGEST_RUN, Prices } from './prices.ts';

/** Bytes whose ways are weighed together. */
const STRETCH = 1 << 13;
const NEVER = 0x7fffffff;

/** What the bytes become: a number a match but for the literals. */
export interface Parsed {
  readonly literals: Uint8Array;
  readonly runs: Uint32Array;
  readonly lengths: Uint32Array;
  readonly offsets: Uint32Array;
  /** Codes of the offsets. */
  readonly codes: Uint32Array;
}

/** Whole numbers, one after another. */
class Numbers {
  #numbers = new Uint32Array(1 << 12);
  #length = 0;

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length++] = number;
  }

  all(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}

class Parser {
  readonly #bytes: Uint8Array;
  readonly #tree: MatchTree;
  readonly #prices = new Prices();
  /** Of each byte of a stretch, on the cheapest way to it: what that takes. */
  readonly #costs = new Int32Array(STRETCH + 1);
  /** The match that ends there, or 0; its offset; literals since a match; the last match's offset. */
  readonly #matches = new Int32Array(STRETCH + 1);
  readonly #reach = new Int32Array(STRETCH + 1);
  readonly #since = new Int32Array(STRETCH + 1);
  readonly #last = new Int32Array(STRETCH + 1);

  readonly #literals: Uint8Array;
  #literalCount = 0;
  /** Literals since the last match, and its offset. */
  #run = 0;
  #offset = 1;
  readonly #runs = new Numbers();
  readonly #lengths = new Numbers();
  readonly #offsets = new Numbers();
  readonly #codes = new Numbers();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#tree = new MatchTree(bytes);
    this.#literals = new Uint8Array(bytes.length);
  }

  parse(): Parsed {
    const { length } = this.#bytes;
    for (let at = 0; at < length; ) {
      at = this.#stretch(at, Math.min(length, at + STRETCH));
      this.#prices.update();
    }
    return {
      literals: this.#literals.subarray(0, this.#literalCount),
      runs: this.#runs.all(),
      lengths: this.#lengths.all(),
      offsets: this.#offsets.all(),
      codes: this.#codes.all(),
    };
  }

  /** From byte `start` up to `end`, or to where a long match ends: gives where. */
  #stretch(start: number, end: number): number {
    const [bytes, tree] = [this.#bytes, this.#tree];
    const [costs, matches, since, last] = [this.#costs, this.#matches, this.#since, this.#last];
    const literalPrices = this.#prices.literals.prices;
    const runPrices = this.#prices.runs.prices;
    const count = end - start;
    costs.fill(NEVER, 0, count + 1);
    costs[0] = 0;
    since[0] = Math.min(this.#run, LONGEST_RUN);
    last[0] = this.#offset;
    for (let i = 0; i < count; i++) {
      if (i > 0) this.#arrive(i);
      const at = start + i;
      const cost = costs[i] as number;
      const run = since[i] as number;
      const longer = run < LONGEST_RUN ? run + 1 : run;
      const literal =
        cost +
        (literalPrices[bytes[at] as number] as number) +
        (runPrices[longer] as number) -
        (runPrices[run] as number);
      if (literal < (costs[i + 1] as number)) {
        costs[i + 1] = literal;
        matches[i + 1] = 0;
      }
      const offset = last[i] as number;
      const again = offset <= at ? this.#sameBytes(at, offset) : 0;
      const found = tree.find(at);
      const longest = found === 0 ? 0 : (tree.lengths[found - 1] as number);
      if (again >= LONGEST_FOUND || longest >= LONGEST_FOUND) {
        // Taken without a look at what else there may be.
        this.#take(start, i);
        const reach = again >= LONGEST_FOUND ? offset : (tree.offsets[found - 1] as number);
        const length = this.#sameBytes(at, reach);
        this.#match(length, reach);
        tree.pass(at + 1, at + length);
        return at + length;
      }
      this.#offer(i, count, cost, again, found);
    }
    this.#arrive(count);
    this.#take(start, count);
    return end;
  }

  /** How many bytes are those that stand `offset` bytes before. */
  #sameBytes(at: number, offset: number): number {
    const bytes = this.#bytes;
    const most = Math.min(LONGEST_MATCH, bytes.length - at);
    let length = 0;
    while (length < most && bytes[at + length] === bytes[at + length - offset]) length++;
    return length;
  }

  /** What is known of byte `i` of a stretch once no cheaper way to it comes. */
  #arrive(i: number): void {
    const [since, last] = [this.#since, this.#last];
    const match = this.#matches[i] as number;
    if (match === 0) {
      const run = since[i - 1] as number;
      since[i] = run < LONGEST_RUN ? run + 1 : run;
      last[i] = last[i - 1] as number;
    } else {
      since[i] = 0;
      last[i] = this.#reach[i] as number;
    }
  }

  /** The ways on from byte `i` by matches: of the offset of the last one, and those that the tree found. */
  #offer(i: number, count: number, cost: number, again: number, found: number): void {
    const [costs, matches, reach, tree] = [this.#costs, this.#matches, this.#reach, this.#tree];
    const lengthPrices = this.#prices.lengths.prices;
    const codePrices = this.#prices.codes.prices;
    const most = count - i;
    const base = cost + (this.#prices.runs.prices[0] as number);
    const last = this.#last[i] as number;
    const same = base + (codePrices[SAME_OFFSET] as number);
    for (let length = SHORTEST_MATCH; length <= again && length <= most; length++) {
      const way = same + (lengthPrices[length] as number);
      if (way < (costs[i + length] as number)) {
        costs[i + length] = way;
        matches[i + length] = length;
        reach[i + length] = last;
      }
    }
    let length = SHORTEST_MATCH + 1;
    for (let match = 0; match < found; match++) {
      const offset = tree.offsets[match] as number;
      const code = codeOfOffset(offset);
      const price = base + (codePrices[code] as number) + offsetBits(code) * BIT;
      const longest = Math.min(tree.lengths[match] as number, most);
      for (; length <= longest; length++) {
        const way = price + (lengthPrices[length] as number);
        if (way < (costs[i + length] as number)) {
          costs[i + length] = way;
          matches[i + length] = length;
          reach[i + length] = offset;
        }
      }
    }
  }

  /** Goes the cheapest way to byte `end` of the stretch. */
  #take(start: number, end: number): void {
    const [matches, reach, since] = [this.#matches, this.#reach, this.#since];
    // From the end to the front; what each byte on the way leads to is put where the number of literals was.
    for (let i = end; i > 0; ) {
      const before = i - Math.max(matches[i] as number, 1);
      since[before] = i;
      i = before;
    }
    for (let i = 0; i < end; ) {
      const next = since[i] as number;
      const match = matches[next] as number;
      if (match === 0) {
        const byte = this.#bytes[start + i] as number;
        this.#literals[this.#literalCount++] = byte;
        this.#prices.literals.count(byte);
        this.#run++;
      } else this.#match(match, reach[next] as number);
      i = next;
    }
  }

  #match(length: number, offset: number): void {
    const code = offset === this.#offset ? SAME_OFFSET : codeOfOffset(offset);
    this.#runs.push(this.#run);
    this.#lengths.push(length);
    this.#offsets.push(offset);
    this.#codes.push(code);
    this.#prices.runs.count(Math.min(this.#run, LONGEST_RUN));
    this.#prices.lengths.count(length);
    this.#prices.codes.count(code);
    this.#run = 0;
    this.#offset = offset;
  }
}

/** Bytes, fewer than the largest offset, as what was there before and what was not. */
export function parseMatches(bytes: Uint8Array): Parsed {
  return new Parser(bytes).parse();
}
