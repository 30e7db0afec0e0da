// The inspector's page in a real browser, offline: the numbers for predicates that are typed in, the picture, the
// keyboard, both colour schemes. Where the machine has no Chromium this says so; pushdown.test.ts compares the same
// numbers without one.
import { runSync } from '@colkit/io/effects';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanSync } from '../../src/index.ts';
import { withFile } from '../../src/read/open.ts';
import { renderPage } from '../../src/inspect/page/html.ts';
import { PAGE_LIMITS, pageModel } from '../../src/inspect/page/page-model.ts';
import { browserPath, launch } from '../support/browser.ts';
import { bundle, liveCases } from '../support/live.ts';
import { orderTable } from '../support/orders.ts';
import { writeTable } from '../support/table.ts';

const path = browserPath();
if (path === null)
  console.warn('no Chromium here (CHROMIUM names one): the inspector’s page was not tested in a browser');

// The page is the same whatever the backend: once is enough.
describe.skipIf(path === null || process.env['COLKIT_BACKEND'] !== 'js')('the page in a browser', () => {
  let browser: Browser;
  let script: string;
  const folder = mkdtempSync(join(tmpdir(), 'columna-page-'));
  beforeAll(async () => {
    script = await bundle('browser/page.ts');
    browser = await launch(path!);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the page of a file; any error in it, and any request but for itself, fails the test. */
  async function open(
    bytes: Uint8Array,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; faults: string[]; close: () => Promise<void> }> {
    const file = join(folder, 'page.html');
    writeFileSync(
      file,
      renderPage(runSync(withFile(bytes, {}, (file) => pageModel(file, 'orders.cna', PAGE_LIMITS))), script),
    );
    const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => faults.push(message.text()));
    page.on('request', (request) => {
      if (request.url() !== pathToFileURL(file).href && !request.url().startsWith('data:')) faults.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    return { page, faults, close: () => context.close() };
  }

  /** Types each text in turn, as input events; what the page then shows. */
  async function type(page: Page, texts: readonly string[]): Promise<{ stats: unknown; error: string }[]> {
    return page.evaluate(
      (given) => {
        const doc = (
          globalThis as unknown as {
            document: {
              getElementById(id: string): {
                value: string;
                textContent: string;
                dataset: Record<string, string>;
                dispatchEvent(event: unknown): void;
              };
            };
          }
        ).document;
        const input = doc.getElementById('predicate');
        return given.map((text) => {
          input.value = text;
          input.dispatchEvent(new Event('input', { bubbles: true }));
          return {
            stats: JSON.parse(doc.getElementById('predicate-stats').dataset['stats']!) as unknown,
            error: doc.getElementById('predicate-error').textContent,
          };
        });
      },
      [...texts],
    );
  }

  function expected(bytes: Uint8Array, where: string): object {
    const { scanned, groups, groupsSkipped, pagesSkipped } = scanSync(bytes, { where }).stats;
    return { scanned, groups, groupsSkipped, pagesSkipped };
  }

  it('shows the numbers of scan().stats for predicates that are typed in', async () => {
    let compared = 0;
    for (const { columns, options, texts } of fc.sample(liveCases(60), { numRuns: 4, seed: 22 })) {
      const { bytes } = writeTable(
        columns.map(({ column }) => column),
        options,
      );
      const { page, faults, close } = await open(bytes);
      // A text area makes every line break a \n, which in a quoted text is another text.
      const typed = texts(bytes).filter((text) => !text.includes('\r'));
      const shown = await type(page, typed);
      for (const [i, text] of typed.entries())
        expect(shown[i], text).toEqual({ stats: expected(bytes, text), error: '' });
      compared += typed.length;
      expect(faults).toEqual([]);
      await close();
    }
    expect(compared).toBeGreaterThan(200);
  });

  const { bytes: orders } = writeTable(orderTable(6000), { rowGroupRows: 2000, pageRows: 512 });

  it('is edited live: the picture greys out what is skipped, errors have a position and keep the last numbers', async () => {
    const { page, faults, close } = await open(orders);
    await page.fill('#predicate', 'order_id >= 103000');
    expect(await page.locator('.row.skipped').count()).toBe(1);
    expect(await page.locator('.row:not(.skipped) .seg i.skipped').count()).toBeGreaterThan(3);
    expect(await page.locator('#predicate-groups li').allTextContents()).toEqual([
      expect.stringMatching(/^Row group 0: skipped, order_id: max 101999 </) as string,
      expect.stringMatching(/^Row group 1: 1,488 rows to look at1 of 4 pages skipped: order_id: max/) as string,
      'Row group 2: 2,000 rows to look at',
    ]);
    await page.fill('#predicate', 'order_id >=');
    expect(await page.locator('#predicate-error').textContent()).toMatch(/order_id >=\n {11}\^$/);
    expect(await page.locator('#predicate').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.row.skipped').count()).toBe(1);
    await page.fill('#predicate', '');
    expect(await page.locator('.row.skipped').count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it('is usable from the keyboard alone', async () => {
    const { page, faults, close } = await open(orders);
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = (
          globalThis as unknown as {
            document: { activeElement: { id: string; className: string; title: string; tagName: string } };
          }
        ).document;
        return { id: activeElement.id, title: activeElement.title, tag: activeElement.tagName };
      });
    for (let i = 0; i < 5; i++) await page.keyboard.press('Tab');
    expect((await focused()).title).toMatch(/^order_id, row group 0: AFFINE/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect((await focused()).title).toMatch(/^ts, row group 1/);
    expect(await page.locator('#segment-info').textContent()).toMatch(/^ts, row group 1/);
    await page.keyboard.press('Enter');
    expect(await focused()).toMatchObject({ tag: 'TR', id: 'c1-1' });
    expect(await page.locator('#g1').getAttribute('open')).toBe('');
    await page.locator('#predicate').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type("region == 'NOWHERE'");
    expect(await page.locator('[data-name=groupsSkipped] b').textContent()).toBe('3 of 3');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('#predicate').inputValue()).not.toBe("region == 'NOWHERE'");
    expect(faults).toEqual([]);
    await close();
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('fits and is readable: %s, %d pixels', async (colorScheme, width) => {
    const { page, close } = await open(orders, { colorScheme, viewport: { width, height: 844 } });
    const measured = await page.evaluate(() => {
      const {
        document: doc,
        getComputedStyle: styleOf,
        innerWidth,
      } = globalThis as unknown as {
        document: { documentElement: { scrollWidth: number }; querySelectorAll(selector: string): ArrayLike<unknown> };
        getComputedStyle(element: unknown): Record<string, string>;
        innerWidth: number;
      };
      const channels = (text: string) => (text.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
      const luminance = (text: string) => {
        const [r = 0, g = 0, b = 0] = channels(text).map((value) =>
          value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a: string, b: string) => {
        const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
        return (high + 0.05) / (low + 0.05);
      };
      const background = styleOf(Array.from(doc.querySelectorAll('body'))[0])['backgroundColor']!;
      const texts = Array.from(doc.querySelectorAll('h1, h2, p, a[href^="#"]:not(.seg), th, td, small, li'));
      return {
        overflow: doc.documentElement.scrollWidth - innerWidth,
        background,
        least: Math.min(...texts.map((each) => contrast(styleOf(each)['color']!, background))),
        segments: Math.min(
          ...Array.from(doc.querySelectorAll('.row:not(.skipped) .seg'), (each) =>
            contrast(styleOf(each)['color']!, styleOf(each)['backgroundColor']!),
          ),
        ),
      };
    });
    expect(measured.overflow).toBeLessThanOrEqual(0);
    expect(measured.background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 27)');
    expect(measured.least).toBeGreaterThan(4.5);
    expect(measured.segments).toBeGreaterThan(4.5);
    await close();
  });
});
