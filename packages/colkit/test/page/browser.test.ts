// The inspector's page in a real browser, offline: the numbers for predicates that are typed in, the picture, the
// keyboard, both colour schemes. Where the machine has no Chromium this says so; columna's pushdown.test.ts
// compares the same numbers without one, on random tables.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromiumPath, launchChromium } from '@colkit/testkit/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanSync } from 'columna';
import { pageOf } from '../support/page.ts';
import { orderTable, writeTable } from '../support/table.ts';

const path = chromiumPath();
if (path === null)
  console.warn('no Chromium here (CHROMIUM names one): the inspector’s page was not tested in a browser');

// The page is the same whatever the backend: once is enough.
describe.skipIf(path === null || process.env['COLKIT_BACKEND'] !== 'js')('the page in a browser', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'columna-page-'));
  beforeAll(async () => {
    browser = await launchChromium(path!);
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
    writeFileSync(file, await pageOf(bytes));
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

  function expected(bytes: Uint8Array, where: string) {
    // The numbers are of the predicate: one column of what it finds costs less than all of them.
    const { scanned, groups, groupsSkipped, pagesSkipped } = scanSync(bytes, { where, columns: ['order_id'] }).stats;
    return { scanned, groups, groupsSkipped, pagesSkipped };
  }

  const NUMBERS = fc.constantFrom('order_id', 'quantity', 'amount', 'amount - quantity * 2').chain((name) => {
    const value = name === 'order_id' ? fc.integer({ min: 99_990, max: 106_010 }) : fc.integer({ min: -5, max: 6000 });
    const operator = fc.constantFrom('<', '<=', '==', '!=', '>=', '>');
    return fc.tuple(operator, value).map(([word, number]) => `${name} ${word} ${number}`);
  });
  const TEXTS = fc.constantFrom(
    "region in ('EMEA', 'APAC')",
    "region == 'NOWHERE'",
    "region >= 'B'",
    "status > 'r'",
    'note is null',
    "note >= 'z'",
    "ts < '2024-01-02'",
  );
  const { predicate: PREDICATE } = fc.letrec<{ predicate: string }>((tie) => ({
    predicate: fc.oneof(
      { maxDepth: 3 },
      NUMBERS,
      TEXTS,
      fc
        .tuple(tie('predicate'), fc.constantFrom('and', 'or'), tie('predicate'))
        .map(([left, word, right]) => `(${left}) ${word} (${right})`),
      tie('predicate').map((inner) => `not (${inner})`),
    ),
  }));

  it('shows the numbers of scan().stats for predicates that are typed in', async () => {
    const { page, faults, close } = await open(orders);
    const texts = fc.sample(PREDICATE, { numRuns: 240, seed: 22 });
    const shown = await type(page, texts);
    const told = texts.map((text) => expected(orders, text));
    for (const [i, text] of texts.entries()) expect(shown[i], text).toEqual({ stats: told[i], error: '' });
    expect(told.filter(({ groupsSkipped }) => groupsSkipped > 0).length).toBeGreaterThan(30);
    expect(faults).toEqual([]);
    await close();
  });

  const { bytes: orders } = writeTable(orderTable(6000), { rowGroupRows: 2000, pageRows: 512 });

  it('is edited live: the picture greys out what is skipped, errors have a position', async () => {
    const { page, faults, close } = await open(orders);
    await page.fill('#predicate', 'order_id >= 103000');
    expect(await page.locator('.row.skipped').count()).toBe(1);
    expect(await page.locator('.row:not(.skipped) .seg i.skipped').count()).toBeGreaterThan(3);
    expect(await page.locator('#predicate-groups li').allTextContents()).toEqual([
      expect.stringMatching(/^Row group 0: skipped, order_id: max 101999 </) as string,
      expect.stringMatching(/^Row group 1: 1,488 rows to look at1 of 4 pages skipped: order_id: max/) as string,
      'Row group 2: 2,000 rows to look at',
    ]);
    // The same predicate on the rows that the page carries.
    const sampled = JSON.parse((await page.locator('#embedded-sample').textContent())!) as { rows: number[] };
    const matching = sampled.rows.filter((row) => 100_000 + row >= 103_000).length;
    expect(await page.locator('#predicate-matches').textContent()).toContain(
      `${String(matching)} of ${sampled.rows.length.toLocaleString('en')} sampled rows`,
    );
    expect(await page.locator('#predicate-rows tbody tr').count()).toBe(Math.min(10, matching));
    expect(await page.locator('#predicate-rows tbody tr td').nth(1).textContent()).toMatch(/^103\d\d\d$/);
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
    for (let i = 0; i < 6; i++) await page.keyboard.press('Tab');
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
