import { afterEach, expect, test, vi } from 'vitest';
import { doneAtOnce, mayDoAtOnce } from '../../src/memory/at-once.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('small work is done on the calling thread, but not for a while after it had to wait for a disk', () => {
  let now = performance.now() + 10_000;
  let { majorPageFault } = process.resourceUsage();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const usage = vi
    .spyOn(process, 'resourceUsage')
    .mockImplementation(() => ({ majorPageFault }) as ReturnType<typeof process.resourceUsage>);
  const work = (ms: number, faults: number): boolean => {
    if (!mayDoAtOnce()) return false;
    now += ms;
    majorPageFault += faults;
    doneAtOnce();
    return true;
  };
  // What other tests of this process waited for is asked for here, once.
  work(30, 0);
  now += 1000;
  expect(work(0.1, 0)).toBe(true);
  usage.mockClear();
  expect(work(0.1, 0)).toBe(true);
  // Not asked for what was quick.
  expect(usage).not.toHaveBeenCalled();
  // Long for want of a processor.
  expect(work(30, 0)).toBe(true);
  expect(work(0.1, 1)).toBe(true);
  expect(work(30, 2)).toBe(true);
  expect(work(0.1, 0)).toBe(false);
  now += 500;
  expect(work(0.1, 0)).toBe(false);
  now += 500;
  expect(work(0.1, 0)).toBe(true);
  expect(work(0.1, 0)).toBe(true);
});
