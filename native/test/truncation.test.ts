// A file that another process truncates while it is mapped must not take this process with it. Each in a child process.
import { describe, expect, test } from 'vitest';
import { hasNative, runChild, temporaryPath } from './support.ts';

describe.skipIf(!hasNative || process.platform === 'win32')('truncation', () => {
  test.each(['truncated-before.mjs', 'truncated-index-window.mjs'])('%s', (script) => {
    expect(runChild(script, [temporaryPath('column.bin')])).toMatchObject({ status: 0, stderr: '', stdout: 'alive\n' });
  });

  test('by another process, during gathers', () => {
    expect(runChild('truncated-during.mjs', [temporaryPath('column.bin')])).toMatchObject({
      status: 0,
      stderr: '',
      stdout: 'alive after 350 gathers\n',
    });
  });
});
