// A real browser where the machine has one: named by CHROMIUM, or where Linux distributions put Chromium.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const PLACES = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Null where there is none; what CHROMIUM names must be there. */
export function browserPath(): string | null {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && !existsSync(named)) throw new Error(`CHROMIUM is ${named}, and there is no such file`);
  return PLACES.find((path) => path !== undefined && existsSync(path)) ?? null;
}

export function launch(executablePath: string): Promise<Browser> {
  // A container's root has no sandbox of its own.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
