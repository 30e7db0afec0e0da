// Joint dictionaries: columns of one row group whose values go together (an origin and a destination determine the
// distance) share one code. Here they are found; a sample says which are worth counting exactly, the exact count says
// which are worth encoding.
import { MAX_DICTIONARY_ENTRIES } from '../../layout/constants.ts';
import { giveBack, lentWords } from '../../columns/kernels/lent-words.ts';
import { writeKernels } from '../../columns/kernels/write-kernels.ts';
import { numbersFrom, valuesAt } from '../../columns/vector.ts';

/**
 * One column as far as joining goes: a code for every row (null has one of its own), below `codeCount`; and what it
 * takes when stored alone.
 */
export interface JoinCandidate {
  readonly column: number;
  readonly codes: Uint32Array;
  readonly codeCount: number;
  readonly bytes: number;
}

/** Columns that share codes: a code for every row, in lent memory, and for every code the code in each column. */
export interface JointCodes {
  readonly columns: readonly number[];
  readonly codes: Uint32Array;
  readonly entryCount: number;
  /** One a column: entryCount codes of that column. */
  readonly members: readonly Uint32Array[];
}

/** Rows of the sample: blocks from all over, so that neither order nor drift misleads. */
const SAMPLE_BLOCKS = 16;
const SAMPLE_BLOCK_ROWS = 2048;
/** Columns looked at, the most expensive first: pairs grow with the square. */
const MOST_CANDIDATES = 24;
/** A join must promise to save this share of what its parts take. */
const LEAST_GAIN = 0.05;
/** More distinct pairs than this share of the sample say nothing about how many there are. */
const MOST_SAMPLED = 0.25;
/** What an entry of a joint dictionary takes in each column, about. */
const ENTRY_BYTES = 2;

interface Group {
  readonly parts: readonly JoinCandidate[];
  readonly codes: Uint32Array;
  readonly codeCount: number;
  readonly bytes: number;
  /** The codes of the sample, and how many distinct ones are among them. */
  readonly sample: Uint32Array;
  readonly sampleCount: number;
}

/**
 * Groups of two or more columns that share codes, by estimate; the caller keeps those that turn out smaller. Codes are
 * in ascending order of the columns' own codes.
 */
export function findJoints(candidates: readonly JoinCandidate[]): JointCodes[] {
  const first = candidates[0];
  if (first === undefined) return [];
  const starts = sampleStarts(first.codes.length);
  let groups: Group[] = [...candidates]
    .filter((candidate) => candidate.codeCount > 1)
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, MOST_CANDIDATES)
    .map((candidate) => ({
      parts: [candidate],
      codes: candidate.codes,
      codeCount: candidate.codeCount,
      bytes: candidate.bytes,
      ...sampled(candidate.codes, candidate.codeCount, starts),
    }));
  const failed = new Set<string>();
  const counted = new Map<string, number | null>();
  for (;;) {
    const pair = bestPair(groups, failed, counted);
    if (pair === null) break;
    const joined = join(pair.a, pair.b, starts);
    if (joined === null || joined.bytes > (pair.a.bytes + pair.b.bytes) * (1 - LEAST_GAIN)) {
      failed.add(pairKey(pair.a, pair.b));
      giveBackOwn(joined);
    } else {
      groups = [...groups.filter((group) => group !== pair.a && group !== pair.b), joined];
      giveBackOwn(pair.a);
      giveBackOwn(pair.b);
    }
  }
  return groups
    .filter((group) => group.parts.length > 1)
    .map((group) => {
      const joint = jointCodes(group);
      giveBackOwn(group);
      return joint;
    });
}

/** Codes of a column alone are the caller's. */
function giveBackOwn(group: Group | null): void {
  if (group !== null && group.parts.length > 1) giveBack(group.codes);
}

/** Where the blocks of the sample begin. */
function sampleStarts(rowCount: number): number[] {
  const isWhole = rowCount <= SAMPLE_BLOCKS * SAMPLE_BLOCK_ROWS;
  return Array.from({ length: SAMPLE_BLOCKS }, (_, block) =>
    isWhole ? block * SAMPLE_BLOCK_ROWS : Math.floor(((rowCount - SAMPLE_BLOCK_ROWS) * block) / (SAMPLE_BLOCKS - 1)),
  );
}

function pairKey(a: Group, b: Group): string {
  const key = (group: Group) => group.parts.map((part) => part.column).join('+');
  return `${key(a)}|${key(b)}`;
}

function sampled(
  codes: Uint32Array,
  codeCount: number,
  starts: readonly number[],
): Pick<Group, 'sample' | 'sampleCount'> {
  const sample = new Uint32Array(Math.min(codes.length, SAMPLE_BLOCKS * SAMPLE_BLOCK_ROWS));
  for (const [block, start] of starts.entries())
    sample.set(codes.subarray(start, start + SAMPLE_BLOCK_ROWS), Math.min(block * SAMPLE_BLOCK_ROWS, sample.length));
  const occurs = new Uint8Array(codeCount);
  let sampleCount = 0;
  for (const code of sample) {
    sampleCount += 1 - (occurs[code] as number);
    occurs[code] = 1;
  }
  return { sample, sampleCount };
}

/**
 * The pair that promises to save most bytes, or null where none promises enough. `counted` keeps what was counted in
 * samples, by pair.
 */
function bestPair(
  groups: readonly Group[],
  failed: ReadonlySet<string>,
  counted: Map<string, number | null>,
): { a: Group; b: Group } | null {
  let best: { a: Group; b: Group } | null = null;
  let most = 0;
  for (let i = 0; i < groups.length; i++) {
    for (let j = i + 1; j < groups.length; j++) {
      const [a, b] = [groups[i] as Group, groups[j] as Group];
      const together = a.bytes + b.bytes;
      const enough = Math.max(together * LEAST_GAIN, most);
      const savedBy = (pairs: number): number =>
        together - estimate(a.codes.length, pairs, a.parts.length + b.parts.length);
      const key = pairKey(a, b);
      if (together * LEAST_GAIN <= most || failed.has(key)) continue;
      // There are at least as many pairs as codes in either.
      if (savedBy(Math.max(a.sampleCount, b.sampleCount)) <= enough) continue;
      let pairs = counted.get(key);
      if (pairs === undefined) {
        pairs = pairsOf(a.sample, b.sample, Math.floor(a.sample.length * MOST_SAMPLED), null);
        counted.set(key, pairs);
      }
      if (pairs !== null && savedBy(pairs) > enough) [best, most] = [{ a, b }, savedBy(pairs)];
    }
  }
  return best;
}

/** Bytes of codes and dictionaries, about. */
function estimate(rowCount: number, entries: number, columns: number): number {
  return (rowCount * Math.log2(Math.max(2, entries))) / 8 + entries * columns * ENTRY_BYTES;
}

/** How many pairs of codes occur, and for each row which one; null above `most`. */
function pairsOf(a: Uint32Array, b: Uint32Array, most: number, codes: Uint32Array | null): number | null {
  const kernels = writeKernels(a.length);
  if (kernels !== null) {
    const found = kernels.joinCodes(a, b, most, codes);
    return found > most ? null : found;
  }
  const table = new PairTable(most);
  for (let row = 0; row < a.length; row++) {
    const index = table.indexOf(a[row] as number, b[row] as number);
    if (index === null) return null;
    if (codes !== null) codes[row] = index;
  }
  return table.size;
}

/** Both columns' codes as one, counted exactly; null where there are too many for a dictionary page. */
function join(a: Group, b: Group, starts: readonly number[]): Group | null {
  const rowCount = a.codes.length;
  const codes = lentWords(rowCount);
  const codeCount = pairsOf(a.codes, b.codes, Math.min(MAX_DICTIONARY_ENTRIES, Math.ceil(rowCount / 2)), codes);
  if (codeCount === null) {
    giveBack(codes);
    return null;
  }
  const parts = [...a.parts, ...b.parts];
  return {
    parts,
    codes,
    codeCount,
    bytes: estimate(rowCount, codeCount, parts.length),
    ...sampled(codes, codeCount, starts),
  };
}

/**
 * Distinct pairs of small numbers, numbered in order of appearance: open addressing, three to four nanoseconds a
 * look-up.
 */
class PairTable {
  readonly #most: number;
  readonly #mask: number;
  readonly #slots: Uint32Array;
  readonly #pairs: Uint32Array;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
    this.#mask = 2 ** Math.ceil(Math.log2(4 * (most + 1))) - 1;
    this.#slots = new Uint32Array(this.#mask + 1);
    this.#pairs = new Uint32Array(2 * most);
  }

  get size(): number {
    return this.#size;
  }

  indexOf(a: number, b: number): number | null {
    let slot = ((Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 11) & this.#mask;
    for (;;) {
      const index = this.#slots[slot] as number;
      if (index === 0) break;
      if (this.#pairs[2 * index - 2] === a && this.#pairs[2 * index - 1] === b) return index - 1;
      slot = (slot + 1) & this.#mask;
    }
    if (this.#size === this.#most) return null;
    this.#pairs[2 * this.#size] = a;
    this.#pairs[2 * this.#size + 1] = b;
    this.#slots[slot] = ++this.#size;
    return this.#size - 1;
  }
}

/**
 * Numbers the codes anew, in the order of the columns' own codes, so that the dictionaries of the first columns are
 * long runs.
 */
function jointCodes(group: Group): JointCodes {
  const parts = [...group.parts].sort((a, b) => a.column - b.column);
  const members = parts.map(({ codes }) => byCode(group.codes, codes, group.codeCount));
  const order = ascending(members);
  const rank = new Uint32Array(order.length);
  for (let index = 0; index < order.length; index++) rank[order[index] as number] = index;
  return {
    columns: parts.map((part) => part.column),
    codes: mapped(group.codes, rank),
    entryCount: group.codeCount,
    members: members.map((member) => valuesAt(member, order)),
  };
}

/** For each code what a column has in its rows. */
function byCode(codes: Uint32Array, values: Uint32Array, codeCount: number): Uint32Array {
  const found = new Uint32Array(codeCount);
  const kernels = writeKernels(codes.length);
  if (kernels !== null) kernels.scatterCodes(codes, values, found);
  else for (let row = 0; row < codes.length; row++) found[codes[row] as number] = values[row] as number;
  return found;
}

function mapped(codes: Uint32Array, ranks: Uint32Array): Uint32Array {
  const kernels = writeKernels(codes.length);
  const found = lentWords(codes.length);
  if (kernels !== null) kernels.mapCodes(codes, ranks, found);
  else for (let row = 0; row < codes.length; row++) found[row] = ranks[codes[row] as number] as number;
  return found;
}

/** Codes in the order of the members, the first one first: a sort for each, the last one first. */
function ascending(members: readonly Uint32Array[]): Uint32Array {
  let order: Uint32Array = numbersFrom(0, (members[0] as Uint32Array).length);
  for (const member of [...members].reverse()) order = byCounting(order, member);
  return order;
}

/** Codes by what a member has for them; of equal ones the order stays. */
function byCounting(codes: Uint32Array, member: Uint32Array): Uint32Array {
  let largest = 0;
  for (const code of codes) largest = Math.max(largest, member[code] as number);
  const starts = new Uint32Array(largest + 2);
  for (const code of codes) starts[(member[code] as number) + 1] = (starts[(member[code] as number) + 1] as number) + 1;
  for (let value = 1; value < starts.length; value++)
    starts[value] = (starts[value] as number) + (starts[value - 1] as number);
  const sorted = new Uint32Array(codes.length);
  for (const code of codes) {
    const value = member[code] as number;
    const at = starts[value] as number;
    sorted[at] = code;
    starts[value] = at + 1;
  }
  return sorted;
}
