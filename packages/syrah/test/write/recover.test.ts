// The journal and what recover makes of it: by hand at every cut of the journal, torn and damaged ends, live writers,
// files without a journal.
import { crc32, isColkitError } from '@colkit/io';
import { temporaryPrefix, writerTag } from '@colkit/io/durable';
import { codeOf } from '@colkit/testkit';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, linkSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { create, createSync, open, openSync, recover, recoverSync } from '../../src/index.ts';
import type { ItemInput } from '../../src/index.ts';
import { concat, i32, i64 } from '@colkit/testkit/syr-bytes';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let counter = 0;
const newPath = (): string => folder.path(`r${String((counter += 1))}.syr`);
const item = (i: number): Record<string, Uint8Array | Int32Array> => ({
  a: new Uint8Array(i).fill(i),
  b: Int32Array.of(i),
});

/**
 * What a writer that died after `count` items leaves: as the writer wrote it, and its process number changed to a dead
 * one's.
 */
async function leftover(count: number, more: readonly ItemInput[] = []): Promise<string> {
  const path = newPath();
  const writer = await create(path, { journal: true });
  for (let i = 0; i < count; i += 1) await writer.addItem(item(i));
  for (const each of more) await writer.addItem(each);
  const [partial, journal] = [readFileSync(`${path}.partial`), readFileSync(`${path}.journal`)];
  await writer.abort();
  expect([existsSync(path), existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([
    false,
    false,
    false,
  ]);
  writeFileSync(`${path}.partial`, partial);
  writeFileSync(`${path}.journal`, journal);
  setLock(path, dead);
  return path;
}

/** What a lock says of a process: one that has ended, or one of another machine. */
const ended = spawnSync(process.execPath, ['-e', '']).pid;
const tagOf = (scope: string | null, pid: number, started?: string): string => {
  const [ownScope, , ownStarted, random] = writerTag().split('-') as [string, string, string, string];
  return [scope ?? ownScope, pid, started ?? ownStarted, random].join('-');
};
const lockOf = (tag: string, host = hostname(), pid = ended): string =>
  JSON.stringify({ host, pid, tag, purpose: 'write' });
const dead = lockOf(tagOf(null, ended));
const elsewhere = lockOf(tagOf('0123456789abcdef', ended), 'another machine');

function setLock(path: string, lock: string): void {
  writeFileSync(`${path}.lock`, lock);
}

function expectItems(path: string, count: number): void {
  const file = openSync(path);
  expect(file.itemCount).toBe(count);
  for (let i = 0; i < count; i += 1) expect({ ...file.getItemSync(i) }).toEqual(item(i));
  file.close();
}

describe('with a journal', () => {
  test('the journal is as documented, and is gone after close()', async () => {
    const path = newPath();
    const writer = createSync(path, { journal: true, align: 8 });
    writer.addItemSync(item(1));
    const journal = new Uint8Array(readFileSync(`${path}.journal`));
    expect(new TextDecoder().decode(journal.subarray(0, 8))).toBe('SYRAHJ\0\x04');
    const lock = JSON.parse(readFileSync(`${path}.lock`, 'utf8')) as object;
    expect(lock).toEqual({
      host: hostname(),
      pid: process.pid,
      tag: expect.stringContaining(`-${String(process.pid)}-`) as string,
      purpose: 'write',
    });
    const keys = new TextEncoder().encode('[["a","uint8"],["b","int32"]]');
    const record = concat(i64(24), i64(1), i64(32), i64(4));
    expect(journal.subarray(8)).toEqual(
      concat(
        i32(keys.length),
        i32(crc32(keys) | 0),
        keys,
        i32(crc32(Uint8Array.of(1, 0, 0, 0), crc32(Uint8Array.of(1), crc32(record))) | 0),
        record,
      ),
    );
    expect(readFileSync(`${path}.partial`).length).toBe(36);
    writer.closeSync();
    expect([existsSync(path), existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('every acknowledged item comes back, as the writer would have written it', async () => {
    const path = await leftover(5);
    expect(await recover(path)).toMatchObject({ status: 'recovered', itemCount: 5 });
    expectItems(path, 5);
    const whole = newPath();
    const writer = await create(whole);
    for (let i = 0; i < 5; i += 1) await writer.addItem(item(i));
    await writer.close();
    expect(readFileSync(path).equals(readFileSync(whole))).toBe(true);
    expect([existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([false, false]);
    expect(recoverSync(path)).toMatchObject({ status: 'whole', itemCount: 5 });
  });

  test('a journal cut anywhere brings back what it still says', async () => {
    const source = await leftover(3);
    const journal = readFileSync(`${source}.journal`);
    const partial = readFileSync(`${source}.partial`);
    const records = journal.length - 3 * 36;
    for (let length = 0; length <= journal.length; length += 1) {
      const path = newPath();
      writeFileSync(`${path}.partial`, partial);
      writeFileSync(`${path}.journal`, journal.subarray(0, length));
      const items = Math.max(0, Math.floor((length - records) / 36));
      const report = recoverSync(path);
      expect([length, report.status, report.itemCount]).toEqual([length, items === 0 ? 'nothing' : 'recovered', items]);
      if (items > 0) expectItems(path, items);
      // Without the keys it is not known whether there was an item: then nothing is taken away.
      const isLeft = length < records;
      expect([existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([isLeft, isLeft]);
    }
  });

  test('a byte of the journal flipped anywhere: an error, or items that are right', async () => {
    const source = await leftover(3);
    const journal = readFileSync(`${source}.journal`);
    const partial = readFileSync(`${source}.partial`);
    for (let at = 0; at < journal.length; at += 1) {
      const path = newPath();
      const damaged = Uint8Array.from(journal);
      damaged[at]! ^= 0xff;
      writeFileSync(`${path}.partial`, partial);
      writeFileSync(`${path}.journal`, damaged);
      try {
        const report = recoverSync(path);
        if (report.status === 'recovered') expectItems(path, report.itemCount);
      } catch (error) {
        expect(isColkitError(error), `byte ${String(at)}: ${String(error)}`).toBe(true);
        expect(existsSync(`${path}.partial`)).toBe(true);
      }
    }
  });

  test('array bytes that did not reach the file are not recovered; bytes after the last item are cut off', async () => {
    const path = await leftover(4);
    truncateSync(`${path}.partial`, readFileSync(`${path}.partial`).length - 1);
    expect(recoverSync(path)).toMatchObject({ status: 'recovered', itemCount: 3 });
    expectItems(path, 3);
    const torn = await leftover(4);
    appendFileSync(`${torn}.partial`, new Uint8Array(1000));
    expect(recoverSync(torn)).toMatchObject({ itemCount: 4 });
    expectItems(torn, 4);
  });

  test('a live writer is not disturbed, unless by force: neither before its first item nor after', async () => {
    for (const count of [0, 1]) {
      const path = newPath();
      const writer = await create(path, { journal: true });
      for (let i = 0; i < count; i += 1) await writer.addItem(item(i));
      expect(await codeOf(() => recover(path))).toBe('ERR_LOCKED');
      expect(() => recoverSync(path)).toThrow(/this process is writing it; .*force: true/);
      expect(await codeOf(() => create(path, { overwrite: true }))).toBe('ERR_LOCKED');
      expect(await codeOf(() => create(path, { overwrite: true, journal: true }))).toBe('ERR_LOCKED');
      for (let i = count; i < 3; i += 1) await writer.addItem(item(i));
      await writer.close();
      expectItems(path, 3);
      expect([existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([false, false]);
    }
    const parent = await leftover(2);
    setLock(parent, lockOf(tagOf(null, process.ppid, 'x'), hostname(), process.ppid));
    expect(() => recoverSync(parent)).toThrow(new RegExp(`process ${String(process.ppid)} is writing it`));
    expect(recoverSync(parent, { force: true })).toMatchObject({ status: 'recovered', itemCount: 2 });
  });

  test('a writer on another machine, or in another container: nothing is touched, unless by force', async () => {
    const path = await leftover(2);
    setLock(path, elsewhere);
    const before = [readFileSync(`${path}.partial`), readFileSync(`${path}.journal`)];
    expect(() => recoverSync(path)).toThrow(expect.objectContaining({ name: 'IoError', code: 'ERR_LOCKED' }));
    expect(() => recoverSync(path)).toThrow(new RegExp(`process ${String(ended)} on another machine is writing it`));
    expect(await codeOf(() => recover(path, { overwrite: true }))).toBe('ERR_LOCKED');
    expect(await codeOf(() => create(path, { overwrite: true }))).toBe('ERR_LOCKED');
    expect([readFileSync(`${path}.partial`), readFileSync(`${path}.journal`)]).toEqual(before);
    expect(await recover(path, { force: true })).toMatchObject({ status: 'recovered', itemCount: 2 });
    expectItems(path, 2);
    const sameHostName = await leftover(1);
    setLock(sameHostName, lockOf(tagOf('0123456789abcdef', ended)));
    expect(await codeOf(() => recover(sameHostName))).toBe('ERR_LOCKED');
    const unnamed = await leftover(1);
    setLock(unnamed, lockOf('no tag of ours'));
    expect(await codeOf(() => recover(unnamed))).toBe('ERR_LOCKED');
  });

  test('a process number that another process has by now', async () => {
    const reused = await leftover(2);
    setLock(reused, lockOf(tagOf(null, process.pid, '1'), hostname(), process.pid));
    if (process.platform === 'linux') expect(recoverSync(reused)).toMatchObject({ status: 'recovered', itemCount: 2 });
    else expect(await codeOf(() => recover(reused))).toBe('ERR_LOCKED');
  });

  test('a journal and its file can be moved together', async () => {
    const path = await leftover(2);
    const moved = newPath();
    for (const ending of ['partial', 'journal']) renameSync(`${path}.${ending}`, `${moved}.${ending}`);
    expect(recoverSync(moved)).toMatchObject({ status: 'recovered', itemCount: 2 });
  });

  test('a writer that failed leaves its work to whoever comes, in the same process too', async () => {
    const path = newPath();
    const writer = await create(path, { journal: true });
    for (let i = 0; i < 3; i += 1) await writer.addItem(item(i));
    writeFileSync(path, 'somebody else was quicker');
    expect(await codeOf(() => writer.close())).toBe('ERR_EXISTS');
    expect(await recover(path, { overwrite: true })).toMatchObject({ status: 'recovered', itemCount: 3 });
    expectItems(path, 3);
  });

  test('a damaged journal can be overwritten', async () => {
    const path = await leftover(2);
    writeFileSync(`${path}.journal`, 'no journal');
    expect(await codeOf(() => recover(path))).toBe('ERR_METADATA');
    const writer = await create(path, { overwrite: true });
    await writer.abort();
    expect([existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([false, false]);
  });

  test('the next writer does not throw the leftovers away by accident', async () => {
    const path = await leftover(2);
    expect(await codeOf(() => create(path))).toBe('ERR_EXISTS');
    expect(await codeOf(() => create(path, { journal: true }))).toBe('ERR_EXISTS');
    expect(recoverSync(path).itemCount).toBe(2);
    const given = await leftover(2);
    const writer = await create(given, { overwrite: true });
    await writer.addItem(item(0));
    await writer.close();
    expect([existsSync(`${given}.partial`), existsSync(`${given}.journal`)]).toEqual([false, false]);
    expectItems(given, 1);
  });

  test('a whole file in the way is kept, unless it is to be overwritten', async () => {
    const path = await leftover(3);
    const writer = await create(newPath());
    await writer.addItem(item(0));
    const [{ path: other } = { path: '' }] = await writer.close();
    writeFileSync(path, readFileSync(other));
    expect(await codeOf(() => recover(path))).toBe('ERR_EXISTS');
    expectItems(path, 1);
    expect(await recover(path, { overwrite: true })).toMatchObject({ status: 'recovered', itemCount: 3 });
    expectItems(path, 3);
  });

  test.each([true, false])('a writer that died when its file had two names (journal there: %s)', async (journal) => {
    const path = newPath();
    const writer = await create(path);
    await writer.addItem(item(0));
    await writer.close();
    linkSync(path, `${path}.partial`);
    if (journal) writeFileSync(`${path}.journal`, 'SYRAHJ');
    expect(recoverSync(path)).toMatchObject({ status: 'whole', itemCount: 1, lostBytes: 0 });
    expect([existsSync(`${path}.journal`), existsSync(`${path}.partial`), existsSync(path)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('a writer that died just before it removed the journal', async () => {
    const path = newPath();
    const writer = await create(path);
    await writer.addItem(item(0));
    await writer.close();
    writeFileSync(`${path}.journal`, 'SYRAHJ');
    expect(recoverSync(path)).toMatchObject({ status: 'whole', itemCount: 1 });
    expect(existsSync(`${path}.journal`)).toBe(false);
  });
});

describe('without a journal', () => {
  test("a dead writer's zeros: nothing, and it says why", () => {
    const path = newPath();
    writeFileSync(path, new Uint8Array(500));
    const report = recoverSync(path);
    expect(report).toMatchObject({ status: 'nothing', itemCount: 0, lostBytes: 500 });
    expect(report.reason).toMatch(/no journal was kept/);
    expect(readFileSync(path).length).toBe(500);
  });

  test('a whole file is whole', async () => {
    const path = newPath();
    const writer = await create(path);
    await writer.addItem(item(3));
    await writer.close();
    expect(await recover(path)).toEqual({
      status: 'whole',
      itemCount: 1,
      lostBytes: 0,
      reason: 'the file is complete',
    });
  });

  test('a temporary file: of a live writer, or one that cannot be judged: locked', async () => {
    const path = newPath();
    const writer = await create(path);
    await writer.addItem(item(2));
    expect(() => recoverSync(path)).toThrow(expect.objectContaining({ code: 'ERR_LOCKED' }));
    expect(await recover(path, { force: true })).toMatchObject({ status: 'nothing' });
    await writer.addItem(item(3));
    await writer.close();
    expect(openSync(path).itemCount).toBe(2);
    const foreign = newPath();
    leaveTemporary(foreign, new Uint8Array(100), '0123456789abcdef');
    expect(await codeOf(() => recover(foreign))).toBe('ERR_LOCKED');
    expect(await recover(foreign, { force: true })).toMatchObject({ status: 'nothing', lostBytes: 100 });
  });

  test('a temporary file of a dead writer: lost, or complete without its name; others are left alone', async () => {
    const lost = newPath();
    leaveTemporary(lost, new Uint8Array(100), null);
    expect(await recover(lost)).toMatchObject({ status: 'nothing', lostBytes: 100 });
    const whole = newPath();
    const other = await create(whole);
    await other.addItem(item(0));
    await other.close();
    const named = newPath();
    leaveTemporary(`${named}.bak`, new Uint8Array(readFileSync(whole)), null);
    expect(await codeOf(() => recover(named))).toBe('ERR_NOT_FOUND');
    leaveTemporary(named, new Uint8Array(readFileSync(whole)), null);
    expect(await recover(named)).toMatchObject({ status: 'recovered', itemCount: 1 });
    expectItems(named, 1);
  });

  /** As io's sink names them, of a process that has ended. */
  function leaveTemporary(path: string, bytes: Uint8Array, scope: string | null): void {
    writeFileSync(folder.path(`${temporaryPrefix(basename(path))}${tagOf(scope, ended)}.tmp`), bytes);
  }

  test('nothing at all', async () => {
    expect(await codeOf(() => recover(newPath()))).toBe('ERR_NOT_FOUND');
    expect(await codeOf(() => open(newPath()))).toBe('ERR_NOT_FOUND');
    for (const path of [5, null, '']) expect(await codeOf(() => recover(path as never))).toBe('ERR_ARGUMENT');
    expect(await codeOf(() => recover(pathToFileURL(newPath())))).toBe('ERR_NOT_FOUND');
  });
});
