// The smallest or the largest text of each group, by code point: bytes are compared as they lie, strings as they are.
import { numberKernels } from '@colkit/io';
import { compareLiterals } from '../query/bind/literal-order.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import type { ByteTexts } from '../values/known-texts.ts';
import { compareText } from '../values/text-order.ts';
import { areNull, boundOf } from './accumulator.ts';
import type { ValueAccumulator } from './accumulator.ts';
import { NO_TEXT, utf8At } from './column-values.ts';
import type { ColumnValues } from './column-values.ts';
import { BlockNumbers, groupAt } from './groups/block-groups.ts';
import type { BlockGroups } from './groups/block-groups.ts';
import { GroupTexts } from './groups/group-texts.ts';
import { entriesOf, jsonValue, parseValue, stateError } from './state.ts';
import type { AggregateState } from './state.ts';

export class TextExtremes implements ValueAccumulator {
  readonly summary = null;
  readonly fold: 'min' | 'max';
  readonly #isMax: boolean;
  /** Null: it is among the others, if there is one. */
  readonly #best: (string | null)[] = [];
  readonly #bestBytes = new GroupTexts();
  readonly #numbers = new BlockNumbers();

  constructor(isMax: boolean) {
    this.#isMax = isMax;
    this.fold = isMax ? 'max' : 'min';
  }

  addSummary(group: number, _: number, value: number | bigint | string): void {
    this.#grow(group + 1);
    this.#offer(group, String(value));
  }

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    this.#grow(groupCount);
    const block = this.#numbers.of(groups, rowCount, groupCount);
    if (values.kind === 'utf8') this.#addUtf8(values, rowCount, block);
    if (values.kind === 'codes') this.#addCodes(values, rowCount, block);
  }

  #addCodes(
    { codes, texts, validity }: ColumnValues & { readonly kind: 'codes' },
    rowCount: number,
    { groups, count, groupOf }: BlockGroups,
  ): void {
    // For each group the code of its best text, or of the last one that was not: a text that was compared is not again.
    const compared = new Int32Array(count).fill(-1);
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const code = codes[row] as number;
      const at = groups === null ? 0 : (groups[row] as number);
      if (code === compared[at] || code < 0 || code >= texts.length) continue;
      compared[at] = code;
      this.#offer(groupAt(groupOf, at), texts[code] as string);
    }
  }

  /** Of each group one text is made at most. */
  #addUtf8(
    { texts, codes }: ColumnValues & { readonly kind: 'utf8' },
    rowCount: number,
    { groups, count, groupOf }: BlockGroups,
  ): void {
    const kernels = numberKernels();
    const best = new Uint32Array(count).fill(NO_TEXT);
    if (kernels !== null) {
      kernels.bestTexts(texts.bytes, texts.start, texts.ends, codes, groups, this.#isMax ? 1 : 0, best);
      for (let at = 0; at < count; at += 1) {
        const code = best[at] as number;
        if (code !== NO_TEXT) this.#offerBytes(groupAt(groupOf, at), texts, code);
      }
      return;
    }
    for (let row = 0; row < rowCount; row += 1) {
      const code = codes === null ? row : (codes[row] as number);
      const at = groups === null ? 0 : (groups[row] as number);
      if (code !== NO_TEXT) this.#offerBytes(groupAt(groupOf, at), texts, code);
    }
  }

  know(statistics: ColumnStatistics, isWhole: boolean): boolean {
    if (areNull(statistics)) return true;
    const bound = boundOf(statistics, this.#isMax);
    if (bound === null || !(typeof bound.value === 'string' || bound.value instanceof Uint8Array)) return false;
    const best = this.result(0);
    const order = best === null ? null : compareLiterals(bound.value, best);
    if (order !== null && (this.#isMax ? order <= 0 : order >= 0)) return true;
    const text = isWhole && bound.isExact ? textOf(bound.value) : null;
    if (text === null) return false;
    this.#grow(1);
    this.#offer(0, text);
    return true;
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    this.#grow(groupCount);
    const best = entriesOf(state, 'best', groupOf.length);
    for (const [index, group] of groupOf.entries()) {
      const text = parseValue(best[index]);
      if (typeof text === 'string') this.#offer(group, text);
      else if (text !== null) throw stateError('text', text);
    }
  }

  state(groupCount: number): AggregateState {
    return { best: Array.from({ length: groupCount }, (_, group) => jsonValue(this.result(group))) };
  }

  result(group: number): string | null {
    return this.#best[group] ?? this.#bestBytes.textOf(group);
  }

  #offerBytes(group: number, texts: ByteTexts, index: number): void {
    if (this.#best[group] === null) this.#bestBytes.offer(group, texts, index, this.#isMax);
    else this.#offer(group, utf8At(texts, index));
  }

  #offer(group: number, text: string): void {
    const best = this.#best[group] ?? this.#bestBytes.take(group);
    if (best !== null) {
      const order = compareText(text, best);
      if (this.#isMax ? order <= 0 : order >= 0) {
        this.#best[group] = best;
        return;
      }
    }
    this.#best[group] = text;
  }

  #grow(groupCount: number): void {
    while (this.#best.length < groupCount) this.#best.push(null);
    this.#bestBytes.grow(groupCount);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null for bytes that are no UTF-8: whoever reads them says so. */
function textOf(value: string | Uint8Array): string | null {
  if (typeof value === 'string') return value;
  try {
    return UTF8.decode(value);
  } catch {
    return null;
  }
}
