// Files by folder and by pattern: their order, what a pattern means, links and hidden files, and both forms alike.
import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  filesBelow,
  filesMatching,
  filesOfFolder,
  hasWildcards,
  kindOfPath,
  nameMatcher,
  sortedNaturally,
} from '../../src/listing.ts';

let folder = '';
const FILES = [
  'run_2.cstore',
  'run_10.cstore',
  'run_1.cstore',
  '.run_3.cstore',
  'run_2.cna',
  'a/run_5.cstore',
  'a/b/run_4.cstore',
  'a/.hidden/run_6.cstore',
  'run[7].cstore',
  'é.cstore',
];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'listing-'));
  for (const path of ['a/b', 'a/.hidden', 'run_9.cstore']) mkdirSync(join(folder, path), { recursive: true });
  for (const path of FILES) writeFileSync(join(folder, path), path);
  symlinkSync(join(folder, 'a', 'run_5.cstore'), join(folder, 'run_3.cstore'));
  mkdirSync(join(folder, '.odd'));
  symlinkSync(join(folder, 'missing'), join(folder, '.odd', 'run_8.cstore'));
  symlinkSync(folder, join(folder, 'a', 'loop'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** In both forms, below the folder. */
async function both(describe: () => Work<readonly string[]>): Promise<readonly string[]> {
  const found = await run(describe());
  expect(runSync(describe())).toEqual(found);
  return found.map((path) => relative(folder, path).replaceAll('\\', '/'));
}

test('numbers in names are numbers', () => {
  const sorted = [
    'run_2',
    'run_10',
    'run_1',
    'run_02',
    '10',
    '9',
    'run',
    'run_',
    'Run_3',
    'run_2a',
    `x${'9'.repeat(30)}`,
    `x1${'0'.repeat(30)}`,
  ];
  expect(sortedNaturally(sorted)).toEqual([
    '9',
    '10',
    'Run_3',
    'run',
    'run_',
    'run_1',
    'run_02',
    'run_2',
    'run_2a',
    'run_10',
    `x${'9'.repeat(30)}`,
    `x1${'0'.repeat(30)}`,
  ]);
});

test('a folder is its files in natural order', async () => {
  expect(await both(() => filesOfFolder(folder, '.cstore'))).toEqual([
    'run[7].cstore',
    'run_1.cstore',
    'run_2.cstore',
    'run_3.cstore',
    'run_10.cstore',
    'é.cstore',
  ]);
  expect(await both(() => filesOfFolder(join(folder, 'a', 'b'), '.cna'))).toEqual([]);
  await expect(run(filesOfFolder(join(folder, 'none'), '.cstore'))).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  expect(() => runSync(filesOfFolder(join(folder, 'run_1.cstore'), '.cstore'))).toThrow(
    expect.objectContaining({ code: 'ERR_READ' }),
  );
});

test.each([
  ['run_*.cstore', ['run_1.cstore', 'run_2.cstore', 'run_3.cstore', 'run_10.cstore']],
  ['run_?.cstore', ['run_1.cstore', 'run_2.cstore', 'run_3.cstore']],
  ['run_[12].cstore', ['run_1.cstore', 'run_2.cstore']],
  ['run_[2-9]*', ['run_2.cna', 'run_2.cstore', 'run_3.cstore']],
  ['run_[!2-9].cstore', ['run_1.cstore']],
  ['run[[]7].cstore', ['run[7].cstore']],
  ['?.cstore', ['é.cstore']],
  ['.run*', ['.run_3.cstore']],
  ['*/run_*.cstore', ['a/run_5.cstore']],
  [
    'a/*/run_*.cstore',
    ['a/b/run_4.cstore', ...['run_1', 'run_2', 'run_3', 'run_10'].map((name) => `a/loop/${name}.cstore`)],
  ],
  ['**/run_[45].cstore', ['a/b/run_4.cstore', 'a/run_5.cstore']],
  ['a/**', ['a/b/run_4.cstore', 'a/run_5.cstore']],
  ['*//run_5.cstore', ['a/run_5.cstore']],
])('%s', async (pattern, expected) => {
  expect(await both(() => filesMatching(`${folder}/${pattern}`))).toEqual(expected);
});

test.each(['none_*.cstore', 'run_9*', 'none/*', 'run_1.cstore/*', 'run[7].cstore'])(
  'nothing matches %s',
  async (pattern) => {
    await expect(run(filesMatching(`${folder}/${pattern}`))).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
    expect(() => runSync(filesMatching(`${folder}/${pattern}`))).toThrow(/no file matches the pattern/u);
  },
);

test('what a part of a pattern matches', () => {
  const cases: readonly [pattern: string, yes: readonly string[], no: readonly string[]][] = [
    ['a{b,c}(1)+|^$\\', ['a{b,c}(1)+|^$\\'], ['ab', 'ac']],
    ['[]x]', [']', 'x'], ['[', '[]x]']],
    ['[!]x]', ['a'], [']', 'x']],
    ['[z-a]', [], ['z', 'a', '-']],
    ['[a-]', ['a', '-'], ['b']],
    ['part-*.cna', ['part-1.cna', 'part--.cna'], ['part1.cna']],
    ['[^a]', ['^', 'a'], ['b']],
    ['[abc', ['[abc'], ['a']],
    ['?', ['😀', '\n'], ['', 'ab']],
    ['a**b', ['ab', 'axxb'], ['ac']],
    ['[.]x', [], ['.x']],
  ];
  for (const [pattern, yes, no] of cases) {
    const matches = nameMatcher(pattern);
    expect([pattern, yes.filter(matches), no.filter(matches)]).toEqual([pattern, yes, []]);
  }
  expect(['a', 'a{b}', 'a*', 'a?', '[a'].map(hasWildcards)).toEqual([false, false, true, true, true]);
});

const OTHERS = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).concat('é', '😀', '\n');
test.each(OTHERS.filter((each) => !'*?['.includes(each)))('%j is itself, in names and in sets', (each) => {
  const isMatch = (pattern: string, name: string): boolean => nameMatcher(pattern)(name);
  expect([isMatch(`a${each}b*`, `a${each}bc`), isMatch(`a${each}b*`, 'aЖbc'), isMatch(`a${each}b*`, 'abc')]).toEqual([
    true,
    false,
    false,
  ]);
  if (each !== '!') expect([isMatch(`a[${each}]`, `a${each}`), isMatch(`a[${each}]`, 'aЖ')]).toEqual([true, false]);
  expect([isMatch(`a[!${each}]`, `a${each}`), isMatch(`a[!${each}]`, 'aЖ')]).toEqual([false, true]);
  // A bracket ends the set.
  if (each !== ']') expect(isMatch(`a[0${each}-${each}]`, `a${each}`)).toBe(true);
});

test('what stands at a path', async () => {
  const paths = ['run_1.cstore', 'a', 'run_3.cstore', '.odd/run_8.cstore', 'none', 'a/loop'].map((path) =>
    join(folder, path),
  );
  const kinds = ['file', 'folder', 'file', null, null, 'folder'];
  expect(await Promise.all(paths.map((path) => run(kindOfPath(path))))).toEqual(kinds);
  expect(paths.map((path) => runSync(kindOfPath(path)))).toEqual(kinds);
});

test.each(['EACCES', 'EIO'])('what cannot be looked at (%s) is an error, and not left out', async (code) => {
  const secret = join(folder, 'a', 'b');
  const refuse = (path: fs.PathLike): void => {
    if (String(path).startsWith(secret)) throw Object.assign(new Error(code), { code });
  };
  const { readdir, stat } = fs.promises;
  const listing = vi.spyOn(fs.promises, 'readdir').mockImplementation((async (path: string, options: object) => {
    refuse(path);
    return readdir(path, { ...options, withFileTypes: true });
  }) as unknown as typeof readdir);
  const status = vi.spyOn(fs.promises, 'stat').mockImplementation((async (path: string) => {
    refuse(path);
    return stat(path);
  }) as unknown as typeof stat);
  try {
    for (const pattern of ['**/*.cstore', 'a/*/*.cstore', 'a/*/run_4.cstore'])
      await expect(run(filesMatching(join(folder, pattern)))).rejects.toMatchObject({ code: 'ERR_READ' });
    await expect(run(kindOfPath(join(secret, 'run_4.cstore')))).rejects.toMatchObject({ code: 'ERR_READ' });
    expect(await run(filesMatching(join(folder, '*.cna')))).toHaveLength(1);
  } finally {
    listing.mockRestore();
    status.mockRestore();
  }
});

test.each([
  ['a folder', (odd: string) => filesOfFolder(odd, '.cstore')],
  ['a folder and those in it', (odd: string) => filesBelow(odd, () => true)],
  ['a pattern', (odd: string) => filesMatching(join(odd, 'run_*.cstore'))],
])('a link to nothing in %s is an error: rows would be missing', async (_, describe) => {
  const odd = join(folder, '.odd');
  const refused = {
    code: 'ERR_NOT_FOUND',
    message: `${join(odd, 'run_8.cstore')}: open: the link leads to no file; mend or remove it`,
  };
  await expect(run(describe(odd))).rejects.toMatchObject(refused);
  expect(() => runSync(describe(odd))).toThrow(expect.objectContaining(refused) as Error);
});

test('a link to nothing that is not meant does not matter', async () => {
  const odd = join(folder, '.odd');
  expect(await run(filesOfFolder(odd, '.cna'))).toEqual([]);
  expect(await run(filesBelow(odd, (path) => path.endsWith('.cna')))).toEqual([]);
});
