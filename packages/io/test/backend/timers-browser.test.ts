import { expect, test } from 'vitest';
import { nextTurn } from '../../src/backend/timers-browser.ts';

test('a message is a turn of the event loop, after which timers were called', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  // However slow the machine is: turns are counted, not time.
  for (let turn = 0; turn < 1e6 && ticks < 3; turn += 1) await nextTurn();
  clearInterval(timer);
  expect(ticks).toBe(3);
});
