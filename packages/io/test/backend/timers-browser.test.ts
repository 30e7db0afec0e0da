import { expect, test } from 'vitest';
import { nextTurn } from '../../src/backend/timers-browser.ts';

test('a message is a turn of the event loop, after which timers were called', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const start = performance.now();
  while (performance.now() - start < 30) await nextTurn();
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(1);
});
