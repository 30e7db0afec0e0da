import { bytesOfArray, dtypeOfArray, parseDType, typedArrayOver } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { checkShapeKeys, describeCollate, parseCollate } from '../../src/loader/collate.ts';
import { collateSamples } from '../../src/loader/collate/collate-samples.ts';
import type { CollateOption, CollateSpec, PaddedTensor } from '../../src/loader/collate.ts';
import { SampleError } from '../../src/loader/loader-errors.ts';
import type { Tensor } from '../../src/index.ts';

function collate(
  option: CollateOption,
  samples: readonly unknown[],
  keys: readonly string[] | null = null,
  transferable = false,
): unknown {
  const origins = samples.map((_, k) => ({ index: 10 + k, item: 100 + k, path: 'file.syr' }));
  return collateSamples(parseCollate(option) as CollateSpec, { samples, origins, keys, cast: null, transferable });
}
const f32 = (...values: number[]): Float32Array => Float32Array.from(values);

describe('stack', () => {
  test('tuples: one array for each value', () => {
    const batch = collate('stack', [
      [f32(1, 2), BigInt64Array.of(7n), 'a'],
      [f32(3, 4), BigInt64Array.of(8n), 'b'],
    ]) as [Tensor, Tensor, string[]];
    expect(batch).toEqual([
      { data: f32(1, 2, 3, 4), shape: [2, 2] },
      { data: BigInt64Array.of(7n, 8n), shape: [2, 1] },
      ['a', 'b'],
    ]);
  });

  test('objects, single arrays, numbers, bigints, booleans, tensors', () => {
    expect(
      collate('stack', [
        { x: f32(1), n: 5 },
        { x: f32(2), n: 6 },
      ]),
    ).toEqual({ x: { data: f32(1, 2), shape: [2, 1] }, n: { data: Float64Array.of(5, 6), shape: [2] } });
    expect(collate('stack', [f32(1), f32(2)])).toEqual({ data: f32(1, 2), shape: [2, 1] });
    expect(collate('stack', [1n, 2n])).toEqual({ data: BigInt64Array.of(1n, 2n), shape: [2] });
    expect(collate('stack', [true, false])).toEqual({ data: Uint8Array.of(1, 0), shape: [2] });
    expect(
      collate('stack', [
        { data: f32(1, 2, 3, 4), shape: [2, 2] },
        { data: f32(5, 6, 7, 8), shape: [2, 2] },
      ]),
    ).toEqual({ data: f32(1, 2, 3, 4, 5, 6, 7, 8), shape: [2, 2, 2] });
  });

  test('an array whose buffer was transferred is an error with item and key, cast or not', () => {
    const sent = f32(1, 2);
    structuredClone(sent, { transfer: [sent.buffer as ArrayBuffer] });
    const origins = [10, 11].map((index) => ({ index, item: 90 + index, path: 'file.syr' }));
    for (const second of [sent, { data: sent, shape: [2] }]) {
      const samples = [{ x: f32(1, 2) }, { x: second }];
      for (const [kind, cast] of [
        ['stack', null],
        ['pad', null],
        ['list', { x: 'float64' }],
      ] as const) {
        const making = (): unknown =>
          collateSamples({ kind }, { samples, origins, keys: null, cast, transferable: false });
        expect(making).toThrow(expect.objectContaining({ code: 'ERR_DETACHED', key: 'x', item: 101 }));
      }
    }
  });

  test('shapes by key', () => {
    const option = { kind: 'stack', shapes: { image: [2, 2] } } as const;
    expect(collate(option, [[f32(1, 2, 3, 4), f32(1)]], ['image', 'label'])).toEqual([
      { data: f32(1, 2, 3, 4), shape: [1, 2, 2] },
      { data: f32(1), shape: [1, 1] },
    ]);
    expect(() => collate(option, [[f32(1, 2, 3)]], ['image'])).toThrow(
      /file\.syr: item 100, key "image": .*4 elements, for the shape \[2, 2\] but found 3/,
    );
  });

  test('keys that every object has are names like others', () => {
    const names = ['constructor', '__proto__', 'toString', '10'];
    expect(collate('stack', [names.map((_, k) => f32(k, 1))], names)).toEqual(
      names.map((_, k) => ({ data: f32(k, 1), shape: [1, 2] })),
    );
    const shapes = JSON.parse('{"__proto__": [2, 1]}') as Record<string, number[]>;
    expect(collate({ kind: 'stack', shapes }, [names.map((_, k) => f32(k, 1))], names)).toEqual(
      names.map((name, k) => ({ data: f32(k, 1), shape: name === '__proto__' ? [1, 2, 1] : [1, 2] })),
    );
  });

  test.each([[{ image: 'x' }], [{ image: [2, -1] }], [{ image: [0.5] }], [{ image: null }]])(
    'the shapes %j are refused',
    (shapes) => {
      expect(() => parseCollate({ kind: 'stack', shapes: shapes as never })).toThrow(
        /the shape of "image": expected a list of lengths/,
      );
    },
  );

  test('half-precision', () => {
    const halves = (value: number) => typedArrayOver(parseDType('float16'), Uint8Array.of(0, value));
    const { data, shape } = collate('stack', [halves(0x3c), halves(0x40)]) as Tensor;
    expect([dtypeOfArray(data), shape, Array.from(data as Float32Array)]).toEqual(['float16', [2, 1], [1, 2]]);
  });

  test.each<[string, unknown[]]>([
    ['unequal lengths', [[f32(1, 2)], [f32(1)]]],
    ['unequal shapes', [[{ data: f32(1, 2), shape: [1, 2] }], [{ data: f32(1, 2), shape: [2, 1] }]]],
    ['unequal types', [[f32(1)], [Float64Array.of(1)]]],
    ['an array and a number', [[f32(1)], [5]]],
    ['numbers and text', [[1], ['1']]],
    ['null', [[f32(1)], [null]]],
  ])('%s: the error names item and key, and what to do', (_, samples) => {
    try {
      collate('stack', samples, ['features']);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(SampleError);
      expect(error).toMatchObject({
        code: 'ERR_VALUE',
        key: 'features',
        path: 'file.syr',
        item: expect.any(Number) as number,
      });
      expect((error as Error).message).toMatch(/key "features"/);
    }
  });

  test.each<[string, unknown[], RegExp]>([
    [
      'a tuple of more values',
      [[f32(1)], [f32(1), f32(2)]],
      /1 values, as in the batch's first sample but found 2 values/,
    ],
    ['a tuple of fewer', [[f32(1), f32(2)], [f32(1)]], /2 values.*found 1 values/],
    ['an object among tuples', [[f32(1)], { x: f32(1) }], /1 values.*found an object/],
    ['another key', [{ x: 1 }, { y: 1 }], /keys of the batch's first sample: "x" but found "y"/],
    ['one key more', [{ x: 1 }, { x: 1, y: 1 }], /found "x", "y"/],
    ['one key less', [{ x: 1, y: 1 }, { x: 1 }], /found "x"/],
    ['a tuple among objects', [{ x: 1 }, [1]], /keys of the batch's first sample: "x" but found a list/],
    ['a Map, which has no keys of its own', [new Map([['x', 1]]), new Map([['x', 2]])], /found an object \(Map\)/],
    ['a Date', [[new Date(0)], [new Date(1)]], /found a Date \(1970/],
    [
      'fewer elements than the shape has',
      [[{ data: f32(1, 2, 3), shape: [2, 2] }], [{ data: f32(1, 2, 3), shape: [2, 2] }]],
      /a shape of its 3 elements but found \[2, 2\]/,
    ],
    [
      'more of them',
      [[{ data: f32(1, 2, 3), shape: [2] }], [{ data: f32(1, 2, 3), shape: [2] }]],
      /a shape of its 3 elements but found \[2\]/,
    ],
    ['a bigint beyond int64', [[1n], [2n ** 63n]], /an int64 .* found 9223372036854775808n/],
    ['a bigint below int64', [[1n], [-(2n ** 63n) - 1n]], /an int64/],
  ])('%s is refused', (_, samples, message) => {
    expect(() => collate('stack', samples)).toThrow(
      expect.objectContaining({
        name: 'SampleError',
        code: 'ERR_VALUE',
        message: expect.stringMatching(message) as string,
      }),
    );
  });

  test('the ends of int64, zero-length arrays, tensors without dimensions', () => {
    expect(collate('stack', [[-(2n ** 63n)], [2n ** 63n - 1n]])).toEqual([
      { data: BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n), shape: [2] },
    ]);
    expect(collate('stack', [[f32()], [f32()]])).toEqual([{ data: f32(), shape: [2, 0] }]);
    expect(collate('pad', [[f32()], [f32()]])).toEqual([{ data: f32(), shape: [2, 0], lengths: Int32Array.of(0, 0) }]);
    expect(collate('stack', [[{ data: f32(7), shape: [] }], [{ data: f32(8), shape: [] }]])).toEqual([
      { data: f32(7, 8), shape: [2] },
    ]);
    expect(collate('list', [new Map([[1, 2]])])).toEqual([new Map([[1, 2]])]);
    expect(collate('stack', [{}, {}])).toEqual({});
  });

  test('results of their own buffers where they are to be sent', () => {
    const [a, b] = collate('stack', [[f32(1), f32(2)]], null, true) as [Tensor, Tensor];
    expect(a.data.buffer).not.toBe(b.data.buffer);
    expect(a.data.buffer.byteLength).toBe(4);
  });
});

describe('pad', () => {
  test('rows of the longest, with lengths', () => {
    expect(collate('pad', [[f32(1, 2)], [f32()], [f32(3)]])).toEqual([
      { data: f32(1, 2, 0, 0, 3, 0), shape: [3, 2], lengths: Int32Array.of(2, 0, 1) },
    ]);
  });

  test('another value, and a mask', () => {
    expect(collate({ kind: 'pad', value: -1, mask: true }, [[f32(1, 2)], [f32(3)]])).toEqual([
      { data: f32(1, 2, 3, -1), shape: [2, 2], lengths: Int32Array.of(2, 1), mask: Uint8Array.of(1, 1, 1, 0) },
    ]);
    const [padded] = collate({ kind: 'pad', value: 9 }, [[BigInt64Array.of(1n)], [new BigInt64Array(0)]]) as [
      PaddedTensor,
    ];
    expect(padded.data).toEqual(BigInt64Array.of(1n, 9n));
    expect('mask' in padded).toBe(false);
  });

  test.each<[string, number | bigint, unknown[]]>([
    ['half an integer', 0.5, [Int32Array.of(1), new Int32Array(0)]],
    ['half a 64-bit integer', 0.5, [BigInt64Array.of(1n), new BigInt64Array(0)]],
    ['NaN in integers', NaN, [Int8Array.of(1), new Int8Array(0)]],
    ['a negative number in unsigned ones', -1, [Uint8Array.of(1), new Uint8Array(0)]],
    ['more than a byte', 256n, [Uint8Array.of(1), new Uint8Array(0)]],
    ['beyond 64 bits', 2n ** 63n, [BigInt64Array.of(1n), new BigInt64Array(0)]],
  ])('%s is no padding', (_, value, arrays) => {
    expect(() =>
      collate(
        { kind: 'pad', value },
        arrays.map((array) => [array]),
        ['x'],
      ),
    ).toThrow(expect.objectContaining({ name: 'SampleError', code: 'ERR_VALUE', key: 'x', item: 101 }));
    expect(collate({ kind: 'pad', value }, [[arrays[0]]], ['x'])).toMatchObject([{ shape: [1, 1] }]);
  });

  test('a value that is no number is refused', () => {
    for (const value of ['x', {}, true])
      expect(() => parseCollate({ kind: 'pad', value: value as never })).toThrow(
        /collate: value: expected a number or bigint/,
      );
  });

  test('text stays a list; tensors of more dimensions are refused', () => {
    expect(collate('pad', [['a'], ['bc']])).toEqual([['a', 'bc']]);
    expect(() => collate('pad', [[{ data: f32(1), shape: [1, 1] }]])).toThrow(/one dimension/);
  });

  test('half-precision padding', () => {
    const [padded] = collate({ kind: 'pad', value: 1 }, [
      [typedArrayOver(parseDType('float16'), Uint8Array.of(0, 0x40))],
      [typedArrayOver(parseDType('float16'), new Uint8Array(0))],
    ]) as [PaddedTensor];
    expect(Array.from(bytesOfArray(padded.data))).toEqual([0, 0x40, 0, 0x3c]);
  });
});

test('a shape of a key that no sample has is refused', () => {
  const spec = parseCollate({ kind: 'stack', shapes: { imgae: [2, 2] } });
  expect(() => checkShapeKeys(spec, { keys: ['image', 'label'], positions: false })).toThrow(
    /collate: shapes: expected shapes of the keys "image", "label" but found "imgae"/,
  );
  expect(() => checkShapeKeys(spec, { keys: ['imgae'], positions: false })).not.toThrow();
});

test('list leaves values apart', () => {
  const samples = [
    [f32(1, 2), 'a'],
    [f32(3), 'b'],
  ];
  const [arrays, texts] = collate('list', samples) as [Float32Array[], string[]];
  expect(arrays[0]).toBe(samples[0]![0]);
  expect([arrays.length, texts]).toEqual([2, ['a', 'b']]);
});

test('options that are none are refused; descriptions tell options apart', () => {
  expect(() => parseCollate('sum' as never)).toThrow(/collate/);
  const options: CollateOption[] = [
    'stack',
    { kind: 'stack', shapes: { a: [2] } },
    'pad',
    { kind: 'pad', value: 1 },
    { kind: 'pad', value: 2n, mask: true },
    { kind: 'pad', value: NaN },
    { kind: 'pad', value: Infinity },
    { kind: 'pad', value: -Infinity },
    'list',
    () => null,
  ];
  const texts = options.map((option) => describeCollate(parseCollate(option)));
  expect(new Set(texts).size).toBe(options.length);
  for (const text of texts.slice(0, -1))
    expect(describeCollate(parseCollate(JSON.parse(text) as CollateOption))).toBe(text);
});
