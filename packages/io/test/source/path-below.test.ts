// Which paths lie below a folder, by their text: of POSIX, of Windows whichever way its slashes lean, and URLs.
import { isPathBelow } from '@colkit/io';
import { expect, test } from 'vitest';

test.each([
  ['/data/a.cna', '/data', true],
  ['/data/a.cna', '/data/', true],
  ['/data/x/a.cna', '/data', true],
  ['/data', '/data', false],
  ['/database/a.cna', '/data', false],
  ['/data/../etc/a.cna', '/data', false],
  ['/data/..\\a.cna', '/data', false],
  // A backslash is a letter like others there.
  ['/data\\a.cna', '/data', false],
  ['anything', '', false],
  ['/anything', '', true],
  ['C:\\data\\a.cna', 'C:\\data', true],
  ['C:\\data\\a.cna', 'C:/data/', true],
  ['C:/data/a.cna', 'C:\\data\\', true],
  ['C:\\data\\..\\a.cna', 'C:\\data', false],
  ['C:\\database\\a.cna', 'C:\\data', false],
  ['\\\\host\\share\\a.cna', '\\\\host\\share', true],
  ['https://host/data/a.cna', 'https://host/data', true],
  ['https://host/data/%2E%2e/a.cna', 'https://host/data', false],
  ['https://host.evil/data/a.cna', 'https://host', false],
])('%j below %j: %s', (path, folder, isBelow) => {
  expect(isPathBelow(path, folder)).toBe(isBelow);
});
