// Photographs the built site in a real Chromium, at a phone's and a desktop's width, light and dark, and says which
// pages are wider than the screen.
//   node scripts/look.mjs [PATH …] [--out FOLDER]
// needs `npm run build` before, and a Chromium: CHROMIUM=/path/to/it, /usr/bin/chromium by default
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, serveSite } from './served-site.mjs';

const WIDTHS = { phone: 390, desktop: 1280 };
const PAGES = [
  '/',
  '/guide/which',
  '/guide/read',
  '/guide/troubleshooting',
  '/formats/colstore',
  '/formats/columna',
  '/figures/',
  '/figures/w1',
  '/guide/instead-of',
  '/guide/browsers',
  '/workbench',
  '/api/',
  '/api/colstore/functions/open',
  '/api/@colkit/table/classes/Table',
];

const parameters = process.argv.slice(2);
const at = parameters.indexOf('--out');
const out = at === -1 ? fileURLToPath(new URL('../.cache/look', import.meta.url)) : parameters.splice(at, 2)[1];
const paths = parameters.length > 0 ? parameters : PAGES;
mkdirSync(out, { recursive: true });

const site = await serveSite();
const browser = await launch();
let faults = 0;
try {
  for (const [device, width] of Object.entries(WIDTHS)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      page.on('pageerror', (error) => report(page.url(), error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') report(page.url(), message.text());
      });
      for (const path of paths) {
        await page.goto(`${site.address}${path}`, { waitUntil: 'networkidle' });
        const widest = await page.evaluate(() => document.documentElement.scrollWidth);
        if (widest > width) report(path, `${widest} pixels wide on a screen of ${width}`);
        await page.screenshot({
          path: join(out, `${path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'start'}-${device}-${colorScheme}.png`),
          fullPage: true,
        });
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  site.close();
}
console.log(
  `${paths.length} pages, ${Object.keys(WIDTHS).length} widths, 2 schemes: pictures in ${out}; ${faults} faults`,
);
process.exitCode = faults === 0 ? 0 : 1;

function report(where, what) {
  faults += 1;
  console.log(`${where}: ${what}`);
}
