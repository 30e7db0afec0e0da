// The example that users are shown trains a classifier to convergence, from a .syr file, with two workers, and with a
// fixed seed always the same one.
import { expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

test('softmax regression on digits reaches at least 88 % of those it never saw', () => {
  const example = fileURLToPath(new URL('../examples/train-digits.mjs', import.meta.url));
  const output = execFileSync(process.execPath, [example, temporaryFolder().root], { encoding: 'utf8' });
  expect(output).toContain('wrote 10000 digits');
  const accuracy = Number(/held-out digits: ([\d.]+) %/.exec(output)?.[1]);
  expect(accuracy).toBeGreaterThanOrEqual(88);
});
