// Files that stand for far more than their bytes: an error of the family before memory is taken, or an answer that is
// linear in the file, in a process of its own.
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { spendAll } from '@colkit/testkit/spend';
import { beforeAll, describe, expect, it } from 'vitest';
import { DataLoader, SyrahDataset, openSync, recoverSync } from '../src/index.ts';
import { binary, concat, doc, docField, file, i32, i64, i64s, int32, key, text, utf8 } from '@colkit/testkit/syr-bytes';
import { temporaryFolder } from './temporary-folder.ts';

const { root: folder } = temporaryFolder();
const backend = process.env['COLKIT_BACKEND'] === 'native' ? 'native' : 'js';
const MEGABYTE = 2 ** 20;
const OPEN = '(await open(path)).itemCount';
const ITEM = 'Object.keys(await (await open(path)).getItem(0)).length';
const ITEM_SYNC = 'Object.keys((await open(path)).getItemSync(0)).length';
const LENGTHS = '(await open(path)).lengths((await open(path)).keys[0]).length';
const LOAD =
  'await (async () => { for await (const batch of new DataLoader(await SyrahDataset.open(path), { batchSize: 3 ' +
  '})) return Object.keys(batch).length; })()';
const GATHER = "(await (await open(path)).gatherItems(Array.from({ length: 3000 }, (_, i) => i), 'k0')).data.length";
const GATHER_KEYS =
  'await (async () => { const file = await open(path); return (await file.gatherKeys([0], file.keys)).length; })()';

/** Keys that are all the same array of `megabytes` MiB, in each of `items` items. */
const shared = (keys: number, items: number, megabytes = 1): Uint8Array => {
  const [offsets, sizes] = [new Array<number>(items).fill(22), new Array<number>(items).fill(megabytes * MEGABYTE)];
  return file(
    new Uint8Array(megabytes * MEGABYTE),
    doc(...Array.from({ length: keys }, (_, k) => key(`k${String(k)}`, 'uint8', offsets, sizes))),
  );
};
const small = (keys: number, name: (k: number) => string): Uint8Array =>
  file(
    new Uint8Array(8 * keys),
    doc(...Array.from({ length: keys }, (_, k) => key(name(k), 'uint8', [22 + 8 * k], [8]))),
  );
const nested = (levels: number): Uint8Array => (levels === 0 ? doc() : docField('k', doc(nested(levels - 1))));

interface Hostile {
  readonly what: string;
  readonly make: () => Uint8Array;
  readonly outcomes: Readonly<Record<string, RegExp>>;
  readonly peak: number;
}

const FILES: readonly Hostile[] = [
  {
    what: '3,000 keys that share 1 MiB',
    make: () => shared(3000, 1),
    peak: 200,
    outcomes: {
      [ITEM]: /^ERR_METADATA .*do not overlap/,
      [ITEM_SYNC]: /^ERR_METADATA/,
      [GATHER_KEYS]: /^ERR_METADATA/,
      [LOAD]: /ERR_METADATA/,
    },
  },
  {
    what: '3,000 items that share 1 MiB',
    make: () => shared(1, 3000),
    outcomes: { [OPEN]: /^3000$/, [GATHER]: /^ERR_METADATA .*do not overlap/ },
    peak: 200,
  },
  {
    what: '20,000 keys',
    make: () => small(20_000, (k) => `k${String(k)}`),
    outcomes: { [ITEM]: /^20000$/, [LOAD]: /^20000$/, [GATHER_KEYS]: /^20000$/ },
    peak: 300,
  },
  {
    what: 'names of 16,000 bytes',
    make: () => small(1000, (k) => `${String(k)}${'n'.repeat(15_990)}`),
    outcomes: { [OPEN]: /^1$/, [LENGTHS]: /^1$/ },
    peak: 250,
  },
  {
    what: 'a name without end',
    outcomes: { [OPEN]: /^ERR_METADATA .*a name of at most/ },
    peak: 200,
    make: () => file([], concat(i32(20 * MEGABYTE), [3], new Uint8Array(20 * MEGABYTE - 6).fill(110), [0])),
  },
  {
    what: 'a million items of nothing',
    make: () => file([], items(1_000_000)),
    outcomes: { [OPEN]: /^1000000$/ },
    peak: 600,
  },
  { what: 'more than that', make: () => file([], items(1_048_577)), outcomes: { [OPEN]: /^ERR_LIMIT/ }, peak: 600 },
];

function items(count: number): Uint8Array {
  const bytes = Buffer.alloc(5 + 14 * count);
  bytes.writeInt32LE(bytes.length, 0);
  for (let item = 0, at = 4; item < count; item += 1, at += 14) {
    bytes[at] = 3;
    bytes.write(String(item).padStart(7, '0'), at + 1, 'latin1');
    bytes[at + 9] = 5;
  }
  return bytes;
}

// Metadata is read in TypeScript; the addon sees where arrays lie.
const READ_HERE = backend === 'js' ? FILES : FILES.filter(({ what }) => what.includes('share'));

describe.runIf(process.platform === 'linux').each(READ_HERE)('$what', ({ what, make, outcomes, peak }) => {
  const path = `${folder}/${what.replaceAll(/\W+/g, '-')}.syr`;
  beforeAll(() => {
    writeFileSync(path, make());
  });
  it('is answered in little memory', () => {
    const module = new URL('../dist/index.js', import.meta.url);
    const spent = spendAll(module, path, Object.keys(outcomes), backend);
    for (const [k, [expression, outcome]] of Object.entries(outcomes).entries())
      expect(spent.outcomes[k], expression).toMatch(outcome);
    expect(spent.peak).toBeLessThan(peak);
  });
});

it.each([
  ['a binary of 2 GiB', doc(docField('k', doc([5], utf8('offset\0'), i32(2 ** 31 - 1), [0])))],
  ['a binary of a negative length', doc(docField('k', doc([5], utf8('offset\0'), i32(-1), [0])))],
  ['a string of 2 GiB', doc(docField('k', doc([2], utf8('dtype\0'), i32(2 ** 31 - 1), [0])))],
  ['a document of 2 GiB', concat(i32(2 ** 31 - 1), [3], utf8('k\0'), i32(2 ** 31 - 1), [0])],
  [
    'blobs of different lengths',
    doc(docField('k', doc(binary('offset', i64s([22, 22])), binary('size', i64s([0])), text('dtype', 'uint8')))),
  ],
  ['sizes of 2^62', doc(key('k', 'uint8', [22], [2n ** 62n]))],
  ['offsets of -2^63', doc(key('k', 'uint8', [-(2n ** 63n)], [0]))],
  [
    'integers in place of blobs',
    doc(docField('k', doc(int32('offset', 22), int32('size', 0), text('dtype', 'uint8')))),
  ],
  ['a hundred levels', doc(nested(100))],
])('%s', (_, metadata) => {
  expect(() => openSync(file([], metadata)).lengths('k')).toThrow(expect.objectContaining({ code: 'ERR_METADATA' }));
});

it('what was asked for twice is no overlap', async () => {
  using opened = openSync(shared(1, 2));
  expect(opened.gatherItemsSync([0, 0, 0], 'k0').shape).toEqual([3, MEGABYTE]);
  expect(opened.getEntriesSync(0, { keys: ['k0', 'k0'] })).toHaveLength(2);
  expect(opened.gatherKeysSync([1, 1], ['k0', 'k0'])).toHaveLength(2);
  await using loader = new DataLoader(new SyrahDataset(opened), { batchSize: 1 });
  for await (const batch of loader) expect(batch).toBeDefined();
});

describe('a journal', () => {
  const journal = (keys: string, ...records: readonly Uint8Array[]): Uint8Array =>
    concat(
      utf8('SYRAHJ'),
      [0, 4],
      i32(utf8(keys).length),
      new Uint8Array(Uint32Array.of(crc32(utf8(keys))).buffer),
      utf8(keys),
      ...records,
    );
  const leave = (name: string, bytes: Uint8Array, partialBytes: number): string => {
    const path = `${folder}/${name}.syr`;
    writeFileSync(`${path}.journal`, bytes);
    writeFileSync(`${path}.partial`, new Uint8Array(partialBytes));
    return path;
  };

  it('whose keys share their bytes acknowledges nothing, without reading them for each', () => {
    const keys = Array.from({ length: 20_000 }, (_, k) => [`k${String(k)}`, 'uint8']);
    const record = concat(i32(0), ...keys.flatMap(() => [i64(22), i64(4 * MEGABYTE)]));
    const path = leave('shared', journal(JSON.stringify(keys), record), 22 + 4 * MEGABYTE);
    expect(recoverSync(path)).toMatchObject({ status: 'nothing', itemCount: 0 });
  });

  it('of more values than keys may have is refused before they are parsed', () => {
    const path = leave('bloated', journal(`[${'[],'.repeat(400_000)}[]]`), 22);
    expect(() => recoverSync(path)).toThrow(expect.objectContaining({ code: 'ERR_LIMIT' }));
  });

  it('with a giant record, or a giant header, says that nothing is whole', () => {
    const giant = leave('giant', journal('[["k","uint8"]]', concat(i32(0), i64(22), i64(2n ** 62n))), 100);
    expect(recoverSync(giant)).toMatchObject({ status: 'nothing' });
    const header = leave('header', concat(utf8('SYRAHJ'), [0, 4], i32(-1), i32(0)), 22);
    expect(recoverSync(header)).toMatchObject({ status: 'nothing' });
  });
});
