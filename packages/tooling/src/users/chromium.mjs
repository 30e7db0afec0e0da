// A Chromium of this machine for what users' programs do in it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../published.mjs';

const PATHS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Null where there is none, which is said. */
export async function launchChromium(what) {
  const executablePath = PATHS.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    console.log(`${what}: no Chromium here (CHROMIUM names one), not run`);
    return null;
  }
  const { chromium } = createRequire(join(ROOT, 'packages', 'colkit', 'package.json'))('playwright-core');
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
