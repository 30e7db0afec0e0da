// Texts that are numbered and compared by their bytes, pairs that are numbered, and arguments that are refused.
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, native } from '../support.ts';

const WIDE = 'żółw';
const TEXTS = ['ab', '', WIDE, 'ab', 'abcdefgh1', 'abcdefgh2', '', WIDE, 'a\0', 'a', 'abcdefgh', '\u{10ffff}'];
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

  test('numberPairs gives numbers as pairs are met, whatever room there is', () => {
    const EDGES = [0, 1, 2 ** 31, NONE];
    const left = Uint32Array.from({ length: 500 }, (_, i) => EDGES[(i * i) % 4]! + (i % 11));
    const right = Uint32Array.from({ length: 500 }, (_, i) => EDGES[(i * 3) % 4]! ^ (i % 7));
    const validity = Uint8Array.from({ length: 63 }, (_, i) => (37 * i) & 255);
    const interleaved = Uint32Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? left : right)[i >> 1]!);
    for (const valid of [null, validity]) {
      const known = new Map<string, number>();
      const expected = Array.from(left, (a, i) => {
        if (valid !== null && ((valid[i >> 3]! >> (i & 7)) & 1) === 0) return NONE;
        const id = `${String(a)}/${String(right[i])}`;
        if (!known.has(id)) known.set(id, known.size);
        return known.get(id);
      });
      for (const [first, second] of [
        [left, right],
        [interleaved, null],
      ] as const) {
        const [facts, numbers] = [new Uint32Array(1), new Uint32Array(500)];
        const [slots, knownLeft, knownRight] = [new Uint32Array(1024), new Uint32Array(500), new Uint32Array(500)];
        let [done, turns] = [0, 0];
        // With room for one more each time.
        for (; done < 500; turns++) {
          const room = knownLeft.subarray(0, turns);
          const next = native().numberPairs(first, second, valid, done, numbers, slots, room, knownRight, facts);
          expect(next).toBeGreaterThanOrEqual(done);
          done = next;
        }
        expect([[...numbers], facts[0], turns]).toEqual([expected, known.size, known.size + 1]);
        expect(
          Array.from(knownLeft.subarray(0, known.size), (a, i) => `${String(a)}/${String(knownRight[i])}`),
        ).toEqual([...known.keys()]);
        // No more than half of the slots are taken.
        const few = native().numberPairs(
          first,
          second,
          valid,
          0,
          numbers,
          new Uint32Array(8),
          new Uint32Array(9),
          new Uint32Array(9),
          new Uint32Array(1),
        );
        expect(Math.max(...numbers.subarray(0, few).filter((number) => number !== NONE))).toBe(3);
      }
    }
  });

  test('numberPairs refuses what does not fit', () => {
    const words = (length: number): Uint32Array => new Uint32Array(length);
    const whole = (): unknown[] => [words(9), words(9), null, 0, words(9), words(64), words(9), words(9), words(1)];
    const call = (at: number, value: unknown) =>
      errorOf(() => (native().numberPairs as (...args: unknown[]) => number)(...whole().with(at, value)));
    for (const [at, value, argument] of [
      [0, new Int32Array(9), 'left'],
      [1, words(8), 'right'],
      [2, new Uint8Array(1), 'validity'],
      [3, -1, 'first'],
      [4, words(8), 'numbers'],
      [5, words(0), 'slots'],
      [5, words(48), 'slots'],
      [6, null, 'knownLeft'],
      [8, words(0), 'facts'],
      [8, Uint32Array.of(10), 'facts'],
    ] as const)
      expect([argument, call(at, value)]).toMatchObject([argument, { argument }]);
    const strange = whole().with(5, words(64).fill(NONE)).with(8, Uint32Array.of(9));
    expect((native().numberPairs as (...args: unknown[]) => number)(...strange)).toBe(0);
  });
});
