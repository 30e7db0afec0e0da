// The streamed document against the `bson` package, which writes it in one piece.
import { Binary, serialize } from 'bson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SYRAH_DTYPES } from '../../src/layout/dtype.ts';
import type { SyrahDType } from '../../src/layout/dtype.ts';
import { MetadataBuilder } from '../../src/write/metadata-builder.ts';
import { concat, i64s } from '@colkit/testkit/syr-bytes';

function build(
  keys: readonly { name: string; dtype: SyrahDType }[],
  items: readonly (readonly (readonly [number, number])[])[],
): { bytes: Uint8Array; announced: number } {
  const builder = new MetadataBuilder(keys);
  const announced = builder.byteLengthWith(items.length);
  for (const ranges of items) {
    for (const [key, [offset, size]] of ranges.entries()) builder.add(key, offset, size);
    builder.endItem();
  }
  expect(builder.itemCount).toBe(items.length);
  return { bytes: concat(...builder.blocks()), announced };
}

test('any keys and items: the same bytes, of the length announced', () => {
  const name = fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      fc.constantFrom('10', '2', '__proto__', 'constructor', ''),
    )
    .filter((text) => !text.includes('\0') && !/\p{Surrogate}/u.test(text));
  const key = fc.record({ name, dtype: fc.constantFrom(...SYRAH_DTYPES) });
  const range = fc.tuple(
    fc.integer({ min: 22, max: Number.MAX_SAFE_INTEGER }),
    fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { selector: (each) => each.name, minLength: 1, maxLength: 6 }).chain((keys) =>
        fc.tuple(
          fc.constant(keys),
          fc.array(fc.array(range, { minLength: keys.length, maxLength: keys.length }), {
            minLength: 1,
            maxLength: 200,
          }),
        ),
      ),
      ([keys, items]) => {
        const { bytes, announced } = build(keys, items);
        const document = new Map(
          keys.map(({ name: own, dtype }, k) => [
            own,
            {
              offset: new Binary(i64s(items.map((ranges) => ranges[k]![0]))),
              size: new Binary(i64s(items.map((ranges) => ranges[k]![1]))),
              dtype,
            },
          ]),
        );
        expect(Buffer.from(bytes).equals(Buffer.from(serialize(document)))).toBe(true);
        expect(announced).toBe(bytes.length);
      },
    ),
    { numRuns: 60 },
  );
});

test('columns longer than a chunk', () => {
  const items = Array.from({ length: 20_000 }, (_, i) => [[22 + i, i]] as const);
  const { bytes, announced } = build([{ name: 'x', dtype: 'uint8' }], items);
  expect(bytes.length).toBe(announced);
  expect(
    Buffer.from(bytes).equals(
      Buffer.from(
        serialize(
          {
            x: {
              offset: new Binary(i64s(items.map(([[offset]]) => offset))),
              size: new Binary(i64s(items.map(([[, size]]) => size))),
              dtype: 'uint8',
            },
          },
          { minInternalBufferSize: 1 << 20 } as never,
        ),
      ),
    ),
  ).toBe(true);
});

test('without items each key is there, with no offsets and no sizes; without keys the document is empty', () => {
  const none = new Binary(new Uint8Array(0));
  const { bytes, announced } = build(
    [
      { name: 'x', dtype: 'uint8' },
      { name: 'y', dtype: 'str' },
    ],
    [],
  );
  expect(
    Buffer.from(bytes).equals(
      Buffer.from(
        serialize({ x: { offset: none, size: none, dtype: 'uint8' }, y: { offset: none, size: none, dtype: 'str' } }),
      ),
    ),
  ).toBe(true);
  expect(announced).toBe(bytes.length);
  expect(Array.from(build([], []).bytes)).toEqual([5, 0, 0, 0, 0]);
});

test('the size is known at the limit of BSON, without any array', () => {
  const builder = new MetadataBuilder([{ name: 'x', dtype: 'uint8' }]);
  const fixed = builder.byteLengthWith(0);
  expect(builder.byteLengthWith(134_217_727)).toBe(fixed + 16 * 134_217_727);
});
