import { expect, test } from 'vitest';
import { isDType, parseDType } from '@colkit/io';
import { thrownBy } from '../support/thrown.ts';

test.each([
  ['bool', { kind: 'bool', itemBytes: 1 }],
  ['int8', { kind: 'int', itemBytes: 1 }],
  ['uint64', { kind: 'uint', itemBytes: 8 }],
  ['float16', { kind: 'float', itemBytes: 2 }],
  ['float128', { kind: 'float', itemBytes: 16 }],
  ['string', { kind: 'string', itemBytes: 0 }],
  ['binary', { kind: 'binary', itemBytes: 0 }],
  ['datetime64[us]', { kind: 'datetime', itemBytes: 8, unit: 'us', step: 1 }],
  ['timedelta64[25s]', { kind: 'timedelta', itemBytes: 8, unit: 's', step: 25 }],
  ['datetime64', { kind: 'datetime', itemBytes: 8, unit: null, step: 1 }],
  ['S16', { kind: 'bytes', itemBytes: 16, length: 16 }],
  ['U8', { kind: 'unicode', itemBytes: 32, length: 8 }],
] as const)('%s is taken apart', (name, info) => {
  expect(parseDType(name)).toEqual({ name, ...info });
  expect(isDType(name)).toBe(true);
});

test.each([
  '',
  'int',
  'Int8',
  'int128',
  'S',
  'S0',
  'S01',
  'U-1',
  'S1.5',
  'S9999999999',
  'datetime64[]',
  'datetime64[0s]',
  'datetime64[x]',
  'timedelta64[s',
  ' int8',
  '__proto__',
  'constructor',
])('%j is no dtype', (name) => {
  expect(isDType(name)).toBe(false);
  expect(thrownBy(() => parseDType(name))).toMatchObject({
    name: 'UnsupportedError',
    code: 'ERR_DTYPE',
    feature: name,
  });
});
