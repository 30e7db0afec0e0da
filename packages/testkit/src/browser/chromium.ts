// Chromium by Playwright: named by CHROMIUM, or where Linux distributions put it.
import { existsSync } from 'node:fs';
import { chromium as playwright } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { telling, told } from './tab.ts';
import type { TestBrowser } from './tab.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Null where there is none; what CHROMIUM names must be there. */
export function chromiumPath(): string | null {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && !existsSync(named)) throw new Error(`CHROMIUM is ${named}, and there is no such file`);
  return named ?? PLACES.find((path) => existsSync(path)) ?? null;
}

export function launchChromium(executablePath: string): Promise<Browser> {
  // A container's root has no sandbox of its own.
  return playwright.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

export function chromium(): TestBrowser | null {
  const path = chromiumPath();
  if (path === null) return null;
  return {
    name: 'Chromium',
    engine: 'chromium',
    hasWritableHandles: true,
    async open() {
      const browser = await launchChromium(path);
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      // What the browser prints by itself: that a request failed, that a policy refused something.
      page.on('console', (message) => faults.push(message.text()));
      return {
        faults,
        goto: async (url) => void (await page.goto(url)),
        evaluate: async (expression) => told(await page.evaluate<string>(telling(expression)), faults),
        close: () => browser.close(),
      };
    },
  };
}
