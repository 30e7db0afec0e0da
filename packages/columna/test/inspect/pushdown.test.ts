// What a predicate would skip, told without the file, against scan().stats: the code that pages run, in a context
// without anything of Node.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { scanSync } from '../../src/index.ts';
import type { PushdownOutcome } from '../../src/inspect/pushdown.ts';
import { footerOf, liveCases, liveInVm } from '../support/live.ts';
import type { Live } from '../support/live.ts';
import { orderTable } from '../support/orders.ts';
import { writeTable } from '../support/table.ts';

let live: Live;
beforeAll(async () => {
  live = await liveInVm();
});

function statsOf(pushdown: PushdownOutcome): object {
  if (pushdown.kind === 'error') throw new Error(pushdown.message);
  return { ...pushdown.stats };
}

function scanned(bytes: Uint8Array, where: string): object {
  const { groups, groupsSkipped, pagesSkipped, scanned: rows } = scanSync(bytes, { where }).stats;
  return { scanned: rows, groups, groupsSkipped, pagesSkipped };
}

describe('the numbers', () => {
  it('are those of scan().stats for random predicates on random tables', async () => {
    const tally = { predicates: 0, skipped: 0, pages: 0 };
    await fc.assert(
      fc.asyncProperty(liveCases(8), async ({ columns, options, texts }) => {
        const { bytes } = writeTable(
          columns.map(({ column }) => column),
          options,
        );
        const demonstration = new live.Pushdown(await footerOf(bytes));
        for (const text of texts(bytes)) {
          const pushdown = demonstration.evaluate(text);
          expect(statsOf(pushdown), text).toEqual(scanned(bytes, text));
          if (pushdown.kind === 'error') continue;
          tally.predicates++;
          tally.skipped += pushdown.stats.groupsSkipped;
          tally.pages += pushdown.stats.pagesSkipped;
        }
      }),
      { numRuns: 32, seed: 20 },
    );
    expect(tally.predicates).toBeGreaterThan(220);
    expect(tally.skipped).toBeGreaterThan(100);
    expect(tally.pages).toBeGreaterThan(50);
  });

  it('are told group by group, with reasons', async () => {
    const { bytes } = writeTable(orderTable(5000), { rowGroupRows: 2000, pageRows: 512 });
    const pushdown = new live.Pushdown(await footerOf(bytes)).evaluate('order_id >= 103000');
    if (pushdown.kind === 'error') throw new Error(pushdown.message);
    expect(JSON.parse(JSON.stringify(pushdown.stats))).toEqual({
      scanned: 3000,
      groups: 3,
      groupsSkipped: 1,
      pagesSkipped: 1,
    });
    expect([...pushdown.columns]).toEqual(['order_id']);
    expect(pushdown.groups.map(({ group, rowsLeft }) => [group, rowsLeft])).toEqual([
      [0, 0],
      [1, 1488],
      [2, 1000],
    ]);
    expect(pushdown.groups[0]!.skipped).toMatch(/^order_id: max 101999 </);
    expect(pushdown.groups[1]!.skippedPages.map(({ page }) => page)).toEqual([0]);
  });

  it('skip nothing without a predicate', async () => {
    const { bytes } = writeTable(orderTable(300), { rowGroupRows: 100 });
    const demonstration = new live.Pushdown(await footerOf(bytes));
    expect(statsOf(demonstration.evaluate('  '))).toEqual({
      scanned: 300,
      groups: 3,
      groupsSkipped: 0,
      pagesSkipped: 0,
    });
  });
});

describe('what is typed wrong', () => {
  it('is told with its position and throws nothing', async () => {
    const { bytes } = writeTable(orderTable(300));
    const demonstration = new live.Pushdown(await footerOf(bytes));
    const [syntax, type, column] = ['amount >', 'region > 5', 'nope == 1'].map((text) => demonstration.evaluate(text));
    expect(syntax).toMatchObject({ kind: 'error', position: 8 });
    expect(type).toMatchObject({ kind: 'error', position: 9 });
    expect(column).toMatchObject({ kind: 'error', position: 0 });
  });

  it('throws nothing whatever is typed', async () => {
    const { bytes } = writeTable(orderTable(300));
    const demonstration = new live.Pushdown(await footerOf(bytes));
    const words = fc.constantFrom(
      'amount',
      'region',
      'ts',
      '`',
      '(',
      ')',
      'and',
      'not',
      'in',
      "'EMEA'",
      '5',
      '>',
      '==',
      '@x',
      ',',
      'null',
      'is',
      '\n',
      '1e999',
      'between',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 12 }).map((list) => list.join(' ')),
        ),
        (text) => {
          expect(['outcome', 'error']).toContain(demonstration.evaluate(text).kind);
        },
      ),
      { numRuns: 200, seed: 21 },
    );
  });
});

describe('the footer', () => {
  it('has the first columns of a wide file only, and says so', async () => {
    const columns = Array.from({ length: 40 }, (_, i) => ({
      name: `c${i}`,
      type: 'int32' as const,
      values: Int32Array.from({ length: 160 }, (_, row) => row * i),
    }));
    const { bytes } = writeTable(columns, { rowGroupRows: 16, pageRows: 8, joint: false });
    const footer = await footerOf(bytes, 20_000);
    expect(footer.omittedColumns).toBe(40 - Math.floor(20_000 / (10 * 128)));
    expect(footer.footer.length).toBeLessThan(32_000);
    const demonstration = new live.Pushdown(footer);
    expect(statsOf(demonstration.evaluate('c7 > 700'))).toEqual(scanned(bytes, 'c7 > 700'));
    expect(demonstration.evaluate('c39 > 3000')).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/statistics at hand are of the first \d+ columns/) as string,
    });
  });
});
