import { expect, test } from 'vitest';
import {
  ArgumentError,
  CannotViewError,
  ClosedError,
  ColkitError,
  CorruptFileError,
  IoError,
  LimitError,
  OutOfRangeError,
  QueryError,
  UnknownColumnError,
  UnsupportedError,
  assertNever,
  checkLimit,
  DEFAULT_LIMITS,
  isColkitError,
} from '@colkit/io';
import { thrownBy } from '../support/thrown.ts';

const cause = new Error('why');

test.each<[ColkitError, string, string, string]>([
  [
    new CorruptFileError('ERR_CRC', {
      path: 'a',
      region: 'page',
      byteOffset: 8,
      expected: '1',
      found: '2',
      column: 'x',
      rowGroup: 3,
      page: 4,
      cause,
    }),
    'CorruptFileError',
    'ERR_CRC',
    'a: page (column "x") at byte 8: expected 1 but found 2',
  ],
  [new UnsupportedError('ERR_VERSION', 'version 9', 'no'), 'UnsupportedError', 'ERR_VERSION', 'no'],
  [new LimitError('ERR_LIMIT', 'columns', 3, 4), 'LimitError', 'ERR_LIMIT', 'columns: expected at most 3 but found 4'],
  [
    new ArgumentError('ERR_VALUE', 'rows', 'a number', '"x"'),
    'ArgumentError',
    'ERR_VALUE',
    'rows: expected a number but found "x"',
  ],
  [
    new OutOfRangeError('rows', 100, 100, 3),
    'OutOfRangeError',
    'ERR_INDEX_OUT_OF_RANGE',
    'rows: expected integers in [-100, 100) but found 100 at position 3',
  ],
  [
    new UnknownColumnError('x', ['y', '__proto__']),
    'UnknownColumnError',
    'ERR_UNKNOWN_COLUMN',
    'unknown column "x"; available: "y", "__proto__"',
  ],
  [
    new UnknownColumnError(5n as never, ['y']),
    'UnknownColumnError',
    'ERR_UNKNOWN_COLUMN',
    'unknown column 5n; available: "y"',
  ],
  [
    new QueryError('ERR_QUERY_SYNTAX', 'a <', 3, 'unexpected end'),
    'QueryError',
    'ERR_QUERY_SYNTAX',
    'unexpected end at position 3 of "a <"',
  ],
  [new CannotViewError('ERR_NOT_MAPPED', 'r', 'm'), 'CannotViewError', 'ERR_NOT_MAPPED', 'no copy-free view: r; m'],
  [new ClosedError('read', 'a'), 'ClosedError', 'ERR_CLOSED', 'read: a is closed'],
  [new ClosedError('read', 'a', 'ERR_DETACHED'), 'ClosedError', 'ERR_DETACHED', 'read: the buffer of a was detached'],
  [new IoError('ERR_READ', 'read', 'a', 'EIO', cause), 'IoError', 'ERR_READ', 'a: read: EIO'],
])('%s', (error, name, code, message) => {
  expect(error).toBeInstanceOf(ColkitError);
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.code, error.message]).toEqual([name, code, message]);
  expect(isColkitError(error)).toBe(true);
});

test('causes are kept', () => {
  expect(new IoError('ERR_READ', 'read', 'a', 'EIO', cause).cause).toBe(cause);
  expect(
    new CorruptFileError('ERR_CRC', { path: 'a', region: 'b', byteOffset: 0, expected: '', found: '', cause }).cause,
  ).toBe(cause);
  expect('cause' in new IoError('ERR_READ', 'read', 'a', 'EIO')).toBe(false);
});

test('other errors and things are not of the family; those of another copy of the package are', () => {
  for (const other of [
    new Error('x'),
    new TypeError('x'),
    null,
    undefined,
    'IoError',
    { name: 'IoError', code: 'ERR_READ' },
  ])
    expect(isColkitError(other)).toBe(false);
  expect(isColkitError(Object.assign(new Error('x'), { name: 'IoError', code: 'ERR_READ' }))).toBe(true);
  expect(isColkitError(Object.assign(new Error('x'), { name: 'IoError' }))).toBe(false);
});

test('a value that breaks its type is reported', () => {
  expect(thrownBy(() => assertNever('other' as never))).toMatchObject({ name: 'ArgumentError', found: '"other"' });
  expect(thrownBy(() => assertNever(7 as never))).toMatchObject({ found: '7' });
});

test('limits let through what is at most as large, and refuse the rest and NaN', () => {
  checkLimit('columns', DEFAULT_LIMITS.maxColumns, DEFAULT_LIMITS.maxColumns);
  expect(thrownBy(() => checkLimit('columns', 4, 3))).toMatchObject({
    name: 'LimitError',
    code: 'ERR_LIMIT',
    limit: 3,
    value: 4,
  });
  expect(thrownBy(() => checkLimit('footer', NaN, 3, 'ERR_METADATA_TOO_LARGE'))).toMatchObject({
    code: 'ERR_METADATA_TOO_LARGE',
  });
  expect(Object.isFrozen(DEFAULT_LIMITS)).toBe(true);
});
