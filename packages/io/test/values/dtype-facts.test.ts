// The table of what element types can do, against what the types are: a name at a time.
import { expect, test } from 'vitest';
import { dtypeFacts, isFixedText, isTime, parseDType, typedArrayOver } from '../../src/index.ts';

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
  },
);
