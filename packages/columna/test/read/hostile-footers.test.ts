// Footers that stand for far more than their bytes, in processes of their own: an error of the family, or an answer,
// and not much memory. Times are not measured; what is not linear does not end.
import { run } from '@colkit/io/effects';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectSync } from '../../src/index.ts';
import { withFile } from '../../src/read/open.ts';
import { PushdownDemonstration } from '../../src/inspect/live/pushdown.ts';
import { PAGE_LIMITS, pageModel } from '../../src/inspect/page/page-model.ts';
import { MEGABYTE, spend } from '../support/amplified.ts';
import { bloatedSchema, longStatistics, manyColumns, manyGroups, sharedBlocks } from '../support/hostile-footers.ts';
import { writeTable } from '../support/table.ts';

const folder = mkdtempSync(joinPath(tmpdir(), 'columna-footers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const backend = process.env['COLKIT_BACKEND'] === 'native' ? 'native' : 'js';

const DONE = /^(true|\d+)$/;
const OPEN = '(await open(path)).rowCount';
const READ = 'Object.values(await read(path)).length';
const INSPECT = '(await inspect(path)).rowCount';
const SCAN = "(await scan(path, { where: 'c0 is not null' })).rowCount";
const TAKE = '(await (await open(path)).take([0]).toRows()).length';
const BATCHES =
  'await (async () => { let n = 0; for await (const batch of (await open(path)).batches({ rows: 1000 })) n += Object.keys(batch).length; return n; })()';
const ROWS =
  'await (async () => { let n = 0; for await (const row of (await open(path)).rows()) if (++n > 100) break; return n; })()';
const HTML = '(await inspectHtml(path)).length';
const VERIFY = '(await verify(path)).problems[0]?.code ?? true';
const EVERY_WAY = [READ, INSPECT, SCAN, TAKE, BATCHES, ROWS, HTML, VERIFY];

interface Hostile {
  readonly what: string;
  readonly make: () => Uint8Array;
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
    ways: [READ, INSPECT, SCAN, HTML],
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
    what: '10,000 columns',
    make: () => manyColumns(10_000),
    ways: [READ, INSPECT, HTML, VERIFY],
    outcome: DONE,
    peak: 300,
  },
  { what: '15,000 row groups', make: () => manyGroups(15_000), ways: EVERY_WAY, outcome: DONE, peak: 300 },
  {
    what: 'entries of 1 MiB for 20,000 rows',
    make: () =>
      writeTable(
        [{ name: 'c0', type: 'binary', values: Array.from({ length: 20_000 }, (_, row) => entries[row % 2]!) }],
        { mode: 'smallest' },
      ).bytes,
    ways: EVERY_WAY,
    outcome: DONE,
    peak: 300,
  },
];

describe.runIf(process.platform === 'linux').each(FILES)('$what', ({ what, make, ways, outcome, peak }) => {
  const path = joinPath(folder, `${what.replaceAll(/\W+/g, '-')}.cna`);
  beforeAll(() => writeFileSync(path, make()));
  it.each(ways)('%s', (expression) => {
    const spent = spend(path, expression, backend);
    expect(spent.outcome).toMatch(outcome);
    expect(spent.peak).toBeLessThan(peak);
  });
});

it('a string of statistics has at most 64 bytes, wherever it lies', () => {
  expect(inspectCode(longStatistics('binary', 3))).toBe('ERR_METADATA');
  const { bytes } = writeTable([{ name: 'v', type: 'string', values: ['x'.repeat(64), 'y'.repeat(70)] }]);
  expect(inspectSync(bytes).rowGroups[0]?.chunks[0]?.statistics.max).toMatchObject({ exact: false });
});

it('a page about a file whose first column has no room in it says so, and is there', async () => {
  const { footer } = await run(withFile(manyGroups(12_000), {}, (file) => pageModel(file, 'long.cna', PAGE_LIMITS)));
  expect(footer.omittedColumns).toBe(1);
  expect(new PushdownDemonstration(footer).evaluate('').kind).toBe('outcome');
});

function inspectCode(bytes: Uint8Array): string {
  try {
    inspectSync(bytes);
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'none';
}
