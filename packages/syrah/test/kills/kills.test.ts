// The short form of the kill test (the full one: pnpm kill-test). It throws by itself on the first violation.
import { expect, test } from 'vitest';
import { killWriters } from './kill-writers.mjs';

test('a killed writer leaves no file or a whole one; its journal brings back every acknowledged item', async () => {
  const counts = await killWriters(12, 20261121);
  const total = [...counts.values()].reduce((sum, { kills }) => sum + kills, 0);
  const recovered = [...counts.values()].reduce((sum, count) => sum + count.recovered, 0);
  expect(total).toBe(12);
  expect(recovered).toBeGreaterThan(0);
}, 120_000);
