// Errors on their way between threads: of the family, whatever their class is called there.
import { expect, test } from 'vitest';
import { ArgumentError, CorruptFileError, isColkitError } from '../../src/index.ts';
import { receivedError, sentError } from '../../src/threads/index.ts';

const damaged = new CorruptFileError('ERR_CRC', {
  path: 'a.syr',
  region: 'item 3',
  byteOffset: 8,
  expected: 'a checksum of 1',
  found: '2',
});

test.each(['CorruptFileError', 'aB'])('an error of the family whose class is called %s', (name) => {
  const received = receivedError(structuredClone({ ...sentError(damaged), name }));
  expect(received).toMatchObject({ name, message: damaged.message, code: 'ERR_CRC', stack: damaged.stack });
  expect(isColkitError(received)).toBe(true);
});

test('an ArgumentError has its class and what it says apart; one of a user is no error of the family', () => {
  const wrong = new ArgumentError('ERR_ARGUMENT', 'keys', 'a list', 'null');
  const received = receivedError(structuredClone(sentError(wrong)));
  expect(received).toBeInstanceOf(ArgumentError);
  expect(received).toMatchObject({ argument: 'keys', expected: 'a list', found: 'null', message: wrong.message });
  const own = receivedError(structuredClone(sentError(new RangeError('no such key'))));
  expect(own).toMatchObject({ name: 'RangeError', message: 'no such key' });
  expect(isColkitError(own)).toBe(false);
});
