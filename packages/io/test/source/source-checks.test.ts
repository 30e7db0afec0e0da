// What the system says, as errors of the family: the class and code tell what a caller can do.
import { expect, test } from 'vitest';
import { readFailed } from '../../src/source/source-checks.ts';
import { messageOf, systemCode } from '../../src/errors/system-error.ts';

const systemError = (code: string): Error => Object.assign(new Error(`${code}: said the system`), { code });

test.each([
  ['ENOENT', 'ERR_NOT_FOUND'],
  ['ENOTDIR', 'ERR_NOT_FOUND'],
  ['EIO', 'ERR_READ'],
  ['EACCES', 'ERR_READ'],
])('a read that fails with %s is %s', (code, expected) => {
  const cause = systemError(code);
  const error = readFailed('open', 'data.bin', cause);
  expect(error).toMatchObject({ name: 'IoError', code: expected, operation: 'open', path: 'data.bin', cause });
  // The path is there already; what else the system says is passed on.
  expect(error.message.endsWith('said the system')).toBe(expected === 'ERR_READ');
});

test('a listed name that is no UTF-8 is told as such', () => {
  const { message } = readFailed('open', 'days/caf\ufffd.cna', systemError('ENOENT'));
  expect(message).toContain('no such file (a name that is no UTF-8 cannot be opened: rename the file)');
  expect(readFailed('open', 'days/café.cna', systemError('ENOENT')).message).not.toContain('UTF-8');
});

test.each(['EMFILE', 'ENFILE'])('too many open files (%s) say what to do', (code) => {
  expect(readFailed('open', 'data.bin', systemError(code)).message).toContain('`ulimit -n`, or open fewer at a time');
});

test('whatever is thrown has a code, be it empty, and a message', () => {
  expect(systemCode(systemError('ENOSPC'))).toBe('ENOSPC');
  for (const other of [
    new Error('x'),
    Object.assign(new Error('x'), { code: 5 }),
    { code: 'EIO' },
    'EIO',
    null,
    undefined,
  ])
    expect(systemCode(other)).toBe('');
  expect([messageOf(new Error('why')), messageOf('text'), messageOf(7), messageOf(null)]).toEqual([
    'why',
    'text',
    '7',
    'null',
  ]);
});
