// The smallest or the largest value of each group. Nulls, NaN and NaT are passed over: they are no answer to the
// question. Text goes by code point.
import { assertNever, dtypeFacts } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { NAT } from '../values/nat.ts';
import { largestOf, smallestOf } from '../query/kernels/narrow-fold.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { areNull, boundOf } from './accumulator.ts';
import type { ValueAccumulator } from './accumulator.ts';
import { domainOf, grown } from './column-values.ts';
import { EXTREME, WORD_EXTREME, foldFlags, foldRows } from './groups/fold-rows.ts';
import { noOrder } from './value-checks.ts';
import type { Cell, ColumnValues, Domain } from './column-values.ts';
import { entriesOf, jsonNumber, parseBigInt, parseNumber, stateError } from './state.ts';
import type { AggregateState } from './state.ts';
import { TextExtremes } from './text-extremes.ts';

/** @throws UnsupportedError ERR_DTYPE for binary and float128. */
export function extremesOf(info: DTypeInfo, wanted: 'min' | 'max'): ValueAccumulator {
  const isMax = wanted === 'max';
  const domain = domainOf(info);
  switch (domain) {
    case 'bool':
    case 'integers':
    case 'floats':
      return new NumberExtremes(isMax, domain);
    case 'wide':
    case 'ticks':
      return new WordExtremes(isMax, dtypeFacts(info).isUnsigned, domain === 'ticks');
    case 'text':
      return new TextExtremes(isMax);
    case 'bytes':
      throw noOrder(info, wanted);
    default:
      return assertNever(domain);
  }
}

/** Of no value: null. Of nothing but NaN: NaN. */
class NumberExtremes implements ValueAccumulator {
  readonly summary: 'min' | 'max';
  readonly fold: 'min' | 'max';
  readonly #isMax: boolean;
  readonly #isBoolean: boolean;
  readonly #isWhole: boolean;
  #best = new Float64Array(1).fill(Number.NaN);
  #seen = new Float64Array(1);

  constructor(isMax: boolean, domain: Domain) {
    this.summary = this.fold = isMax ? 'max' : 'min';
    this.#isMax = isMax;
    this.#isBoolean = domain === 'bool';
    this.#isWhole = domain !== 'floats';
  }

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    if (values.kind !== 'numbers') return;
    this.#grow(groupCount);
    const { stored, validity } = values;
    if (groups === null && validity === null && rowCount > 0) {
      const best = this.#best[0] as number;
      const array = stored ?? values.numbers;
      this.#best[0] = this.#isMax ? largestOf(array, rowCount, best) : smallestOf(array, rowCount, best);
      this.#seen[0] = 1;
    } else if (groups === null) this.#addAll(values.numbers, values.validity, rowCount);
    else this.#addGroups(values.numbers, values.validity, rowCount, groups);
  }

  addSummary(group: number, _: number, value: number | bigint | string): void {
    this.#grow(group + 1);
    this.#offer(group, Number(value));
  }

  know(statistics: ColumnStatistics, isWhole: boolean): boolean {
    if (areNull(statistics)) return true;
    const bound = boundOf(statistics, this.#isMax);
    if (bound === null || typeof bound.value === 'string' || bound.value instanceof Uint8Array) return false;
    const value = Number(bound.value);
    const best = this.#best[0] as number;
    if (this.#isMax ? value <= best : value >= best) return true;
    // Of 0 the sign is not known.
    if (!isWhole || !bound.isExact || (value === 0 && !this.#isWhole)) return false;
    this.addSummary(0, 1, value);
    return true;
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    this.#grow(groupCount);
    const best = entriesOf(state, 'best', groupOf.length);
    for (const [index, group] of groupOf.entries())
      if (best[index] !== null) this.#offer(group, parseNumber(best[index]));
  }

  state(groupCount: number): AggregateState {
    const best = Array.from({ length: groupCount }, (_, group) => {
      return (this.#seen[group] ?? 0) === 0 ? null : jsonNumber(this.#best[group] as number);
    });
    return { best };
  }

  result(group: number): Cell {
    if ((this.#seen[group] ?? 0) === 0) return null;
    return this.#isBoolean ? this.#best[group] !== 0 : (this.#best[group] as number);
  }

  #addAll(numbers: Float64Array, validity: Uint8Array | null, rowCount: number): void {
    const isMax = this.#isMax;
    let best = this.#best[0] as number;
    let count = 0;
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      count += 1;
      const value = numbers[row] as number;
      if (isMax ? value > best : value < best) best = value;
      else if (best !== best) best = value;
    }
    this.#best[0] = best;
    if (count > 0) this.#seen[0] = 1;
  }

  #addGroups(numbers: Float64Array, validity: Uint8Array | null, rowCount: number, groups: Uint32Array): void {
    const isMax = this.#isMax;
    const bests = this.#best;
    const seen = this.#seen;
    const rows = { groups, values: numbers, validity };
    const done = foldRows(EXTREME, foldFlags(isMax, false, false), rows, 0, rowCount, [bests, seen]);
    for (let row = done; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const group = groups[row] as number;
      const value = numbers[row] as number;
      const best = bests[group] as number;
      seen[group] = 1;
      if (isMax ? value > best : value < best) bests[group] = value;
      else if (best !== best) bests[group] = value;
    }
  }

  #offer(group: number, value: number): void {
    const best = this.#best[group] as number;
    this.#seen[group] = 1;
    if (Number.isNaN(best) || (this.#isMax ? value > best : value < best)) this.#best[group] = value;
  }

  #grow(groupCount: number): void {
    this.#best = grown(this.#best, groupCount, Number.NaN);
    this.#seen = grown(this.#seen, groupCount);
  }
}

/** The upper half of NaT. */
const NAT_WORD = 0x8000_0000;

/** 64-bit values, compared as two words: a bigint for each would cost more than the read. */
class WordExtremes implements ValueAccumulator {
  readonly summary: 'min' | 'max';
  readonly fold: 'min' | 'max';
  readonly #isMax: boolean;
  readonly #unsigned: boolean;
  readonly #hasNaT: boolean;
  #highs = new Float64Array(1);
  #lows = new Float64Array(1);
  /** 0: no value; 1: nothing but NaT; 2: a value. */
  #found = new Float64Array(1);

  constructor(isMax: boolean, unsigned: boolean, hasNaT: boolean) {
    this.summary = this.fold = isMax ? 'max' : 'min';
    this.#isMax = isMax;
    this.#unsigned = unsigned;
    this.#hasNaT = hasNaT;
  }

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    if (values.kind !== 'words') return;
    this.#grow(groupCount);
    const { words, validity } = values;
    const [isMax, unsigned, hasNaT] = [this.#isMax, this.#unsigned, this.#hasNaT];
    const states = [this.#highs, this.#lows, this.#found] as const;
    const [highs, lows, founds] = states;
    const flags = foldFlags(isMax, unsigned, hasNaT);
    const rows = { groups, values: words, validity };
    for (let row = foldRows(WORD_EXTREME, flags, rows, 0, rowCount, states); row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const group = groups === null ? 0 : (groups[row] as number);
      const low = words[2 * row] as number;
      const word = words[2 * row + 1] as number;
      const found = founds[group] as number;
      if (hasNaT && word === NAT_WORD && low === 0) {
        if (found === 0) founds[group] = 1;
        continue;
      }
      const high = unsigned ? word : word | 0;
      if (found === 2) {
        const best = highs[group] as number;
        if (isMax ? high < best : high > best) continue;
        if (high === best && (isMax ? low <= (lows[group] as number) : low >= (lows[group] as number))) continue;
      }
      founds[group] = 2;
      highs[group] = high;
      lows[group] = low;
    }
  }

  addSummary(group: number, _: number, value: number | bigint | string): void {
    this.#offer(group, BigInt(value));
  }

  know(statistics: ColumnStatistics, isWhole: boolean): boolean {
    if (areNull(statistics)) return true;
    const bound = boundOf(statistics, this.#isMax);
    // A smallest value may stand for NaT.
    if (bound === null || typeof bound.value !== 'bigint' || (this.#hasNaT && bound.value === NAT)) return false;
    const best = this.#found[0] === 2 ? (this.result(0) as bigint) : null;
    if (best !== null && (this.#isMax ? bound.value <= best : bound.value >= best)) return true;
    if (!isWhole || !bound.isExact) return false;
    this.#offer(0, bound.value);
    return true;
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    this.#grow(groupCount);
    const best = entriesOf(state, 'best', groupOf.length);
    for (const [index, group] of groupOf.entries()) {
      if (best[index] === null) continue;
      const value = parseBigInt(best[index]);
      if (BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value)
        throw stateError('64-bit integers', value);
      this.#offer(group, value);
    }
  }

  state(groupCount: number): AggregateState {
    const best = Array.from({ length: groupCount }, (_, group) => {
      const value = this.result(group);
      return value === null ? null : String(value);
    });
    return { best };
  }

  result(group: number): Cell {
    const found = this.#found[group] ?? 0;
    if (found !== 2) return found === 1 ? NAT : null;
    return BigInt(this.#highs[group] as number) * 2n ** 32n + BigInt(this.#lows[group] as number);
  }

  #offer(group: number, value: bigint): void {
    const words = Uint32Array.of(Number(value & 0xffff_ffffn), Number((value >> 32n) & 0xffff_ffffn));
    this.add({ kind: 'words', words, validity: null }, 1, Uint32Array.of(group), group + 1);
  }

  #grow(groupCount: number): void {
    this.#highs = grown(this.#highs, groupCount);
    this.#lows = grown(this.#lows, groupCount);
    this.#found = grown(this.#found, groupCount);
  }
}
