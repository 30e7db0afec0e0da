// Texts that are numbered and compared by their bytes, and arguments that are refused.
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, native } from './support.ts';

const TEXTS = ['ab', '', 'żółw', 'ab', 'abcdefgh1', 'abcdefgh2', '', 'żółw', 'a\0', 'a', 'abcdefgh', '\u{10ffff}'];
const bytes = Buffer.from(`.${TEXTS.join('')}`);
const ends = Uint32Array.from(TEXTS, (_, i) => Buffer.byteLength(`.${TEXTS.slice(0, i + 1).join('')}`));
const NONE = 4294967295;

describe.skipIf(!hasNative)('texts', () => {
  /** Numbers of TEXTS, with memory of some sizes at first. */
  function numbered(slotWords: number, room: number, byteLength: number) {
    const facts = Uint32Array.of(0, 12345, 67890);
    const numbers = new Uint32Array(TEXTS.length);
    let [slots, known, knownEnds] = [new Uint32Array(slotWords), new Uint8Array(byteLength), new Uint32Array(room)];
    let turns = 0;
    for (let done = 0; done < TEXTS.length; turns++) {
      done = native().numberTexts(bytes, 1, ends, done, numbers, slots, known, knownEnds, facts);
      if (done === TEXTS.length) break;
      // Whatever the larger table holds.
      const larger = new Uint32Array(2 * slots.length).fill(7);
      native().moveSlots(slots, larger);
      slots = larger;
      known = Uint8Array.from({ length: 2 * known.length + 1 }, (_, i) => known[i] ?? 0);
      knownEnds = Uint32Array.from({ length: 2 * knownEnds.length + 1 }, (_, i) => knownEnds[i] ?? 0);
    }
    const count = facts[0]!;
    const text = Buffer.from(known);
    const dictionary = Array.from({ length: count }, (_, i) =>
      text.subarray(i === 0 ? 0 : knownEnds[i - 1]!, knownEnds[i]!).toString(),
    );
    return { numbers: [...numbers], dictionary, turns };
  }

  test.each([
    [64, 100, 1000],
    [2, 100, 1000],
    [64, 0, 1000],
    [64, 100, 0],
    [2, 0, 0],
  ])('numberTexts gives numbers as texts are met: %i words of slots, room for %i and %i bytes', (...room) => {
    const dictionary = [...new Set(TEXTS)];
    const { turns, ...found } = numbered(...room);
    expect(found).toEqual({ numbers: TEXTS.map((text) => dictionary.indexOf(text)), dictionary });
    expect(turns > 0).toBe(room[0] < 64 || room[1] === 0 || room[2] === 0);
  });

  test('numberTexts goes on with what is known', () => {
    const facts = new Uint32Array(3);
    const [slots, known, knownEnds] = [new Uint32Array(128), new Uint8Array(100), new Uint32Array(20)];
    const numbers = new Uint32Array(2);
    const number = (...texts: string[]): number[] => {
      const given = Uint32Array.from(texts, (_, i) => texts.slice(0, i + 1).join('').length);
      native().numberTexts(Buffer.from(texts.join('')), 0, given, 0, numbers, slots, known, knownEnds, facts);
      return [...numbers];
    };
    expect([number('one', 'two'), number('two', 'three'), number('', 'one')]).toEqual([
      [0, 1],
      [1, 2],
      [3, 0],
    ]);
    expect(facts[0]).toBe(4);
  });

  test('numberTexts and moveSlots refuse what does not fit', () => {
    const whole = (): unknown[] => [
      bytes,
      1,
      ends,
      0,
      new Uint32Array(TEXTS.length),
      new Uint32Array(64),
      new Uint8Array(99),
      new Uint32Array(9),
      new Uint32Array(3),
    ];
    const call = (at: number, value: unknown) =>
      errorOf(() => (native().numberTexts as (...args: unknown[]) => number)(...whole().with(at, value)));
    for (const [at, value, argument] of [
      [0, new Int8Array(9), 'bytes'],
      [2, Uint32Array.of(3, 2), 'ends'],
      [2, Uint32Array.of(bytes.length + 1), 'ends'],
      [3, -1, 'first'],
      [4, new Uint32Array(2), 'numbers'],
      [5, new Uint32Array(48), 'slots'],
      [5, new Uint32Array(1), 'slots'],
      [7, new Int32Array(9), 'knownEnds'],
      [8, new Uint32Array(2), 'facts'],
      [8, Uint32Array.of(10, 0, 0), 'facts'],
    ] as const)
      expect([argument, call(at, value)]).toMatchObject([argument, { argument }]);
    // Slots and ends of nobody's: numbers that are not to be had are passed over, and nothing is read outside.
    const strange = whole()
      .with(5, new Uint32Array(64).fill(NONE))
      .with(8, Uint32Array.of(9, 0, 0));
    expect((native().numberTexts as (...args: unknown[]) => number)(...strange)).toBe(0);
    expect(errorOf(() => native().moveSlots(new Uint32Array(8).fill(1), new Uint32Array(4)))).toMatchObject({
      argument: 'larger',
    });
    expect(errorOf(() => native().moveSlots(new Uint32Array(3), new Uint32Array(4)))).toMatchObject({
      argument: 'slots',
    });
  });

  const order = (a: number, b: number): number => Buffer.compare(Buffer.from(TEXTS[a]!), Buffer.from(TEXTS[b]!));

  test.each([0, 1])('bestTexts tells the best of each group (%i: largest)', (most) => {
    for (const rowCount of [5, 12, 60, 400, 5000]) {
      const codes = Uint32Array.from({ length: rowCount }, (_, row) =>
        row % 6 === 5 ? NONE : (row * row + 3 * row) % TEXTS.length,
      );
      for (const groupCount of [1, 3, 40]) {
        const groups = codes.map((_, row) => (row * 13) % groupCount);
        for (const ofRows of groupCount === 1 ? [groups, null] : [groups]) {
          const best = new Uint32Array(groupCount + 1).fill(5);
          native().bestTexts(bytes, 1, ends, codes, ofRows, most, best);
          const expected = Array.from(best, (_, group) => {
            const of = [...codes].filter((code, row) => code !== NONE && groups[row] === group).sort(order);
            return of.length === 0 ? null : TEXTS[of.at(most === 1 ? -1 : 0)!];
          });
          expect(Array.from(best, (code) => (code === NONE ? null : TEXTS[code]))).toEqual(expected);
        }
      }
    }
    const best = new Uint32Array(1);
    native().bestTexts(bytes, 1, ends, null, null, most, best);
    expect(TEXTS[best[0]!]).toBe(most === 1 ? '\u{10ffff}' : '');
  });

  test.each([
    ['a code without a text', [3], [1, 2, 3], [0]],
    ['a group that is not there', [0], [1, 2, 3], [1]],
    ['ends that fall', [1], [3, 2, 2], [0]],
    ['ends beyond the bytes', [0], [4, 4, 4], [0]],
  ])('bestTexts refuses %s', (_, codes, wrongEnds, groups) => {
    for (const times of [1, 100]) {
      const many = (numbers: number[]): Uint32Array => Uint32Array.from({ length: times }, () => numbers[0]!);
      const call = () =>
        native().bestTexts(
          new Uint8Array(3),
          0,
          Uint32Array.from(wrongEnds),
          many(codes),
          many(groups),
          1,
          new Uint32Array(1),
        );
      expect(errorOf(call)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'codes' });
    }
  });

  test('bestTexts wants a group for each row', () => {
    const [codes, groups] = [new Uint32Array(3), new Uint32Array(2)];
    expect(errorOf(() => native().bestTexts(bytes, 1, ends, codes, groups, 1, new Uint32Array(1)))).toMatchObject({
      code: 'ERR_OUT_BUFFER',
      argument: 'groups',
    });
  });
});
