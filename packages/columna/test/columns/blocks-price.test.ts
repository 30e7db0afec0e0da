// Texts in blocks: of rows at random each needs a whole block, which mode `fast` counts.
import { expect, it } from 'vitest';
import { costOf } from '../../src/columns/chooser.ts';
import * as blocks from '../../src/columns/encodings/blocks/size.ts';
import { EncodingChooser } from '../../src/write/encode/choose-encoding.ts';
import { rulesOf } from '../../src/write/encode/modes.ts';
import { concatenate } from '../../src/write/values/column-values.ts';

it('inflating counts twice in fast, once in default, for an estimate too', () => {
  const texts = Array.from({ length: 6000 }, (_, i) =>
    new TextEncoder().encode(`number ${String((i * i) % 9973)} of all`),
  );
  const strings = concatenate(texts);
  const costs = (mode: 'fast' | 'default', inflatedTimes: number): number[] => {
    const rules = { ...rulesOf(mode), inflatedTimes };
    const chooser = new EncodingChooser(rules);
    return [blocks.size(strings, chooser), blocks.estimate(strings, chooser)].map((each) => costOf(each, rules));
  };
  for (const [mode, times] of [
    ['fast', 2],
    ['default', 1],
  ] as const) {
    const [once, twice] = [costs(mode, 1), costs(mode, 2)];
    for (const [i, cost] of twice.entries()) expect(cost).toBeGreaterThan(once[i] as number);
    expect(costs(mode, rulesOf(mode).inflatedTimes)).toEqual(times === 2 ? twice : once);
  }
});
