// Real processes that write one file through different names, symbolic and hard links: no row of an acknowledged call
// is lost, no file is torn; and what a killed one held is taken over. And what `create` and `appender` do to links,
// permissions and what is no file.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { append, appender, create, createSync, readSync, recover, write, writeSync } from '../../../src/index.ts';
import { readTable } from '../../support/table.ts';

// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';

let root = '';
let writer = '';
let next = 0;
beforeAll(async () => {
  if (isOther) return;
  root = mkdtempSync(join(tmpdir(), 'columna-names-'));
  writer = await bundleForNode(new URL('./writer.ts', import.meta.url), root);
}, 300_000);
afterAll(() => rmSync(root || 'no folder was made', { recursive: true, force: true }));

/** A folder with a file, a symbolic link to it, a hard link, and the folder's own other name. */
function named(): { folder: string; names: string[] } {
  next += 1;
  const folder = join(root, `f${String(next)}`);
  mkdirSync(folder);
  const path = join(folder, 'data.cna');
  writeSync(path, { writer: Int32Array.of(), time: Int32Array.of() }, { durability: 'none' });
  symlinkSync('data.cna', join(folder, 'link.cna'));
  linkSync(path, join(folder, 'hard.cna'));
  symlinkSync(folder, join(root, `door${String(next)}`));
  return {
    folder,
    names: [path, join(folder, 'link.cna'), join(folder, 'hard.cna'), join(root, `door${String(next)}`, 'data.cna')],
  };
}

function run(words: readonly string[]): Promise<{ acknowledged: string[]; error: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [writer, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, error] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
    child.on('close', () => resolve({ acknowledged: out.split('\n').filter((line) => line !== ''), error }));
  });
}

const rowsOf = (path: string): string[] => {
  const { writer: writers, time } = readSync(path) as { writer: Int32Array; time: Int32Array };
  return Array.from(writers, (each, i) => `${String(each)} ${String(time[i])}`);
};

describe.skipIf(isOther)('processes', () => {
  it('append through four names: every acknowledged row is there, once', { timeout: 120_000 }, async () => {
    const { folder, names } = named();
    const ended = await Promise.all(names.map((name, number) => run([name, 'append', String(number), '8'])));
    expect(ended.map(({ error }) => error)).toEqual(['', '', '', '']);
    const expected = ended
      .flatMap(({ acknowledged }) => acknowledged)
      .flatMap((line) => new Array<string>(50).fill(line));
    expect(expected).toHaveLength(4 * 8 * 50);
    expect(rowsOf(names[0]!).sort()).toEqual(expected.sort());
    expect(statSync(names[2]!).ino).toBe(statSync(names[0]!).ino);
    expect(readdirSync(folder).sort()).toEqual(['data.cna', 'hard.cna', 'link.cna']);
  });

  it('what was replaced meanwhile: all rows behind the last replacement, and nothing torn', {
    timeout: 120_000,
  }, async () => {
    const { folder, names } = named();
    rmSync(names[2]!);
    const ended = await Promise.all([
      run([names[0]!, 'append', '0', '8']),
      run([names[1]!, 'replace', '1', '8']),
      run([names[3]!, 'append', '2', '8']),
    ]);
    expect(ended.map(({ error }) => error)).toEqual(['', '', '']);
    const rows = rowsOf(names[0]!);
    const [start, rest] = [rows.findIndex((row) => row.startsWith('1 ')), rows.filter((row) => !row.startsWith('1 '))];
    expect(start).toBe(0);
    expect(rows.filter((row) => row === '1 7')).toHaveLength(50);
    // Of each appender, its last so many calls.
    for (const number of ['0', '2']) {
      const times = [
        ...new Set(rest.filter((row) => row.startsWith(`${number} `)).map((row) => Number(row.split(' ')[1]))),
      ];
      expect(times).toEqual(Array.from({ length: times.length }, (_, i) => 8 - times.length + i));
    }
    expect(lstatSync(names[1]!).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['data.cna', 'link.cna']);
  });

  it('one that is killed: the next comes through another name, and keeps what was checkpointed', {
    timeout: 60_000,
  }, async () => {
    for (const [first, second] of [
      [0, 2],
      [2, 1],
      [1, 0],
      [3, 2],
    ] as const) {
      const { folder, names } = named();
      await run([names[first]!, 'die', '7']);
      expect(readdirSync(folder).some((name) => name.endsWith('.lock'))).toBe(true);
      const { rowCount } = await append(names[second]!, { writer: Int32Array.of(1), time: Int32Array.of(1) });
      expect(rowCount).toBeGreaterThan(1);
      await append(names[first]!, { writer: Int32Array.of(1), time: Int32Array.of(1) });
      expect(readTable(new Uint8Array(readFileSync(names[0]!))).footer.rowCount).toBe(rowCount + 1);
      expect(readdirSync(folder).sort()).toEqual(['data.cna', 'hard.cna', 'link.cna']);
    }
  });
});

describe.skipIf(isOther)('in one process', () => {
  const batch = { writer: Int32Array.of(1), time: Int32Array.of(1) };

  it('an appender, and whoever else comes through another name', async () => {
    const { names } = named();
    const open = await appender(names[2]!);
    for (const name of names) {
      await expect(append(name, batch)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
      await expect(write(name, batch, { overwrite: true })).rejects.toMatchObject({ code: 'ERR_LOCKED' });
      await expect(create(name, { overwrite: true })).rejects.toMatchObject({ code: 'ERR_LOCKED' });
      await expect(recover(name)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    }
    await open.write(batch);
    await open.close();
    expect(rowsOf(names[0]!)).toEqual(['1 1']);
  });

  it('a file that another program replaces under an appender: its rows are not said to be there', async () => {
    const { folder, names } = named();
    const open = await appender(names[0]!);
    await open.write(batch);
    writeFileSync(join(folder, 'other'), readFileSync(names[0]!));
    spawnSync('mv', [join(folder, 'other'), names[0]!]);
    await expect(open.close()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  });

  it.each([0o600, 0o640, 0o4755])('create keeps permissions (%o), and what a link leads to', async (mode) => {
    const { folder, names } = named();
    chmodSync(names[0]!, mode);
    const open = await create(names[1]!, { overwrite: true });
    await open.write(batch);
    await open.checkpoint();
    expect(statSync(join(folder, 'data.cna.partial')).mode & 0o7777).toBe(mode & 0o777);
    await open.close();
    expect([lstatSync(names[1]!).isSymbolicLink(), statSync(names[0]!).mode & 0o7777, rowsOf(names[0]!)]).toEqual([
      true,
      mode & 0o777,
      ['1 1'],
    ]);
  });

  it.each(['create', 'append'] as const)(
    '%s refuses at once what is no file, and says which folder is missing',
    async (what) => {
      const { folder } = named();
      mkdirSync(join(folder, 'inner'));
      spawnSync('mkfifo', [join(folder, 'pipe')]);
      const start = async (path: string): Promise<unknown> =>
        what === 'create' ? createSync(path, { overwrite: true }) : appender(path);
      for (const path of [join(folder, 'inner'), join(folder, 'pipe')])
        await expect(start(path)).rejects.toMatchObject({ code: 'ERR_WRITE', path });
      await expect(start(join(folder, 'none', 'a.cna'))).rejects.toMatchObject({
        message: expect.stringContaining(`there is no folder ${join(folder, 'none')}`) as string,
      });
      expect(readdirSync(folder).some((name) => name.includes('lock') || name.includes('partial'))).toBe(false);
    },
  );
});
