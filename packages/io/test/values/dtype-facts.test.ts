// The table of what element types can do, against what the types are: a name at a time.
import { expect, test } from 'vitest';
import {
  dtypeFacts,
  integerRange,
  isBinary,
  isBool,
  isFixedText,
  isFloat,
  isMoment,
  isRawItem,
  isTime,
  isVariableText,
  itemReader,
  parseDType,
  typedArrayOver,
} from '../../src/index.ts';

const NAMES = {
  bool: 'bool',
  integers: 'int8 uint8 int16 uint16 int32 uint32',
  wide: 'int64 uint64',
  floats: 'float16 float32 float64',
  ticks: 'datetime64[ms] datetime64 timedelta64[25s]',
  text: 'S5 U3 string',
  bytes: 'float128 binary',
};

test.each(Object.entries(NAMES).flatMap(([domain, names]) => names.split(' ').map((name) => [name, domain])))(
  '%s holds %s',
  (name, domain) => {
    const info = parseDType(name);
    const facts = dtypeFacts(info);
    expect(facts.domain).toBe(domain);
    expect(facts.isUnsigned).toBe(name.startsWith('uint'));
    expect(facts.isNumber).toBe(/int|float/.test(name));
    expect(facts.toFloats).toBe(/int|bool/.test(name));
    expect(isFixedText(info)).toBe(/^[SU]\d/.test(name));
    expect(isTime(info)).toBe(name.includes('64[') || name === 'datetime64');
    const elements = info.itemBytes === 0 ? 0 : typedArrayOver(info, new Uint8Array(info.itemBytes)).length;
    expect(facts.hasArray).toBe(elements === 1);
    expect(facts.adds).toBe(/int|bool|float(16|32|64)$/.test(name));
    expect(facts.orders).toBe(!/binary|float128/.test(name));
    expect(facts.inCsv).toBe(!/binary|float128|timedelta/.test(name));
    expect(facts.raw === null).toBe(/string|binary|float128/.test(name));
    expect([isBool(info), isFloat(info), isBinary(info), isVariableText(info), isRawItem(info)]).toEqual(
      [/^bool/, /^float(16|32|64)$/, /^binary/, /^string/, /^float128/].map((pattern) => pattern.test(name)),
    );
    expect(isMoment(info)).toBe(name.startsWith('datetime64'));
    expect(facts.unitBytes).toBe(isFixedText(info) ? info.itemBytes / info.length : 0);
  },
);

test('the range of every type of integers is that of its array', () => {
  for (const name of `${NAMES.integers} ${NAMES.wide}`.split(' ')) {
    const info = parseDType(name);
    const array = typedArrayOver(info, new Uint8Array(info.itemBytes)) as Int8Array | BigInt64Array;
    const kept = (value: bigint): bigint => {
      array[0] = array instanceof BigInt64Array || array instanceof BigUint64Array ? value : Number(value);
      return BigInt(array[0] ?? 0);
    };
    const [least, most] = integerRange(info);
    expect([kept(least), kept(most)]).toEqual([least, most]);
    expect([kept(least - 1n), kept(most + 1n)]).toEqual([most, least]);
  }
});

test('one item at any offset is what the typed array over it says', () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, at) => (at * 37 + 129) & 255);
  const view = new DataView(bytes.buffer);
  const names = `${NAMES.integers} ${NAMES.wide} ${NAMES.floats} ${NAMES.ticks}`.split(' ');
  for (const name of names) {
    const info = parseDType(name);
    for (let at = 0; at < 48; at += 1) {
      const expected = typedArrayOver(info, bytes.slice(at, at + info.itemBytes))[0];
      expect(itemReader(info)?.(view, at)).toBe(expected);
    }
  }
  const halves = parseDType('float16');
  for (const bits of [0, 0x8000, 1, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xbc01]) {
    const half = Uint8Array.of(bits & 255, bits >> 8);
    expect(itemReader(halves)?.(new DataView(half.buffer), 0)).toBe(typedArrayOver(halves, half)[0]);
  }
  expect(itemReader(parseDType('bool'))?.(new DataView(Uint8Array.of(0, 1, 2).buffer), 2)).toBe(true);
  for (const name of ['S5', 'U3', 'string', 'binary', 'float128']) expect(itemReader(parseDType(name))).toBeNull();
});
