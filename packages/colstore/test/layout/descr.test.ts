// numpy's dtype strings, both ways.
import { UnsupportedError, parseDType } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { formatDescr, parseDescr } from '../../src/layout/descr.ts';
import { errorOf } from '../support/files.ts';

const PAIRS = [
  ['|b1', 'bool'],
  ['|i1', 'int8'],
  ['<i2', 'int16'],
  ['<i4', 'int32'],
  ['<i8', 'int64'],
  ['|u1', 'uint8'],
  ['<u2', 'uint16'],
  ['<u4', 'uint32'],
  ['<u8', 'uint64'],
  ['<f2', 'float16'],
  ['<f4', 'float32'],
  ['<f8', 'float64'],
  ['<M8[ns]', 'datetime64[ns]'],
  ['<m8[s]', 'timedelta64[s]'],
  ['<M8[25s]', 'datetime64[25s]'],
  ['<M8', 'datetime64'],
  ['<m8', 'timedelta64'],
  ['<M8[D]', 'datetime64[D]'],
  ['|S1', 'S1'],
  ['|S16', 'S16'],
  ['<U10', 'U10'],
] as const;

describe('descr', () => {
  it.each(PAIRS)('%s is %s', (descr, name) => {
    expect(parseDescr(descr)).toEqual({ dtype: parseDType(name), bigEndian: false });
    expect(formatDescr(parseDType(name), 'x')).toBe(descr);
  });

  it('knows which items are big-endian', () => {
    for (const descr of ['>i2', '>f8', '>M8[us]', '>U3']) expect(parseDescr(descr)?.bigEndian).toBe(true);
    for (const descr of ['>i1', '>b1', '>S4', '=i4', 'f8', '|u1']) expect(parseDescr(descr)?.bigEndian).toBe(false);
  });

  it('refuses what the format cannot hold, naming the column and what to do', () => {
    for (const name of ['string', 'binary', 'float128']) {
      const error = errorOf(() => formatDescr(parseDType(name), 'note'));
      expect(error).toBeInstanceOf(UnsupportedError);
      expect(error).toMatchObject({ code: 'ERR_DTYPE', feature: name });
      expect((error as Error).message).toMatch(/^column "note"/);
    }
    expect((errorOf(() => formatDescr(parseDType('string'), 'note')) as Error).message).toContain(
      "typed('U16', values)",
    );
    expect(errorOf(() => formatDescr(parseDType('U600000000'), 'wide'))).toBeInstanceOf(UnsupportedError);
  });
});
