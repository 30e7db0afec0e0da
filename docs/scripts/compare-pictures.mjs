// One page of each kind of the built site, panels of the workbench and pages of the inspector, at a phone's and a
// desktop's width, light and dark, beside the pictures in test/pictures: what differs by more than a tolerance is an
// error, and its picture is kept in .cache/pictures.
//   node scripts/compare-pictures.mjs            compares
//   node scripts/compare-pictures.mjs --accept   what is seen now is right
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspectHtml } from 'colkit/inspect';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { chromiumPath, launch, serveSite } from './served-site.mjs';

const ACCEPTED = fileURLToPath(new URL('../test/pictures', import.meta.url));
const DIFFERENT = fileURLToPath(new URL('../.cache/pictures', import.meta.url));
const WIDTHS = { phone: 390, desktop: 1280 };
const PAGES = {
  start: '/',
  guide: '/guide/which',
  format: '/formats/colstore',
  figures: '/figures/w1',
  api: '/api/colstore/functions/open',
  workbench: '/workbench#file=/data/weather.cstore',
  columns: '/workbench#file=/data/weather.cstore&show=columns',
  groups: '/workbench#file=/data/weather.cstore&show=groups&by=weather',
  items: '/workbench#file=/data/digits.syr',
};
/** What a page of the workbench is waited for. */
const SEEN = {
  workbench: '[data-row="0"] td',
  columns: '.wb-card svg',
  groups: '.wb-chart svg',
  items: '.wb-items canvas',
};
/** Files whose pages of the inspector are looked at. */
const INSPECTED = {
  'inspector-cna': 'flights.cna',
  'inspector-cstore': 'weather.cstore',
  'inspector-syr': 'digits.syr',
};
const DATA = fileURLToPath(new URL('../public/data', import.meta.url));
/** Share of the picture: letters move by a pixel where fonts are hinted otherwise, layouts by more. */
const TOLERANCE = 0.06;
/** Of a picture of letters alone: with other fonts every line ends elsewhere, and nothing can be compared. */
const LETTERS_TOLERANCE = 0.002;
const LETTERS = `
  <body style="margin: 8px; background: #fff; color: #000; font: 16px/24px system-ui, sans-serif">
  The quick brown fox jumps over 1,234,567,890 lazy dogs.
  <b>The quick brown fox jumps over the lazy dogs.</b><br>
  <code style="font-family: ui-monospace, Menlo, Consolas, monospace">const { price } = columns;</code>`;

const accepts = process.argv.includes('--accept');
if (chromiumPath() === null) {
  console.log('pictures: no Chromium here (CHROMIUM names one), not compared');
  process.exit(0);
}
rmSync(DIFFERENT, { recursive: true, force: true });
for (const folder of [ACCEPTED, DIFFERENT]) mkdirSync(folder, { recursive: true });

const site = await serveSite();
const browser = await launch();
const faults = [];
try {
  if (await hasTheseFonts()) await compareAll();
  else console.log('pictures: the fonts of this machine are others, not compared');
} finally {
  await browser.close();
  site.close();
}
if (faults.length > 0) {
  console.error(`pictures: ${faults.join('; ')}`);
  console.error(`they are in ${DIFFERENT}; \`pnpm --filter @colkit/docs run accept\` takes what is seen now`);
  process.exit(1);
}

async function hasTheseFonts() {
  const page = await browser.newPage({ viewport: { width: 480, height: 120 } });
  await page.setContent(LETTERS);
  const seen = halved(PNG.sync.read(await page.screenshot()));
  await page.close();
  const path = join(ACCEPTED, 'letters.png');
  if (accepts) writeFileSync(path, PNG.sync.write(seen));
  return existsSync(path) && shareOf(seen, PNG.sync.read(readFileSync(path))) <= LETTERS_TOLERANCE;
}

async function compareAll() {
  const inspected = await Promise.all(
    Object.entries(INSPECTED).map(async ([kind, name]) => [kind, await inspectHtml(join(DATA, name))]),
  );
  for (const [device, width] of Object.entries(WIDTHS)) {
    for (const colorScheme of ['light', 'dark']) {
      const viewport = { width, height: 900 };
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      for (const [kind, path] of Object.entries(PAGES)) {
        await page.goto('about:blank');
        await page.goto(site.address + path, { waitUntil: 'networkidle' });
        if (kind in SEEN) {
          // Panels stand below what is the same in each, and are read when they are seen.
          await page.locator('.wb-tabs').evaluate((tabs) => tabs.scrollIntoView());
          await page.waitForSelector(SEEN[kind], { timeout: 60_000 });
          await page.waitForFunction(hasAllCards);
        }
        compare(`${kind}-${device}-${colorScheme}.png`, await page.screenshot());
      }
      for (const [kind, html] of inspected) {
        await page.goto('about:blank');
        await page.setContent(html);
        compare(`${kind}-${device}-${colorScheme}.png`, await page.screenshot());
      }
      await context.close();
    }
  }
  const kinds = Object.keys(PAGES).length + inspected.length;
  const outcome = accepts ? 'kept' : 'compared';
  console.log(`pictures: ${kinds} kinds of pages at 2 widths, light and dark, ${outcome}`);
}

/** In the page: every card of a column that is seen has its chart. */
function hasAllCards() {
  return [...document.querySelectorAll('.wb-card')].every(
    (card) => card.getBoundingClientRect().top >= innerHeight || card.querySelector('svg') !== null,
  );
}

function compare(name, bytes) {
  const seen = halved(PNG.sync.read(bytes));
  const path = join(ACCEPTED, name);
  if (accepts) {
    writeFileSync(path, PNG.sync.write(seen));
    return;
  }
  if (!existsSync(path)) {
    faults.push(`${name} is new`);
    writeFileSync(join(DIFFERENT, name), PNG.sync.write(seen));
    return;
  }
  const share = shareOf(seen, PNG.sync.read(readFileSync(path)));
  if (share <= TOLERANCE) return;
  faults.push(`${name}: ${(100 * share).toFixed(1)} % of it is different`);
  writeFileSync(join(DIFFERENT, name), PNG.sync.write(seen));
}

/** Four pixels as one: small files, and enough to see a layout that broke. */
function halved(png) {
  const half = new PNG({ width: png.width >> 1, height: png.height >> 1 });
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      for (let channel = 0; channel < 4; channel += 1) {
        const at = (dx, dy) => png.data[4 * ((2 * y + dy) * png.width + 2 * x + dx) + channel];
        half.data[4 * (y * half.width + x) + channel] = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) >> 2;
      }
    }
  }
  return half;
}

/** Of two pictures the share of the pixels that differ; 1 where their sizes do. */
function shareOf(seen, accepted) {
  const { width, height } = seen;
  if (accepted.width !== width || accepted.height !== height) return 1;
  return pixelmatch(accepted.data, seen.data, null, width, height, { threshold: 0.2 }) / (width * height);
}
