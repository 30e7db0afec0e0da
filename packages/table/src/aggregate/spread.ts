// Variances: how far the values of each group lie from their mean. Each block is looked at twice (its mean, then the
// distances from it) and joined to what came before as Chan, Golub and LeVeque do, so that neither large means nor many
// rows cost digits. Values are counted from a first one of their group: 64-bit integers exactly, others too where they
// are near it. Of smaller integers the sums of a block and those of the squares are exact, in one look.
import { dtypeFacts, isExactResult } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { areNull } from './accumulator.ts';
import type { Accumulator } from './accumulator.ts';
import { domainOf, grown } from './column-values.ts';
import type { ColumnValues } from './column-values.ts';
import { BlockNumbers, groupAt } from './groups/block-groups.ts';
import type { BlockGroups } from './groups/block-groups.ts';
import { countsOf, entriesOf, jsonNumbers, numbersOf, parseBigInt, parseNumber } from './state.ts';
import type { AggregateState } from './state.ts';

const TWO_32 = 2 ** 32;

export class Spread implements Accumulator {
  readonly summary = 'moments';
  readonly fold = null;
  readonly #unsigned: boolean;
  readonly #isWide: boolean;
  readonly #isInteger: boolean;
  #counts = new Float64Array(1);
  /** Mean distances from the origins. */
  #means = new Float64Array(1);
  /** Sums of the squared distances from the means. */
  #squares = new Float64Array(1);
  /** Where a group is counted from: the high and low words of 64-bit integers; other numbers are in the first. */
  #highs = new Float64Array(1);
  #lows = new Float64Array(1);
  /** Of one block, by the numbers that groups have there. */
  readonly #numbers = new BlockNumbers();
  #blockHighs = new Float64Array(1);
  #blockLows = new Float64Array(1);
  #blockCounts = new Float64Array(1);
  #blockMeans = new Float64Array(1);
  #blockSquares = new Float64Array(1);
  #blockErrors = new Float64Array(1);
  /** How far each row of a block is from the origin of its group. */
  #distances = new Float64Array(0);

  constructor(info: DTypeInfo) {
    this.#unsigned = dtypeFacts(info).isUnsigned;
    const domain = domainOf(info);
    this.#isWide = domain === 'wide';
    this.#isInteger = domain === 'integers' || domain === 'bool';
  }

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    this.#grow(groupCount);
    const { validity } = values;
    const block = this.#numbers.of(groups, rowCount, groupCount);
    this.#growBlock(block.count);
    if (this.#isInteger && values.kind === 'numbers' && this.#addIntegers(values.numbers, validity, rowCount, block))
      return;
    if (this.#distances.length < rowCount) this.#distances = new Float64Array(rowCount);
    this.#blockCounts.fill(0, 0, block.count);
    if (values.kind === 'words') this.#readWords(values.words, validity, rowCount, block);
    else if (values.kind === 'numbers') this.#readNumbers(values.numbers, validity, rowCount, block);
    else return;
    this.#addBlock(values, rowCount, block);
  }

  addMoments(group: number, count: number, origin: number, mean: number, squares: number): void {
    this.#grow(group + 1);
    const offset = this.#isWide
      ? this.#wordsOffset(group, Math.floor(origin / TWO_32), origin - Math.floor(origin / TWO_32) * TWO_32)
      : this.#offset(group, origin);
    this.#join(group, count, mean + offset, squares);
  }

  know(statistics: ColumnStatistics): boolean {
    return areNull(statistics);
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    this.#grow(groupCount);
    const counts = countsOf(state, 'counts', groupOf.length);
    const means = numbersOf(state, 'means', groupOf.length);
    const squares = numbersOf(state, 'squares', groupOf.length);
    const origins = entriesOf(state, 'origins', groupOf.length);
    for (const [index, group] of groupOf.entries()) {
      const count = counts[index] as number;
      if (count === 0) continue;
      const offset = this.#isWide
        ? this.#wideOffset(group, parseBigInt(origins[index]))
        : this.#offset(group, parseNumber(origins[index]));
      this.#join(group, count, (means[index] as number) + offset, squares[index] as number);
    }
  }

  state(groupCount: number): AggregateState {
    const origins = this.#isWide
      ? Array.from({ length: groupCount }, (_, group) => String(this.#originOf(group)))
      : jsonNumbers(this.#highs, groupCount);
    return {
      counts: jsonNumbers(this.#counts, groupCount),
      origins,
      means: jsonNumbers(this.#means, groupCount),
      squares: jsonNumbers(this.#squares, groupCount),
    };
  }

  /** Of a sample (n - 1 degrees of freedom); NaN of fewer than two values. */
  variance(group: number): number {
    const count = this.#counts[group] ?? 0;
    return count < 2 ? Number.NaN : (this.#squares[group] as number) / (count - 1);
  }

  #readNumbers(numbers: Float64Array, validity: Uint8Array | null, rowCount: number, block: BlockGroups): void {
    const { groups, groupOf } = block;
    const distances = this.#distances;
    const [origins, counts, own, met] = [this.#highs, this.#counts, this.#blockHighs, this.#blockCounts];
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const at = groups === null ? 0 : (groups[row] as number);
      const number = numbers[row] as number;
      if (met[at] === 0) {
        const group = groupAt(groupOf, at);
        if (counts[group] === 0) origins[group] = number;
        own[at] = origins[group] as number;
        met[at] = 1;
      }
      distances[row] = number - (own[at] as number);
    }
  }

  /** The differences of 64-bit integers: rounded once, where they leave the exact numbers. */
  #readWords(words: Uint32Array, validity: Uint8Array | null, rowCount: number, block: BlockGroups): void {
    const { groups, groupOf } = block;
    const distances = this.#distances;
    const unsigned = this.#unsigned;
    const [highs, lows, counts, met] = [this.#highs, this.#lows, this.#counts, this.#blockCounts];
    const [ownHighs, ownLows] = [this.#blockHighs, this.#blockLows];
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const at = groups === null ? 0 : (groups[row] as number);
      const low = words[2 * row] as number;
      const word = words[2 * row + 1] as number;
      const high = unsigned ? word : word | 0;
      if (met[at] === 0) {
        const group = groupAt(groupOf, at);
        if (counts[group] === 0) {
          highs[group] = high;
          lows[group] = low;
        }
        ownHighs[at] = highs[group] as number;
        ownLows[at] = lows[group] as number;
        met[at] = 1;
      }
      distances[row] = (high - (ownHighs[at] as number)) * TWO_32 + (low - (ownLows[at] as number));
    }
  }

  /** @returns false where squares may leave the exact numbers: nothing was added then. */
  #addIntegers(
    numbers: Float64Array,
    validity: Uint8Array | null,
    rowCount: number,
    { groups, count: groupCount, groupOf }: BlockGroups,
  ): boolean {
    const [origins, all, own] = [this.#highs, this.#counts, this.#blockHighs];
    const counts = this.#blockCounts.fill(0, 0, groupCount);
    const sums = this.#blockMeans.fill(0, 0, groupCount);
    const squares = this.#blockSquares.fill(0, 0, groupCount);
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const at = groups === null ? 0 : (groups[row] as number);
      if (counts[at] === 0) {
        const group = groupAt(groupOf, at);
        if (all[group] === 0) origins[group] = numbers[row] as number;
        own[at] = origins[group] as number;
      }
      const distance = (numbers[row] as number) - (own[at] as number);
      counts[at] = (counts[at] as number) + 1;
      sums[at] = (sums[at] as number) + distance;
      squares[at] = (squares[at] as number) + distance * distance;
    }
    if (!squares.subarray(0, groupCount).every(isExactResult)) return false;
    for (let at = 0; at < groupCount; at += 1) {
      const count = counts[at] as number;
      if (count === 0) continue;
      const sum = sums[at] as number;
      const near = Math.round(sum / count);
      const rest = sum - count * near;
      const around = (squares[at] as number) - near * (sum + rest) - (rest * rest) / count;
      this.#join(groupAt(groupOf, at), count, near + rest / count, around);
    }
    return true;
  }

  #addBlock(values: ColumnValues, rowCount: number, block: BlockGroups): void {
    const { validity } = values;
    const { groups, count: groupCount, groupOf } = block;
    const distances = this.#distances;
    const counts = this.#blockCounts.fill(0, 0, groupCount);
    const means = this.#blockMeans.fill(0, 0, groupCount);
    const squares = this.#blockSquares.fill(0, 0, groupCount);
    const errors = this.#blockErrors.fill(0, 0, groupCount);
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const at = groups === null ? 0 : (groups[row] as number);
      counts[at] = (counts[at] as number) + 1;
      means[at] = (means[at] as number) + (distances[row] as number);
    }
    for (let at = 0; at < groupCount; at += 1)
      if (counts[at] !== 0) means[at] = (means[at] as number) / (counts[at] as number);
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const at = groups === null ? 0 : (groups[row] as number);
      const distance = (distances[row] as number) - (means[at] as number);
      errors[at] = (errors[at] as number) + distance;
      squares[at] = (squares[at] as number) + distance * distance;
    }
    for (let at = 0; at < groupCount; at += 1) {
      const count = counts[at] as number;
      if (count === 0) continue;
      // What the rounded mean is off by shows in the sum of the distances, which would be 0.
      const error = errors[at] as number;
      const sum = Math.max(0, (squares[at] as number) - (error * error) / count);
      const group = groupAt(groupOf, at);
      this.#join(group, count, (means[at] as number) + error / count, sum - sum === 0 ? sum : Infinity);
    }
    if (values.kind === 'numbers' && !squares.subarray(0, groupCount).every(Number.isFinite))
      this.#noteSpecial(values.numbers, validity, rowCount, block);
  }

  /** What is no finite number leaves no variance. */
  #noteSpecial(
    numbers: Float64Array,
    validity: Uint8Array | null,
    rowCount: number,
    { groups, groupOf }: BlockGroups,
  ): void {
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const at = groups === null ? 0 : (groups[row] as number);
      if (!Number.isFinite(numbers[row])) this.#squares[groupAt(groupOf, at)] = Number.NaN;
    }
  }

  #join(group: number, count: number, mean: number, squares: number): void {
    const before = this.#counts[group] as number;
    const all = before + count;
    this.#counts[group] = all;
    if (before === 0) {
      this.#means[group] = mean;
      this.#squares[group] = squares;
      return;
    }
    const distance = mean - (this.#means[group] as number);
    this.#means[group] = (this.#means[group] as number) + (distance * count) / all;
    const known = (this.#squares[group] as number) + squares;
    // Beyond what a double holds, means tell nothing any more.
    this.#squares[group] = known - known === 0 ? known + distance * distance * ((before / all) * count) : known;
  }

  /** From another's origin to the own; where a group has none yet, the other becomes it. */
  #offset(group: number, origin: number): number {
    if (this.#counts[group] !== 0) return origin - (this.#highs[group] as number);
    this.#highs[group] = origin;
    return 0;
  }

  #wideOffset(group: number, origin: bigint): number {
    if (this.#counts[group] !== 0) return Number(origin - this.#originOf(group));
    return this.#wordsOffset(group, Number(origin >> 32n), Number(origin & 0xffff_ffffn));
  }

  #wordsOffset(group: number, high: number, low: number): number {
    if (this.#counts[group] !== 0)
      return (high - (this.#highs[group] as number)) * TWO_32 + (low - (this.#lows[group] as number));
    this.#highs[group] = high;
    this.#lows[group] = low;
    return 0;
  }

  #originOf(group: number): bigint {
    return BigInt(this.#highs[group] as number) * 2n ** 32n + BigInt(this.#lows[group] as number);
  }

  #grow(groupCount: number): void {
    this.#counts = grown(this.#counts, groupCount);
    this.#means = grown(this.#means, groupCount);
    this.#squares = grown(this.#squares, groupCount);
    this.#highs = grown(this.#highs, groupCount);
    this.#lows = grown(this.#lows, groupCount);
  }

  #growBlock(groupCount: number): void {
    this.#blockHighs = grown(this.#blockHighs, groupCount);
    this.#blockLows = grown(this.#blockLows, groupCount);
    this.#blockCounts = grown(this.#blockCounts, groupCount);
    this.#blockMeans = grown(this.#blockMeans, groupCount);
    this.#blockSquares = grown(this.#blockSquares, groupCount);
    this.#blockErrors = grown(this.#blockErrors, groupCount);
  }
}
