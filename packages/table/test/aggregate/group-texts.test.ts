// One text a group, kept as bytes, beside a Map of strings; and aggregates that are given texts as strings in one block
// and as UTF-8 in the next.
import { parseDType } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import type { ColumnValues } from '../../src/aggregate/column-values.ts';
import { Ends } from '../../src/aggregate/ends.ts';
import { GroupTexts } from '../../src/aggregate/groups/group-texts.ts';
import type { AggregateState } from '../../src/aggregate/state.ts';
import { TextExtremes } from '../../src/aggregate/text-extremes.ts';
import { compareText } from '../../src/values/text-order.ts';
import { upTo } from '../support/tables.ts';

const GROUPS = 40;
const POOL = ['', 'a', 'ab', 'b', 'é', '\uFFFD', '\u{1F600}', '\u{1F601}', '\0', 'user-1', 'user-12', 'x'.repeat(300)];
const order = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Behind bytes of others, as they lie in a page. */
function bytesOf(texts: readonly string[]) {
  const ends: number[] = [];
  let bytes = Buffer.from('..');
  for (const text of texts) {
    bytes = Buffer.concat([bytes, Buffer.from(text)]);
    ends.push(bytes.length);
  }
  return { bytes, start: 2, ends: Uint32Array.from(ends) };
}

test.each([1, 2, 3, 4])('texts of groups are those of a Map (%i)', (seed) => {
  const random = createRandom(seed);
  const own = new GroupTexts();
  const known = new Map<number, string>();
  for (let turn = 0; turn < 3000; turn++) {
    own.grow(Math.min(GROUPS, 1 + (turn >> 3)));
    const group = random.integer(Math.min(GROUPS, 1 + (turn >> 3)));
    const given = [random.pick(POOL), random.pick(POOL) + 'z'.repeat(random.integer(60))];
    const index = random.integer(2);
    const text = given[index] as string;
    const best = known.get(group);
    switch (random.integer(8)) {
      case 0:
        own.set(group, bytesOf(given), index);
        known.set(group, text);
        break;
      case 1:
        expect(own.take(group)).toBe(best ?? null);
        known.delete(group);
        break;
      default: {
        const isMax = random.integer(2) === 0;
        own.offer(group, bytesOf(given), index, isMax);
        if (best === undefined || (isMax ? order(text, best) > 0 : order(text, best) < 0)) known.set(group, text);
      }
    }
    expect(own.textOf(group)).toBe(known.get(group) ?? null);
  }
  expect(upTo(GROUPS).map((group) => own.textOf(group))).toEqual(upTo(GROUPS).map((group) => known.get(group) ?? null));
});

/** Blocks of the same rows in the forms that sources have. */
function valuesOf(texts: readonly (string | null)[], form: number): ColumnValues {
  const present = texts.map((text) => text ?? '');
  const codes = texts.map((text, row) => (text === null ? -1 : row));
  return form === 0
    ? { kind: 'codes', codes: Int32Array.from(codes), texts: present, validity: null }
    : { kind: 'utf8', texts: bytesOf(present), codes: Uint32Array.from(codes), validity: null };
}

describe.each(['first', 'last', 'min', 'max'] as const)('%s', (wanted) => {
  test.each([5, 6, 7])('of strings, UTF-8 and what others gathered (%i)', (seed) => {
    const random = createRandom(seed);
    const make = () =>
      wanted === 'first' || wanted === 'last'
        ? new Ends(parseDType('string'), wanted)
        : new TextExtremes(wanted === 'max');
    const own = make();
    const seen: string[][] = upTo(GROUPS).map(() => []);
    for (let turn = 0; turn < 40; turn++) {
      const rowCount = random.pick([1, 7, 300]);
      const groups = Uint32Array.from({ length: rowCount }, () => random.integer(GROUPS));
      // Strings that no UTF-8 has come as strings alone.
      const form = random.integer(3);
      const pool = form === 0 ? [...POOL, null, '\uD800', '\uDC00a'] : [...POOL, null];
      const texts = upTo(rowCount).map(() => random.pick(pool));
      for (const [row, text] of texts.entries()) if (text !== null) seen[groups[row] as number]?.push(text);
      if (form < 2) own.add(valuesOf(texts, form), rowCount, groups, GROUPS);
      else {
        const other = make();
        other.add(valuesOf(texts, 1), rowCount, groups, GROUPS);
        const state = JSON.parse(JSON.stringify(other.state(GROUPS))) as AggregateState;
        own.merge(state, Uint32Array.from(upTo(GROUPS)), GROUPS);
      }
    }
    const answer = (texts: readonly string[]): string | null => {
      if (texts.length === 0) return null;
      if (wanted === 'first' || wanted === 'last') return texts.at(wanted === 'first' ? 0 : -1) as string;
      return texts.reduce((best, text) =>
        (wanted === 'min' ? compareText(text, best) < 0 : compareText(text, best) > 0) ? text : best,
      );
    };
    expect(upTo(GROUPS).map((group) => own.result(group))).toEqual(seen.map(answer));
  });
});
