// Files of a few kilobytes that stand for gigabytes, read in processes of their own, with the addon and without: what
// those hold at most. Times are not measured; what is not bounded does not end.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deflated, joint, nulls, runs, spend, spendAll } from '../support/amplified.ts';
import { backendsToAsk } from '../support/backends.ts';

const folder = mkdtempSync(joinPath(tmpdir(), 'columna-amplified-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const BACKENDS = backendsToAsk();

const PEAK_MIB = 300;
const LOW = '{ maxDecodedBytes: 1e8 }';
const LIMIT = /^ERR_LIMIT .*limits\.maxDecodedBytes; open it with \{ limits: \{ maxDecodedBytes \} \} to raise it/;
const DONE = /^(true|\d+)$/;

interface Amplified {
  readonly what: string;
  readonly make: () => Uint8Array;
  readonly reads: readonly (readonly [expression: string, outcome: RegExp])[];
}

const take = (column: string): string => `(await (await open(path)).select('${column}').take([0]).toRows()).length`;
const LOOKS = [
  ['(await verify(path)).ok', DONE],
  ['(await inspect(path)).rowCount', DONE],
] as const;

const FILES: readonly Amplified[] = [
  {
    what: 'a joint dictionary of entries of 1 MiB',
    make: joint,
    reads: [
      ['(await read(path)).a.length', /^20000$/],
      ["(await scan(path, { where: 'a is not null' })).rowCount", /^20000$/],
      [take('b'), /^1$/],
      ...LOOKS,
    ],
  },
  {
    what: 'runs of entries of 1 MiB',
    make: runs,
    reads: [
      ['(await read(path)).v.length', /^20000$/],
      ["(await scan(path, { where: 'v is not null' })).rowCount", /^20000$/],
      [take('v'), /^1$/],
      ...LOOKS,
    ],
  },
  {
    what: '13 million nulls',
    make: () => nulls('int64', 200),
    reads: [
      [`(await read(path, { limits: ${LOW} })).v.length`, LIMIT],
      [`(await scan(path, { where: 'v is null', limits: ${LOW} })).rowCount`, LIMIT],
      [take('v'), /^1$/],
      ...LOOKS,
    ],
  },
  {
    what: '8 columns of a dictionary of 16 MiB, deflated',
    make: () => deflated('string', 8, 16, true),
    reads: [
      [`Object.keys(await read(path, { limits: { maxDecodedBytes: 3e7 } })).length`, LIMIT],
      [
        `(await scan(path, { where: Array.from({ length: 8 }, (_, i) => 'c' + i + " != 'x'").join(' and '), ` +
          `columns: ['c0'], limits: { maxDecodedBytes: 3e7 } })).rowCount`,
        LIMIT,
      ],
      [take('c0'), /^1$/],
      ['(await inspect(path)).rowCount', DONE],
    ],
  },
];

describe.runIf(process.platform === 'linux').each(FILES)('$what', ({ what, make, reads }) => {
  const path = joinPath(folder, `${what.replaceAll(/\W+/g, '-')}.cna`);
  beforeAll(() => {
    const bytes = make();
    expect(bytes.length).toBeLessThan(1 << 20);
    writeFileSync(path, bytes);
  });
  // One after the other in one process: its peak is that of the read that takes most.
  it.each(BACKENDS)('%s', (backend) => {
    const expressions = reads.map(([expression]) => expression);
    const { peak, outcomes } = spendAll(path, expressions, backend);
    for (const [number, [expression, outcome]] of reads.entries())
      expect(outcomes[number], expression).toMatch(outcome);
    expect(peak).toBeLessThan(PEAK_MIB);
  });
});

// One dictionary at a time, and the memory of those before it that the collector has not taken back yet: all of them
// together are 640 MiB.
describe.runIf(process.platform === 'linux')('20 deflated dictionaries', () => {
  const path = joinPath(folder, 'many.cna');
  beforeAll(() => writeFileSync(path, deflated('binary', 20, 32, true)));
  it.each(BACKENDS.flatMap((backend) => LOOKS.map(([expression]) => [expression, backend] as const)))(
    '%s holds a few of them at once, %s',
    { timeout: 30_000 },
    (expression, backend) => {
      const spent = spend(path, expression, backend);
      expect(spent.outcome).toMatch(DONE);
      expect(spent.peak).toBeLessThan(500);
    },
  );
});
