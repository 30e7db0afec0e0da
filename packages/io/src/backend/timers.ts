// Timers as the system has them. Tests put others in place of the global ones, which stand still until they are told
// (Jest, Vitest, sinon, `mock.timers` of node:test): whoever only lets others run would wait for ever.
import * as timers from 'node:timers';

// Named now: some of these programs replace what the module has, too.
const { setImmediate, setTimeout } = timers;

/** A turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export function waitFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
