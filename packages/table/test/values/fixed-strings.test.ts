import { isColkitError } from '@colkit/io';
import { bytesOfHex, characterArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeFixedStrings } from '../../src/index.ts';
import { encodeFixedStringsUnchecked, fixedStringFault } from '../../src/values/fixed-strings.ts';

const golden = JSON.parse(readFileSync(new URL('../golden/all_types.json', import.meta.url), 'utf8')) as {
  readonly columns: readonly { readonly name: string; readonly bytes: string; readonly values: readonly string[] }[];
};
const column = (name: string) => golden.columns.find((own) => own.name === name)!;
const latin1OfUnits = (units: readonly number[]): string => units.map((unit) => String.fromCharCode(unit)).join('');
const latin1 = (hex: string): string => String.fromCharCode(...bytesOfHex(hex));

describe('numpy items', () => {
  test('S5, written in hexadecimal', () => {
    const { bytes, values } = column('s5');
    expect(decodeFixedStrings(bytesOfHex(bytes), 'S5')).toEqual(values.map(latin1));
  });

  test('U4, with characters beyond 16 bits', () => {
    const { bytes, values } = column('u4');
    expect(decodeFixedStrings(bytesOfHex(bytes), 'U4')).toEqual(values);
  });

  test('items at any alignment', () => {
    const { bytes, values } = column('u4');
    const packed = bytesOfHex(bytes);
    const shifted = new Uint8Array(packed.length + 1);
    shifted.set(packed, 1);
    expect(decodeFixedStrings(shifted.subarray(1), 'U4')).toEqual(values);
  });
});

describe('decoding', () => {
  test('trailing NULs are padding, embedded ones are text', () => {
    expect(decodeFixedStrings(bytesOfHex('00620061'.concat('00000000', '61000000', '00000041')), 'S4')).toEqual([
      '\0b\0a',
      '',
      'a',
      '\0\0\0A',
    ]);
    expect(decodeFixedStrings(bytesOfHex('00000000' + '62000000' + '00000000'), 'U3')).toEqual(['\0b']);
  });

  test('S bytes are characters up to U+00FF, or UTF-8 on request', () => {
    expect(decodeFixedStrings(bytesOfHex('c3a98000'), 'S2')).toEqual(['Ã©', '\x80']);
    expect(decodeFixedStrings(bytesOfHex('c3a98000'), 'S2', { encoding: 'utf8' })).toEqual(['é', '\uFFFD']);
  });

  test('what is no Unicode character in a U item reads as U+FFFD', () => {
    expect(decodeFixedStrings(bytesOfHex('00001100' + '00d80000' + 'ffffffff' + 'ffff1000'), 'U1')).toEqual([
      '\uFFFD',
      '\uFFFD',
      '\uFFFD',
      '\u{10FFFF}',
    ]);
  });

  test('items longer than one chunk, and many of them', () => {
    const long = new Uint8Array(10_000).fill(0x41);
    expect(decodeFixedStrings(long, 'S10000')).toEqual(['A'.repeat(10_000)]);
    const many = Uint8Array.from({ length: 3 * 5000 }, (_, index) => 65 + (index % 23));
    expect(decodeFixedStrings(many, 'S3')).toEqual(
      Array.from({ length: 5000 }, (_, item) => String.fromCharCode(...many.subarray(3 * item, 3 * item + 3))),
    );
    const wide = new Uint8Array(4 * 5000);
    for (let index = 0; index < 5000; index += 1) wide[4 * index] = 0x42;
    expect(decodeFixedStrings(wide, 'U5000')).toEqual(['B'.repeat(5000)]);
  });

  test.each([1, 3, 40, 2100])('U%i, many of them, short and empty ones too', (length) => {
    const count = Math.ceil(20_000 / length);
    const characters = ['', 'a', 'ÿ', 'ł', '\0b', '\u{1f600}', '\ufffd'];
    const texts = Array.from({ length: count }, (_, item) => {
      const piece = characters[item % 7] ?? '';
      return piece.repeat(Math.floor((item % (length + 1)) / Math.max(1, Array.from(piece).length)));
    });
    const bytes = new Uint8Array(4 * length * count + 1);
    const type = { kind: 'unicode', itemBytes: 4 * length, length } as const;
    encodeFixedStringsUnchecked(texts, type, 0, count, bytes);
    expect(decodeFixedStrings(bytes.subarray(0, -1), `U${length}`)).toEqual(texts);
    bytes.copyWithin(1, 0, bytes.length - 1);
    expect(decodeFixedStrings(bytes.subarray(1), `U${length}`)).toEqual(texts);
  });

  test('numbers as large as others are, of no character', () => {
    const words = Uint32Array.of(0xffff_ffff, 0x11_0000, 0xd800, 0xdfff, 0xe000, 0x10_ffff, 0x10000, 0);
    expect(decodeFixedStrings(new Uint8Array(words.buffer), 'U4')).toEqual([
      '\ufffd'.repeat(4),
      '\ue000\u{10ffff}\u{10000}',
    ]);
  });

  test('half an item and other dtypes are refused', () => {
    for (const attempt of [
      () => decodeFixedStrings(new Uint8Array(5), 'S4'),
      () => decodeFixedStrings(new Uint8Array(4), 'int32'),
    ]) {
      let thrown: unknown;
      try {
        attempt();
      } catch (error) {
        thrown = error;
      }
      expect(isColkitError(thrown) && thrown.code).toBe('ERR_ARGUMENT');
    }
  });
});

describe('many items', () => {
  const least = (decode: () => string[]): number => {
    const times = Array.from({ length: 7 }, () => {
      const start = process.cpuUsage();
      decode();
      const { user, system } = process.cpuUsage(start);
      return user + system;
    });
    return Math.min(...times);
  };

  test.each([1, 5, 63, 64, 4095, 4096, 4097, 10_000])('of %i bytes, some of them beyond ASCII, some empty', (width) => {
    const count = Math.ceil(20_000 / width) + 3;
    const bytes = new Uint8Array(width * count);
    const texts = Array.from({ length: count }, (_, item) => {
      const length = item % 3 === 0 ? width : (item * 7919) % (width + 1);
      const units = Array.from({ length }, (_, at) =>
        item % 5 === 4 && at % 9 === 0 ? 0x80 + (at % 128) : 33 + (at % 90),
      );
      bytes.set(units, item * width);
      return latin1OfUnits(units);
    });
    expect(decodeFixedStrings(bytes, `S${String(width)}` as 'S1')).toEqual(texts);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const asUtf8 = texts.map((text, item) => decoder.decode(bytes.subarray(item * width, item * width + text.length)));
    expect(decodeFixedStrings(bytes, `S${String(width)}` as 'S1', { encoding: 'utf8' })).toEqual(asUtf8);
  });

  test('padding takes a small part of the time of characters', () => {
    const padded = new Uint8Array(200 * 20_000).map((_, at) => (at % 200 === 0 ? 0x61 : 0));
    const full = padded.map((_, at) => 0xc0 + (at % 26));
    expect(
      least(() => decodeFixedStrings(padded, 'S200')) / least(() => decodeFixedStrings(full, 'S200')),
    ).toBeLessThan(0.6);
  });
});

describe('encoding', () => {
  const s4 = { kind: 'bytes', itemBytes: 4, length: 4 } as const;
  const u2 = { kind: 'unicode', itemBytes: 8, length: 2 } as const;

  test('encode and decode are inverse', () => {
    const latin = fc.string({
      unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 4,
    });
    const text = fc.string({ unit: characterArbitrary, maxLength: 2 }).filter((value) => !value.endsWith('\0'));
    fc.assert(
      fc.property(fc.array(latin), fc.array(text), (short, wide) => {
        for (const [texts, type, dtype] of [
          [short, s4, 'S4'],
          [wide, u2, 'U2'],
        ] as const) {
          expect(texts.map((value) => fixedStringFault(value, type))).toEqual(texts.map(() => null));
          const bytes = new Uint8Array(texts.length * type.itemBytes);
          encodeFixedStringsUnchecked(texts, type, 0, texts.length, bytes);
          expect(decodeFixedStrings(bytes, dtype)).toEqual(texts);
        }
      }),
    );
  });

  test('bytes, by hand', () => {
    const bytes = new Uint8Array(8);
    encodeFixedStringsUnchecked(['x', '😀é'], u2, 1, 2, bytes);
    expect([...bytes]).toEqual([0x00, 0xf6, 0x01, 0, 0xe9, 0, 0, 0]);
  });

  test.each([
    ['abcde', s4, /5 characters/],
    ['€', s4, /U\+20AC at character 0/],
    ['a\0', s4, /trailing NULs/],
    ['abc', u2, /3 code points/],
    ['\ud800', u2, /lone surrogate/],
    ['\udc00a', u2, /lone surrogate/],
    ['a\ud83d', u2, /lone surrogate at character 1/],
  ])('%j does not fit', (text, type, fault) => {
    expect(fixedStringFault(text, type)).toMatch(fault);
  });
});
