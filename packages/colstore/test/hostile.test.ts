// Files that stand for far more than their bytes: an error of the family before memory is taken, in a process of its
// own.
import { closeSync, ftruncateSync, mkdtempSync, openSync as openFile, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spendAll } from '@colkit/testkit/spend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSync } from '../src/index.ts';
import { concat, counters64, flatFile, recordFile, recordHeader, recordManifest } from './support/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-hostile-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const backend = process.env['COLKIT_BACKEND'] === 'native' ? 'native' : 'js';
const OPEN = '(await open(path)).rowCount';
const INFO = '(await (await open(path)).info()).statistics';
const VERIFY = '(await open(path, { verify: true })).rowCount';
const MEGABYTE = 2 ** 20;

/** A flat file of one column, with a member that nobody asked for. */
const withMember = (json: string): Uint8Array =>
  flatFile(`{"format_version": 1, "n_rows": 0, "columns": [{"name": "a", "dtype": "|b1"}], "x": ${json}}`);
const repeated = (piece: string): Uint8Array =>
  withMember(`[${piece.repeat(Math.floor((30 * MEGABYTE) / piece.length))}0]`);
const narrow = recordManifest([{ name: 'a', descr: '<f8' }]);

/** The records have no rows, and the footer of their statistics lies in a hole. */
function hollowStatistics(): readonly [Uint8Array, number] {
  const records = Array.from({ length: 3000 }, (_, index) => recordHeader(index, 0));
  const manifest = recordManifest([{ name: 'a', descr: '|S1000000' }]);
  const end = recordFile(counters64(3000, 0), manifest, []).length + 32 * records.length;
  const [directory, values] = [20 + 3 + 11, records.length * (2 * 1_000_000 + 1)];
  const head = recordFile(counters64(records.length, 0, end), manifest, []);
  return [concat(head, ...records), end + directory + values + 4];
}

interface Hostile {
  readonly what: string;
  readonly make: () => Uint8Array | readonly [bytes: Uint8Array, fileBytes: number];
  readonly outcomes: Readonly<Record<string, RegExp>>;
  readonly peak: number;
}

const FILES: readonly Hostile[] = [
  {
    what: '30 MB of empty objects',
    make: () => repeated('{},'),
    outcomes: { [OPEN]: /^ERR_LIMIT objects of a manifest/ },
    peak: 500,
  },
  { what: '30 MB of small objects', make: () => repeated('{"a":1},'), outcomes: { [OPEN]: /^ERR_LIMIT/ }, peak: 600 },
  { what: '30 MB of empty lists', make: () => repeated('[],'), outcomes: { [OPEN]: /^ERR_LIMIT values/ }, peak: 600 },
  { what: '30 MB of numbers', make: () => repeated('1,'), outcomes: { [OPEN]: /^ERR_LIMIT values/ }, peak: 600 },
  {
    what: 'a number of 30 MB',
    make: () => withMember('1'.repeat(30 * MEGABYTE)),
    outcomes: { [OPEN]: /^0$/ },
    peak: 300,
  },
  {
    what: '30 MB of brackets',
    make: () => withMember('['.repeat(30 * MEGABYTE)),
    outcomes: { [OPEN]: /^ERR_MANIFEST .*levels/ },
    peak: 300,
  },
  {
    what: '17 billion records in a hole of 1 TiB',
    make: () => [recordFile(counters64(2n ** 34n, 5n), narrow, []), 2 ** 40],
    outcomes: { [OPEN]: /^ERR_LIMIT .*records/ },
    peak: 120,
  },
  {
    what: '99 million records in a hole of 4 GiB',
    make: () => [recordFile(counters64(99_000_000n, 5n), narrow, []), 2 ** 32],
    outcomes: { [OPEN]: /^ERR_MAGIC/ },
    peak: 120,
  },
  {
    what: 'statistics of 6 GB in a hole',
    make: hollowStatistics,
    outcomes: { [OPEN]: /^0$/, [INFO]: /^null$/, [VERIFY]: /^ERR_UNCOMMITTED_TAIL/ },
    peak: 150,
  },
];

// A manifest is read in TypeScript; the addon maps what is behind it.
const READ_HERE = backend === 'js' ? FILES : FILES.filter(({ what }) => what.includes('hole'));

describe.runIf(process.platform === 'linux').each(READ_HERE)('$what', ({ what, make, outcomes, peak }) => {
  const path = join(folder, `${what.replaceAll(/\W+/g, '-')}.cstore`);
  beforeAll(() => {
    const made = make();
    const [bytes, fileBytes] = made instanceof Uint8Array ? [made, made.length] : made;
    const file = openFile(path, 'w');
    writeSync(file, bytes);
    ftruncateSync(file, fileBytes);
    closeSync(file);
  });
  it('is answered in little memory', () => {
    const module = new URL('../dist/index.js', import.meta.url);
    const spent = spendAll(module, path, Object.keys(outcomes), backend);
    for (const [k, [expression, outcome]] of Object.entries(outcomes).entries())
      expect(spent.outcomes[k], expression).toMatch(outcome);
    expect(spent.peak).toBeLessThan(peak);
  });
});

it('more records than there is room for at first are all there', () => {
  const headers = Array.from({ length: 10_000 }, (_, index) => recordHeader(index, 0));
  const bytes = concat(recordFile(counters64(headers.length, 0), narrow, []), ...headers);
  expect(openSync(bytes).infoSync().recordCount).toBe(headers.length);
});
