// The journal and what recover makes of it: by hand at every cut of the journal, torn and damaged ends, live writers, files without a journal.
import { crc32, isColkitError } from '@colkit/io';
import { codeOf } from '@colkit/testkit';
import { appendFileSync, existsSync, linkSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { create, createSync, open, openSync, recover, recoverSync } from '../../src/index.ts';
import type { ItemInput } from '../../src/index.ts';
import { concat, i32, i64 } from '../bytes.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let counter = 0;
const newPath = (): string => folder.path(`r${String((counter += 1))}.syr`);
const item = (i: number): Record<string, Uint8Array | Int32Array> => ({ a: new Uint8Array(i).fill(i), b: Int32Array.of(i) });

/** What a writer that died after `count` items leaves: as the writer wrote it, and its process number changed to a dead one's. */
async function leftover(count: number, more: readonly ItemInput[] = []): Promise<string> {
  const path = newPath();
  const writer = await create(path, { journal: true });
  for (let i = 0; i < count; i += 1) await writer.addItem(item(i));
  for (const each of more) await writer.addItem(each);
  const [partial, journal] = [readFileSync(`${path}.partial`), readFileSync(`${path}.journal`)];
  await writer.abort();
  expect([existsSync(path), existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([false, false, false]);
  writeFileSync(`${path}.partial`, partial);
  writeFileSync(`${path}.journal`, journal.length === 0 ? journal : withOwner(new Uint8Array(journal), { host: 'another machine', pid: 1, startedAt: 0 }));
  return path;
}

/** The journal with another owner in its header. */
function withOwner(journal: Uint8Array, owner: object): Uint8Array {
  const length = new DataView(journal.buffer, journal.byteOffset).getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(journal.subarray(16, 16 + length))) as { keys: unknown };
  const text = new TextEncoder().encode(JSON.stringify({ owner, keys: header.keys }));
  return concat(journal.subarray(0, 8), i32(text.length), i32(crc32(text) | 0), text, journal.subarray(16 + length));
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
    const length = new DataView(journal.buffer).getUint32(8, true);
    expect(new TextDecoder().decode(journal.subarray(0, 8))).toBe('SYRAHJ\0\x01');
    expect(JSON.parse(new TextDecoder().decode(journal.subarray(16, 16 + length)))).toMatchObject({ owner: { host: hostname(), pid: process.pid }, keys: [['a', 'uint8'], ['b', 'int32']] });
    const record = concat(i64(24), i64(1), i64(32), i64(4));
    expect(journal.subarray(16 + length)).toEqual(concat(i32(crc32(record) | 0), record));
    expect(readFileSync(`${path}.partial`).length).toBe(36);
    writer.closeSync();
    expect([existsSync(path), existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([true, false, false]);
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
      expect([existsSync(`${path}.partial`), existsSync(`${path}.journal`)]).toEqual([false, false]);
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

  test('a live writer is not disturbed, unless by force', async () => {
    const path = newPath();
    const writer = await create(path, { journal: true });
    await writer.addItem(item(1));
    expect(await codeOf(() => recover(path))).toBe('ERR_LOCKED');
    expect(existsSync(`${path}.partial`)).toBe(true);
    await writer.abort();
    const parent = await leftover(2);
    writeFileSync(`${parent}.journal`, withOwner(new Uint8Array(readFileSync(`${parent}.journal`)), { host: hostname(), pid: process.ppid, startedAt: 0 }));
    expect(await codeOf(() => recover(parent))).toBe('ERR_LOCKED');
    expect(recoverSync(parent, { force: true })).toMatchObject({ status: 'recovered', itemCount: 2 });
    const reused = await leftover(2);
    writeFileSync(`${reused}.journal`, withOwner(new Uint8Array(readFileSync(`${reused}.journal`)), { host: hostname(), pid: process.pid, startedAt: 1 }));
    expect(recoverSync(reused)).toMatchObject({ status: 'recovered', itemCount: 2 });
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
    expect([existsSync(`${path}.journal`), existsSync(`${path}.partial`), existsSync(path)]).toEqual([false, false, true]);
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
  test('a dead writer\'s zeros: nothing, and it says why', () => {
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
    expect(await recover(path)).toEqual({ status: 'whole', itemCount: 1, lostBytes: 0, reason: 'the file is complete' });
  });

  test('a temporary file: lost, or complete and only without its name', async () => {
    const path = newPath();
    const writer = await create(path);
    await writer.addItem(item(2));
    expect(await recover(path)).toMatchObject({ status: 'nothing' });
    await writer.abort();
    const whole = newPath();
    const other = await create(whole);
    await other.addItem(item(0));
    await other.close();
    const named = newPath();
    writeFileSync(folder.path(`.${named.slice(folder.root.length + 1)}.0000.tmp`), readFileSync(whole));
    expect(await recover(named)).toMatchObject({ status: 'recovered', itemCount: 1 });
    expectItems(named, 1);
  });

  test('nothing at all', async () => {
    expect(await codeOf(() => recover(newPath()))).toBe('ERR_NOT_FOUND');
    expect(await codeOf(() => open(newPath()))).toBe('ERR_NOT_FOUND');
  });
});
