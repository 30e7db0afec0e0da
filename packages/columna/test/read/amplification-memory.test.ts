// Files of a few kilobytes that stand for gigabytes, read in processes of their own: what those hold at most. Times are
// not measured; what is not bounded does not end.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deflated, joint, nulls, runs, spend } from '../support/amplified.ts';

const folder = mkdtempSync(joinPath(tmpdir(), 'columna-amplified-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const backend = process.env['COLKIT_BACKEND'] === 'native' ? 'native' : 'js';

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
  it.each(reads)('%s', (expression, outcome) => {
    const spent = spend(path, expression, backend);
    expect(spent.outcome).toMatch(outcome);
    expect(spent.peak).toBeLessThan(PEAK_MIB);
  });
});

// One dictionary at a time, and the memory of those before it that the collector has not taken back yet: all of them
// together are 768 MiB.
it.runIf(process.platform === 'linux').each(['(await verify(path)).ok', '(await inspect(path)).rowCount'])(
  '%s of 24 deflated dictionaries holds a few of them at once',
  (expression) => {
    const path = joinPath(folder, 'many.cna');
    writeFileSync(path, deflated('binary', 24, 32, true));
    const spent = spend(path, expression, backend);
    expect(spent.outcome).toMatch(DONE);
    expect(spent.peak).toBeLessThan(500);
  },
  30_000,
);
