// Where bytes occurred before, for the longest matches at little cost: of each hash of four bytes a binary tree of the
// places that have it, ordered by what stands there, the newest place on top. All of it is integers, so that the same
// bytes give the same matches everywhere.

/** Shorter ones are not looked for. */
const SHORTEST = 4;
const MOST_HASH_LOG2 = 18;
/** What is the same for so long is the same place to the tree: longer matches are for the caller to find. */
export const LONGEST_FOUND = 128;
/** Places that are looked at. */
const LOOKS = 32;
/** For bytes that are passed over. */
const PASSING_LOOKS = 16;
const NONE = -1;

export class MatchTree {
  readonly #bytes: Uint8Array;
  readonly #heads: Int32Array;
  readonly #hashShift: number;
  /** Of each place: the subtree of what sorts before it, and the one of what sorts behind it. */
  readonly #links: Int32Array;
  /** What `find` found: ascending lengths, each with the nearest offset that has it. */
  readonly lengths = new Int32Array(LOOKS);
  readonly offsets = new Int32Array(LOOKS);

  constructor(bytes: Uint8Array) {
    const hashLog2 = Math.min(MOST_HASH_LOG2, 32 - Math.clz32(bytes.length));
    this.#bytes = bytes;
    this.#heads = new Int32Array(1 << hashLog2).fill(NONE);
    this.#hashShift = 32 - hashLog2;
    this.#links = new Int32Array(2 * bytes.length);
  }

  /** Enters places [start, end), each once and in order as those of `find`. */
  pass(start: number, end: number): void {
    for (let at = start; at < end; at++) this.#enter(at, PASSING_LOOKS);
  }

  /** Enters the place and gives how many matches it has. */
  find(at: number): number {
    return this.#enter(at, LOOKS);
  }

  #enter(at: number, looks: number): number {
    const bytes = this.#bytes;
    const [links, lengths, offsets] = [this.#links, this.lengths, this.offsets];
    const left = bytes.length - at;
    if (left < SHORTEST) return 0;
    const four =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    const hash = Math.imul(four, 0x9e3779b1) >>> this.#hashShift;
    const most = left < LONGEST_FOUND ? left : LONGEST_FOUND;
    let place = this.#heads[hash] as number;
    this.#heads[hash] = at;
    // Where the next smaller and the next larger place are linked, and how much of them is known to be the same.
    let [smaller, larger] = [2 * at, 2 * at + 1];
    let [smallerSame, largerSame] = [0, 0];
    let best = SHORTEST - 1;
    let found = 0;
    for (let look = 0; place !== NONE && look < looks; look++) {
      let length = smallerSame < largerSame ? smallerSame : largerSame;
      while (length < most && bytes[place + length] === bytes[at + length]) length++;
      if (length > best) {
        best = length;
        lengths[found] = length;
        offsets[found++] = at - place;
        if (length === most) {
          // As good as the same place: the new one stands for it.
          links[smaller] = links[2 * place] as number;
          links[larger] = links[2 * place + 1] as number;
          return found;
        }
      }
      if ((bytes[place + length] as number) < (bytes[at + length] as number)) {
        links[smaller] = place;
        smaller = 2 * place + 1;
        smallerSame = length;
        place = links[smaller] as number;
      } else {
        links[larger] = place;
        larger = 2 * place;
        largerSame = length;
        place = links[larger] as number;
      }
    }
    links[smaller] = NONE;
    links[larger] = NONE;
    return found;
  }
}
