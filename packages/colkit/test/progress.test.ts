// Progress is for people: on stderr, only where it is a terminal, and gone when the command is done.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeOrders } from './support/orders.ts';
import { runHere as run, withoutSpinner } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-progress-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const orders = join(folder, 'orders.cna');
writeOrders(orders, 2000, { rowGroupSize: 500 });

it('is shown on a terminal, and taken away', async () => {
  const { code, err } = await run(true, 'inspect', orders, '--explain');
  expect(code).toBe(0);
  expect(err).toContain('row group 3 of 4');
  // The cursor comes back, and the line is empty.
  // eslint-disable-next-line no-control-regex -- what a spinner writes
  expect(err).toMatch(/\u001b\[\?25h\r\u001b\[2K$/);
});

it('is not in the way elsewhere, and the result is the same', async () => {
  const [shown, silent] = [
    await run(true, 'convert', orders, join(folder, 'a.csv')),
    await run(false, 'convert', orders, join(folder, 'a.csv'), '-f'),
  ];
  expect(shown.err).not.toBe('');
  expect(silent.err).toBe('');
  expect(silent.out).toBe(shown.out);
});

it('is taken away before an error is told', async () => {
  const { code, err } = await run(true, 'verify', join(folder, 'nowhere.cna'));
  expect(code).toBe(1);
  expect(err).toContain('\r\u001b[2Kcolkit verify: ');
  expect(withoutSpinner(err)).toContain('verifying');
  expect(err).toContain('ERR_NOT_FOUND');
});
