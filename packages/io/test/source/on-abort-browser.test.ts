// onAbort of browsers: as that of Node, and without AbortSignal.any, which those before 2024 do not have.
import { expect, test, vi } from 'vitest';
import { onAbort as inBrowsers } from '../../src/source/http/on-abort-browser.ts';
import { onAbort } from '../../src/source/http/on-abort.ts';

test.each([
  ['Node', onAbort],
  ['browsers', inBrowsers],
])('in %s: tells once, until it is stopped, and what was so before', (_, follow) => {
  vi.spyOn(AbortSignal, 'any').mockImplementation(() => expect.unreachable());
  const [one, other] = [new AbortController(), new AbortController()];
  const told: unknown[] = [];
  const stop = follow([one.signal, other.signal], (reason) => told.push(reason));
  const stopped = follow([one.signal], () => told.push('stopped'));
  stopped();
  one.abort('enough');
  expect(told).toEqual(['enough']);
  stop();
  other.abort('late');
  follow([one.signal], (reason) => told.push(reason));
  expect(told).toEqual(['enough', 'enough']);
  vi.restoreAllMocks();
});
