// The command on items: every subcommand but convert, both outputs, exit codes.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSync, openSync } from 'syrah';
import { doc, file, key } from '@colkit/testkit/syr-bytes';
import { COUNT, itemOf, writeItems } from '../support/items.ts';
import { temporaryFolder } from '../support/folder.ts';
import { BIN, linesOf as run, runHere } from '../support/run.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');

beforeAll(() => writeItems(path));

describe('looking', () => {
  test('info', async () => {
    const { code, out } = await run('info', path);
    expect([code, out.length]).toEqual([0, 5]);
    expect(out[0]).toMatch(/300 items, form current \(version 0\.2\.0\)/);
    expect(out[2]).toMatch(/features {2}float64 {3}0 to 3/);
    const {
      out: [json],
    } = await run('info', path, '--json');
    expect(JSON.parse(json ?? '')).toMatchObject({
      itemCount: COUNT,
      form: 'current',
      named: false,
      keys: [
        { name: 'label', dtype: 'int32', shortest: 1, longest: 1 },
        { name: 'features' },
        { name: 'name' },
        { dtype: 'bool' },
      ],
    });
  });

  test('head and get', async () => {
    expect((await run('head', path, '--items', '2', '--keys', 'features,label')).out).toEqual([
      'item 0',
      '  features  float64[0]  ',
      '  label     int32[1]  0',
      'item 1',
      '  features  float64[1]  1',
      '  label     int32[1]  1',
    ]);
    expect((await run('get', path, '3', '-1', '--keys', 'label', '--json')).out).toEqual([
      '{"label":[3]}',
      '{"label":[299]}',
    ]);
    expect((await run('get', path, '3')).out).toEqual([
      'item 3',
      '  label     int32[1]  3',
      '  features  float64[3]  3 3.25 3.5',
      '  name      str  "n3, \\"é\\"\\n"',
      '  flag      bool[1]  false',
    ]);
  });

  test('an old file: items by name', async () => {
    const old = fileURLToPath(new URL('../../../syrah/test/golden/old-magic-last/readme.syr', import.meta.url));
    expect((await run('info', old)).out[0]).toMatch(/item-by-item-magic-last.*items have names/);
    expect((await run('get', old, '3', '--keys', 'label')).code).toBe(0);
    const current = folder.path('current.syr');
    expect((await run('convert', old, current)).code).toBe(0);
    const same = fileURLToPath(new URL('../../../syrah/test/golden/0.2.0/readme.syr', import.meta.url));
    expect((await run('head', current, '--json')).out).toEqual((await run('head', old, '--json')).out);
    expect(openSync(current).schema).toEqual(openSync(same).schema);
  });

  test('verify', async () => {
    expect(await run('verify', path)).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/whole, 300 items of 4 keys, \d[\d,]* bytes of arrays, 0 unused; .*no checksums/)],
    });
    const bytes = readFileSync(path);
    const broken = folder.path('broken.syr');
    bytes[bytes.indexOf('n7, ')] = 0xff;
    writeFileSync(broken, bytes);
    expect(await run('verify', broken)).toMatchObject({
      code: 1,
      out: [expect.stringMatching(/damaged, 1 problem$/), expect.stringMatching(/item 7.*expected text/)],
    });
    writeFileSync(broken, bytes.subarray(0, -1));
    const truncated = await run('verify', broken, '--json');
    expect(truncated).toMatchObject({ code: 1, notes: [] });
    expect(JSON.parse(truncated.out.join('\n'))).toMatchObject([
      { ok: false, problems: [{ code: 'ERR_TRUNCATED', message: expect.stringMatching(/broken\.syr/) as string }] },
    ]);
  });

  test('recover', async () => {
    expect(await run('recover', path)).toMatchObject({ code: 0, out: [expect.stringMatching(/whole, 300 items/)] });
    const dead = folder.path('dead.syr');
    const writer = createSync(dead, { journal: true });
    for (let i = 0; i < 3; i += 1) writer.addItemSync(itemOf(i));
    expect(await run('recover', dead)).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/this process is writing it; .*colkit recover FILE --force goes on.*ERR_LOCKED/)],
    });
    for (const more of [[], ['-f']])
      expect(await run('convert', path, dead, ...more)).toMatchObject({
        code: 1,
        notes: [expect.stringMatching(/ERR_LOCKED/)],
      });
    const left = folder.path('left.syr');
    writeFileSync(`${left}.partial`, '');
    expect(await run('convert', path, left)).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/colkit recover FILE makes a whole file of it, -f throws it away.*ERR_EXISTS/)],
    });
    const { code, out } = await run('recover', dead, '--force', '--json');
    expect([code, JSON.parse(out.join('\n'))]).toMatchObject([0, { status: 'recovered', itemCount: 3, lostBytes: 0 }]);
    writeFileSync(folder.path('zeros.syr'), new Uint8Array(100));
    expect(await run('recover', folder.path('zeros.syr'))).toMatchObject({
      code: 1,
      out: [expect.stringMatching(/nothing, 0 items, 100 bytes lost/)],
    });
    writer.abortSync();
  });
});

describe('exit codes', () => {
  test.each([
    [[], 2],
    [['help'], 0],
    [['info', '--help'], 0],
    [['nonsense'], 2],
    [['info'], 2],
    [['info', '/no/such/file.syr'], 1],
    [['head', path, '--items', '-1'], 2],
    [['head', path, '--nonsense'], 2],
    [['get', path, '300'], 2],
    [['get', path, '0', '--keys', 'nonsense'], 2],
    [['convert', path, 'x.unknown'], 2],
    [['convert', 'a.csv', 'b.csv'], 1],
    [['convert', path, path], 1],
    [['convert', path, 'x.syr', '--schema', 'a:int32'], 2],
    [['convert', 'a.csv', 'b.syr', '--schema', 'nonsense'], 2],
  ])('%j: %i', async (words, code) => {
    const found = await run(...words);
    expect(found.code).toBe(code);
    if (code !== 0 && words.length > 0) expect(found.notes.length).toBe(1);
  });

  test('the program itself', () => {
    const start = (...words: string[]) => spawnSync(process.execPath, [BIN, ...words], { encoding: 'utf8' });
    expect(start('get', path, '-2', '--keys', 'label', '--json')).toMatchObject({
      status: 0,
      stdout: '{"label":[298]}\n',
      stderr: '',
    });
    expect(start('verify', folder.path('nothing.syr'))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('ERR_NOT_FOUND') as string,
    });
    expect(start('nonsense').status).toBe(2);
  });
});

test('verify of the first part of a set tells of parts that are missing, or another set’s', async () => {
  const roll = (name: string): string[] => {
    const first = folder.path(name);
    const writer = createSync(first, { roll: true, maxMetadataBytes: 400 });
    for (let item = 0; item < 60; item += 1) writer.addItemSync({ label: Int32Array.of(item) });
    writer.closeSync();
    return [...(openSync(first).part?.paths ?? [])];
  };
  const [parts, others] = [roll('set.syr'), roll('other.syr')];
  const [first, second] = parts as [string, string];
  expect(parts.length).toBeGreaterThan(2);
  const whole = await run('verify', first);
  expect([whole.code, whole.out[0]]).toEqual([0, expect.stringContaining(`whole, part 1 of ${parts.length}; `)]);
  expect((await run('verify', ...parts)).code).toBe(0);
  const kept = readFileSync(second);
  writeFileSync(second, readFileSync(others[1]!));
  const mixed = await run('verify', first);
  expect([mixed.code, ...mixed.out]).toEqual([
    1,
    expect.stringContaining('incomplete, part 1 of a set that is not whole'),
    expect.stringContaining(`${second} is a part of another set`),
  ]);
  rmSync(second);
  const { code, out } = await run('verify', first, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out.join(''))).toMatchObject([
    { ok: false, part: { number: 0 }, problems: [{ code: 'ERR_LAYOUT' }] },
  ]);
  writeFileSync(second, kept);
  expect((await run('verify', first)).code).toBe(0);
});

test('verify finds a text that very many items share before it reads them', async () => {
  const [items, bytes] = [20_000, 1 << 20];
  const shared = folder.path('shared.syr');
  writeFileSync(
    shared,
    file(
      new Uint8Array(bytes).fill(65),
      doc(key('x', 'str', new Array<number>(items).fill(22), new Array<number>(items).fill(bytes))),
    ),
  );
  const { code, out, err } = await runHere(true, 'verify', shared);
  // No item was read: a million of them would be read for ever.
  expect([code, err.includes('verified'), out]).toEqual([
    1,
    false,
    expect.stringMatching(/arrays that do not overlap, of at most 1048576 bytes/),
  ]);
});
