// Python's colstore and ours on the same files at the same time: who has the lock, who is told, what readers see, and
// two writers that contend for every record. With COLKIT_PYTHON=/path/to/python, one that has colstore 0.5.1.
import { spawn } from 'node:child_process';
import { linkSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  append,
  appender,
  backendInfo,
  col,
  compact,
  create,
  info,
  open,
  openSync,
  update,
  verify,
  write,
} from '../../src/index.ts';

const PYTHON = process.env['COLKIT_PYTHON'];
// Without the addon there is no lock that both know.
const isMissing = PYTHON === undefined || backendInfo().backend !== 'native';

const root = mkdtempSync(join(tmpdir(), 'colstore-python-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const rows = (first: number, count: number) => ({ x: Int32Array.from({ length: count }, (_, row) => first + row) });
const xs = async (path: string): Promise<number[]> => {
  await using table = await open(path);
  return Array.from((await table.toColumns())['x'] as Int32Array);
};
const range = (count: number): number[] => Array.from({ length: count }, (_, row) => row);

class Python {
  readonly #child;
  readonly #lines;

  constructor(path: string, mode: 'file' | 'folder') {
    const script = fileURLToPath(new URL('writer.py', import.meta.url));
    this.#child = spawn(PYTHON ?? 'python3', ['-B', script, path, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  async ask(command: string): Promise<string> {
    this.#child.stdin.write(`${command}\n`);
    const line = await this.#lines.next();
    return String(line.value);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

let path = '';
let python: Python | null = null;
beforeEach(() => {
  path = join(mkdtempSync(join(root, 'test-')), 'table.cstore');
});
afterEach(() => python?.kill());

describe.skipIf(isMissing)('one file', () => {
  it('who comes second is told, and goes on when the first is done', async () => {
    const first = await create(path);
    await first.write(rows(0, 10));
    await first.close();
    python = new Python(path, 'file');
    for (let round = 1; round < 6; round += 1) {
      const ours = await update(path);
      expect(await python.ask('open')).toMatch(/^refused/u);
      await ours.write(rows(20 * round - 10, 10));
      await ours.close();
      expect(await python.ask('open')).toBe('ok');
      await expect(update(path)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
      expect(await python.ask(`write ${String(20 * round)} 10`)).toBe('ok');
      expect(await python.ask('close')).toBe('ok');
    }
    expect(await xs(path)).toEqual(range(110));
    expect(await python.ask('rows')).toBe(range(110).join(' '));
    expect([(await verify(path)).ok, (await info(path)).recordCount]).toEqual([true, 11]);
  });

  it.each(['mmap', 'pread'] as const)('%s: readers keep their rows while Python writes, dies, and cuts', async (io) => {
    const first = await create(path, { statistics: true });
    for (let record = 0; record < 50; record += 1) await first.write(rows(10 * record, 10));
    await first.close();
    python = new Python(path, 'file');
    const tables = [openSync(path, { io })];
    const check = async (): Promise<void> => {
      for (const table of tables) {
        const { x } = (await table.toColumns()) as { x: Int32Array };
        expect(Array.from(x)).toEqual(range(table.rowCount));
        expect(await table.where(col('x').ge(490)).count()).toBe(table.rowCount - 490);
      }
    };
    await check();
    for (let round = 0; round < 3; round += 1) {
      // One dies with a record that is not committed; the next cuts that.
      expect(await python.ask('open')).toBe('ok');
      await check();
      expect(await python.ask(`write 90000 ${String(40_000 + round)}`)).toBe('ok');
      tables.push(openSync(path, { io }), await open(path, { io }));
      await check();
      python.kill();
      python = new Python(path, 'file');
      expect(await python.ask('open')).toBe('ok');
      await check();
      expect(await python.ask(`write ${String(500 + 10 * round)} 10`)).toBe('ok');
      await check();
      expect(await python.ask('close')).toBe('ok');
      await check();
      using now = await tables[0]!.reload();
      expect(now.rowCount).toBe(510 + 10 * round);
    }
    expect(tables.map(({ rowCount }) => rowCount)).toEqual([500, 500, 500, 510, 510, 520, 520]);
    for (const table of tables) table.close();
  });

  it('two writers that contend for every record: each that was acknowledged is there once', {
    timeout: 120_000,
  }, async () => {
    const start = await create(path);
    await start.write(rows(-10, 10));
    await start.close();
    python = new Python(path, 'file');
    // It is there, and holds its first lock for a while: both sides meet.
    await python.ask('rows');
    let isOver = false;
    const theirs = python.ask('contend 60 100000').finally(() => (isOver = true));
    let [record, isLocked] = [0, 0];
    while (record < 60 || (isLocked === 0 && !isOver)) {
      try {
        await using writer = await update(path);
        await writer.write(rows(10 * record, 10));
        await writer.close();
        record += 1;
      } catch (error) {
        if ((error as { code?: string }).code !== 'ERR_LOCKED') throw error;
        isLocked += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await theirs).toBe('60');
    const found = await xs(path);
    expect(found.filter((x) => x >= 0 && x < 100_000)).toEqual(range(10 * record));
    expect(found.filter((x) => x >= 100_000)).toEqual(range(600).map((x) => x + 100_000));
    expect([(await verify(path)).ok, (await info(path)).recordCount]).toEqual([true, 61 + record]);
    expect(isLocked).toBeGreaterThan(0);
  });
});

describe.skipIf(isMissing)('one file with several names', () => {
  it.each([
    ['a symbolic link', symlinkSync],
    ['a hard link', linkSync],
  ] as const)('%s: who comes second through the other name is told', async (_, link) => {
    const first = await create(path);
    await first.write(rows(0, 10));
    await first.close();
    const other = join(path, '..', 'other.cstore');
    link(path, other);
    for (const [round, [theirs, ours]] of [
      [path, other],
      [other, path],
      [other, other],
    ].entries()) {
      python = new Python(theirs as string, 'file');
      expect(await python.ask('open')).toBe('ok');
      for (const each of [path, other]) {
        await expect(update(each)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
        await expect(compact(each)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
        await expect(write(each, rows(0, 1), { overwrite: true })).rejects.toMatchObject({ code: 'ERR_LOCKED' });
      }
      expect(await python.ask(`write ${String(20 * round + 10)} 10`)).toBe('ok');
      expect(await python.ask('close')).toBe('ok');
      await using writer = await update(ours as string);
      expect(await python.ask('open')).toMatch(/^refused/u);
      await writer.write(rows(20 * round + 20, 10));
      await writer.close();
      python.kill();
    }
    for (const each of [path, other]) expect(await xs(each)).toEqual(range(70));
    python = new Python(other, 'file');
    expect(await python.ask('rows')).toBe(range(70).join(' '));
  });

  it('a folder through a link', async () => {
    const [folder, link] = [join(path, '..', 'folder'), join(path, '..', 'link')];
    await append(folder, rows(0, 10));
    symlinkSync('folder', link, 'dir');
    python = new Python(link, 'folder');
    expect(await python.ask('open')).toBe('ok');
    await expect(append(folder, rows(0, 1))).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    expect(await python.ask('write 10 10')).toBe('ok');
    expect(await python.ask('close')).toBe('ok');
    await using ours = await appender(folder);
    expect(await python.ask('open')).toMatch(/^refused/u);
    await ours.write(rows(20, 10));
    await ours.close();
    expect(await xs(link)).toEqual(range(30));
  });
});

describe.skipIf(isMissing)('one folder', () => {
  it('who comes second is told; files of both are one table', async () => {
    const folder = join(path, '..', 'folder');
    await append(folder, rows(0, 10));
    python = new Python(folder, 'folder');
    for (let round = 0; round < 4; round += 1) {
      const ours = await appender(folder);
      expect(await python.ask('open')).toMatch(/^refused/u);
      await ours.write(rows(20 * round + 10, 10));
      await ours.close();
      expect(await python.ask('open')).toBe('ok');
      await expect(append(folder, rows(0, 1))).rejects.toMatchObject({ code: 'ERR_LOCKED' });
      expect(await python.ask(`write ${String(20 * round + 20)} 10`)).toBe('ok');
      expect(await python.ask('close')).toBe('ok');
    }
    expect(await xs(folder)).toEqual(range(90));
    expect(await python.ask('rows')).toBe(range(90).join(' '));
  });

  it('two that contend for every file', { timeout: 120_000 }, async () => {
    const folder = join(path, '..', 'folder');
    await append(folder, rows(-10, 10));
    python = new Python(folder, 'folder');
    const theirs = python.ask('contend 40 100000');
    for (let file = 0; file < 40; ) {
      try {
        await append(folder, rows(10 * file, 10), { durability: 'none' });
        file += 1;
      } catch (error) {
        if ((error as { code?: string }).code !== 'ERR_LOCKED') throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await theirs).toBe('40');
    const found = await xs(folder);
    expect(found.filter((x) => x >= 0 && x < 100_000)).toEqual(range(400));
    expect(found.filter((x) => x >= 100_000)).toEqual(range(400).map((x) => x + 100_000));
    expect((await info(folder)).files).toHaveLength(81);
  });
});
