// Footers that stand for far more than their bytes, in processes of their own: an error of the family, or an answer,
// and not much memory. Times are not measured; what is not linear does not end.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectSync } from '../../../src/index.ts';
import { Pushdown, pushdownFooter } from '../../../src/inspect/index.ts';
import { MEGABYTE, spendAll } from '../../support/amplified.ts';
import { backendsToAsk } from '../../support/backends.ts';
import { bloatedSchema, longStatistics, manyColumns, manyGroups, sharedBlocks } from '../../support/hostile-footers.ts';
import { writeTable } from '../../support/table.ts';

const folder = mkdtempSync(joinPath(tmpdir(), 'columna-footers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const BACKENDS = backendsToAsk();

const DONE = /^(true|\d+)$/;
const OPEN = '(await open(path)).rowCount';
const READ = 'Object.values(await read(path)).length';
const INSPECT = '(await inspect(path)).rowCount';
const SCAN = "(await scan(path, { where: 'c0 is not null' })).rowCount";
const TAKE = '(await (await open(path)).take([0]).toRows()).length';
const BATCHES =
  'await (async () => { let n = 0; for await (const batch of (await open(path)).batches({ rows: 1000 })) n += ' +
  'Object.keys(batch).length; return n; })()';
const ROWS =
  'await (async () => { let n = 0; for await (const row of (await open(path)).rows()) if (++n > 100) break; ' +
  'return n; })()';
const EXPLAIN = '(await inspect(path, { explainChoices: true })).rowCount';
const VERIFY = '(await verify(path)).problems[0]?.code ?? true';
const EVERY_WAY = [READ, INSPECT, SCAN, TAKE, BATCHES, ROWS, EXPLAIN, VERIFY];

interface Hostile {
  readonly what: string;
  readonly make: () => Uint8Array;
  /** Tried one after the other in one process: its peak is that of the one that takes most. */
  readonly ways: readonly string[];
  readonly outcome: RegExp;
  /** MiB; a process that does nothing has 55. */
  readonly peak: number;
}

const entries = ['a', 'b'].map((_, i) => new Uint8Array(MEGABYTE).fill(7 + i));
const FILES: readonly Hostile[] = [
  {
    what: '15 MB of empty lists in the schema',
    make: () => bloatedSchema('[],', 15),
    ways: [OPEN],
    outcome: /^ERR_LIMIT .*values of its JSON/,
    peak: 140,
  },
  {
    what: '15 MB of empty objects in the schema',
    make: () => bloatedSchema('{},', 15),
    ways: [OPEN],
    outcome: /^ERR_LIMIT/,
    peak: 140,
  },
  {
    what: '15 MB of brackets in the schema',
    make: () => bloatedSchema('[', 15, '', ''),
    ways: [OPEN],
    outcome: /^ERR_LIMIT/,
    peak: 140,
  },
  {
    what: 'strings of statistics as long as their block',
    make: () => longStatistics('string', 20_000),
    ways: [READ, INSPECT, SCAN, EXPLAIN],
    outcome: /^ERR_METADATA .*at most 64 bytes/,
    peak: 120,
  },
  {
    what: '20,000 columns with one block',
    make: () => sharedBlocks(20_000, 300),
    ways: [OPEN, READ, INSPECT],
    outcome: /^ERR_METADATA .*column blocks of \d+ bytes together/,
    peak: 120,
  },
  {
    what: '2,500 columns',
    make: () => manyColumns(2500),
    ways: [READ, INSPECT, EXPLAIN, VERIFY],
    outcome: DONE,
    peak: 180,
  },
  { what: '3,000 row groups', make: () => manyGroups(3000), ways: EVERY_WAY, outcome: DONE, peak: 190 },
  {
    what: 'entries of 1 MiB for 20,000 rows',
    make: () =>
      writeTable([
        { name: 'c0', type: 'binary', values: Array.from({ length: 20_000 }, (_, row) => entries[row % 2]!) },
      ]).bytes,
    ways: EVERY_WAY,
    outcome: DONE,
    peak: 300,
  },
];

/** Footers are read in TypeScript; the addon sees pages. */
const WITH_PAGES = FILES.slice(-2);

describe.runIf(process.platform === 'linux').each(FILES)('$what', (file) => {
  const { what, make, ways, outcome, peak } = file;
  const path = joinPath(folder, `${what.replaceAll(/\W+/g, '-')}.cna`);
  beforeAll(() => writeFileSync(path, make()));
  it.each(WITH_PAGES.includes(file) ? BACKENDS : (['js'] as const))('%s', (backend) => {
    const spent = spendAll(path, ways, backend);
    for (const [number, way] of ways.entries()) expect(spent.outcomes[number], way).toMatch(outcome);
    expect(spent.peak).toBeLessThan(peak);
  });
});

it('a string of statistics has at most 64 bytes, wherever it lies', () => {
  expect(inspectCode(longStatistics('binary', 3))).toBe('ERR_METADATA');
  const { bytes } = writeTable([{ name: 'v', type: 'string', values: ['x'.repeat(64), 'y'.repeat(70)] }]);
  expect(inspectSync(bytes).rowGroups[0]?.chunks[0]?.statistics.max).toMatchObject({ exact: false });
});

it('a footer for a page has no room for a column of very many row groups, says so, and can be asked', async () => {
  const footer = await pushdownFooter(manyGroups(12_000));
  expect(footer.omittedColumns).toBe(1);
  expect(new Pushdown(footer).evaluate('').kind).toBe('outcome');
});

function inspectCode(bytes: Uint8Array): string {
  try {
    inspectSync(bytes);
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'none';
}
