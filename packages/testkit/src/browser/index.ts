// A real browser of this machine for tests: Chromium, or the one that COLKIT_BROWSER names. Their programs end with
// KEEP_FAULTS, so that what goes wrong in a page, its frames or its worker is told whatever the engine.
import type { TestBrowser } from './tab.ts';
import { chromium } from './chromium.ts';
import { firefox, webkit } from './others.ts';

export type { Tab, TestBrowser } from './tab.ts';
export { KEEP_FAULTS } from './tab.ts';
export { chromiumPath, launchChromium } from './chromium.ts';

/** By the names that COLKIT_BROWSER takes; each is null where the machine has none. */
const BROWSERS: Readonly<Record<string, () => TestBrowser | null>> = {
  chromium,
  firefox,
  webkit: () => webkit(true),
  // As Safari before 26, which has no createWritable.
  'older-webkit': () => webkit(false),
};

/**
 * Null where the machine has none, which is said with `what` was not run; and where the tests run with the addon, which
 * no browser has.
 */
export function testBrowser(what: string): TestBrowser | null {
  if (process.env['COLKIT_BACKEND'] !== 'js') return null;
  const name = process.env['COLKIT_BROWSER'] ?? 'chromium';
  const find = BROWSERS[name];
  if (find === undefined)
    throw new Error(`COLKIT_BROWSER is ${name}, which is none of ${Object.keys(BROWSERS).join(', ')}`);
  const browser = find();
  if (browser === null) console.warn(`no ${name} here (CHROMIUM, FIREFOX and MINIBROWSER name such): ${what}`);
  return browser;
}
