// Power failures while a file is streamed, appended to and recovered: for every prefix of the changes, with everything dropped that was not synced, with all of it kept, and with random
// sectors of it, `recover` gives at least what was acknowledged, and only rows that were written.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingDisk } from '@colkit/testkit/recording-disk';
import type { FileOperation, FileResult } from '@colkit/io/durable';
import { isOfLock, systemError } from '@colkit/testkit/watched-files';
import { afterAll, describe, expect, it } from 'vitest';
import { isColkitError } from '@colkit/io';
import { appender } from '../../src/write/append.ts';
import { createSync } from '../../src/write/create.ts';
import { recoverSync } from '../../src/write/recover.ts';
import { write, writeSync } from '../../src/write/write.ts';
import { rowsOf } from '../crash/content.ts';
import { RecordingFiles } from '../support/recording-files.ts';
import { readTable } from '../support/table.ts';

const root = mkdtempSync(join(tmpdir(), 'columna-power-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const GROUP = 40;
const VERSION = 5;
const random = (seed: number) => (change: number) => (Math.imul(seed ^ (change * 2654435761), 1597334677) >>> 13) % 2 === 0;
const KEEPS = [() => false, () => true, ...Array.from({ length: 6 }, (_, seed) => random(seed + 1))];
const texts = (rows: number) => Array.from(rowsOf(VERSION, 0, rows).id, String);

/** Acknowledged rows, by how many changes had been made when they were. */
type Acknowledged = { readonly changes: number; readonly rowCount: number }[];

/** Every state: what recover keeps of it, checked; `check` is for the rest. */
function replay(files: RecordingFiles, from: number, acknowledged: Acknowledged, before: number): Record<'before' | 'part' | 'all', number> {
  const folder = join(root, 'replay');
  const path = join(folder, 'data.cna');
  const seen = { before: 0, part: 0, all: 0 };
  const total = acknowledged.at(-1)!.rowCount;
  for (let count = from; count <= files.changes.length; count++) {
    for (const keep of KEEPS) {
      files.afterPowerLoss(folder, count, keep);
      const least = acknowledged.filter(({ changes }) => changes <= count).at(-1)?.rowCount ?? before;
      let rows = 0;
      try {
        rows = recoverSync(path, { overwrite: true }).rowCount;
      } catch (error) {
        if (!isColkitError(error) || error.code !== 'ERR_NOT_FOUND') throw error;
      }
      if (rows < least) throw new Error(`behind change ${String(count)}: ${String(rows)} rows of ${String(least)} that were acknowledged`);
      if (rows > 0) expect(readTable(new Uint8Array(readFileSync(path))).columns[0]!.values).toEqual(texts(rows));
      seen[rows === before ? 'before' : rows === total ? 'all' : 'part'] += 1;
    }
  }
  return seen;
}

function streamed(files: RecordingFiles, durability: 'full' | 'none'): { path: string; acknowledged: Acknowledged } {
  const folder = mkdtempSync(join(root, 'stream-'));
  const path = join(folder, 'data.cna');
  const acknowledged: Acknowledged = [];
  const writer = createSync(path, { rowGroupSize: GROUP, checkpoints: 'never', durability, operations: files, onCheckpoint: ({ rowCount }) => acknowledged.push({ changes: files.changes.length, rowCount }) });
  for (let group = 0; group < 6; group++) {
    writer.writeSync(rowsOf(VERSION, group * GROUP, GROUP));
    if (group % 2 === 1) writer.checkpointSync();
  }
  writer.closeSync();
  return { path, acknowledged };
}

describe('a power failure at every moment', () => {
  it('of a streaming writer', () => {
    const files = new RecordingFiles();
    const { acknowledged } = streamed(files, 'full');
    const seen = replay(files, 0, acknowledged, 0);
    expect(seen.before > 0 && seen.part > 0 && seen.all > 0).toBe(true);
  });

  it('would be noticed without syncs: the test can fail', () => {
    const files = new RecordingFiles();
    const { acknowledged } = streamed(files, 'none');
    expect(() => replay(files, 0, acknowledged, 0)).toThrow(/acknowledged|expected/i);
  });

  it('of an appender, and of what recovers after it', async () => {
    const folder = mkdtempSync(join(root, 'append-'));
    const path = join(folder, 'data.cna');
    writeSync(path, rowsOf(VERSION, 0, 25));
    const files = new RecordingFiles();
    files.place('data.cna', new Uint8Array(readFileSync(path)));
    const placed = files.changes.length;
    const acknowledged: Acknowledged = [];
    const writer = await appender(path, { rowGroupSize: GROUP, checkpoints: 'never', operations: files, onCheckpoint: ({ rowCount }) => acknowledged.push({ changes: files.changes.length, rowCount }) });
    for (let group = 0; group < 4; group++) {
      await writer.write(rowsOf(VERSION, 25 + group * GROUP, GROUP));
      if (group % 2 === 1) await writer.checkpoint();
    }
    await writer.close();
    const seen = replay(files, placed, acknowledged, 25);
    expect(seen.before > 0 && seen.part > 0 && seen.all > 0).toBe(true);
    // A failure in the middle of a recovery changes nothing: the next one finds the same rows.
    const middle = acknowledged[0]!.changes + 5;
    const state = join(root, 'state');
    files.afterPowerLoss(state, middle, random(3));
    const again = new RecordingFiles();
    again.place('data.cna', new Uint8Array(readFileSync(join(state, 'data.cna'))));
    const start = again.changes.length;
    const { rowCount } = recoverSync(join(state, 'data.cna'), { operations: again });
    expect(again.changes.length).toBeGreaterThan(start);
    expect(replay(again, start, [{ changes: start, rowCount }], rowCount).before).toBeGreaterThan(0);
  });

  it.each([false, true])('of a write at once (overwrite: %s): the old file or the new one', async (overwrite) => {
    const target = '/folder/data.cna';
    const path = join(root, 'whole.cna');
    const bytesOf = (rows: number): Uint8Array => {
      writeSync(path, rowsOf(VERSION, 0, rows), { rowGroupSize: GROUP, overwrite: true, durability: 'none' });
      return new Uint8Array(readFileSync(path));
    };
    const [oldBytes, newBytes] = [bytesOf(20), bytesOf(200)];
    const disk = new RecordingDisk();
    if (overwrite) disk.place(target, oldBytes);
    const before = disk.changes.length;
    await write(target, rowsOf(VERSION, 0, 200), { rowGroupSize: GROUP, overwrite, operations: disk });
    const outcomes = { old: 0, new: 0 };
    for (let count = before; count <= disk.changes.length; count++) {
      for (const keep of KEEPS) {
        const found = disk.afterPowerLoss(count, keep).get(target);
        if (found !== undefined && Buffer.from(found).equals(newBytes)) outcomes.new++;
        else if (overwrite ? found !== undefined && Buffer.from(found).equals(oldBytes) : found === undefined) outcomes.old++;
        else throw new Error(`behind change ${String(count)}: ${found === undefined ? 'no file' : `${String(found.length)} bytes`}`);
      }
    }
    expect(outcomes.old > 0 && outcomes.new > 0).toBe(true);
    expect(existsSync(target)).toBe(false);
  });
});

describe.each(['stream', 'append'] as const)('%s: every operation fails once', (mode) => {
  /** The operations of this machine, of which one fails as on a full disk. */
  const failingAt = (nth: number) => {
    const seen: string[] = [];
    const files = new RecordingFiles();
    const fail = (operation: FileOperation): void => {
      // A lock that cannot be taken away locks this process out until it ends.
      if (operation.kind === 'unlink' && isOfLock(operation)) return;
      seen.push(operation.kind);
      if (seen.length - 1 === nth) throw systemError('ENOSPC', operation.kind);
    };
    const run = (operation: FileOperation): FileResult => {
      fail(operation);
      return files.runSync(operation);
    };
    return { seen, operations: { runSync: run, run: async (operation: FileOperation) => Promise.resolve(run(operation)) } };
  };

  it('an error of the family, and everything acknowledged is kept', async () => {
    const folder = mkdtempSync(join(root, 'failing-'));
    const path = join(folder, 'data.cna');
    const outcomes = new Set<string>();
    const first = mode === 'append' ? 25 : 0;
    let isReached = true;
    for (let nth = 0; isReached; nth++) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      if (mode === 'append') writeSync(path, rowsOf(VERSION, 0, first), { durability: 'none' });
      const { seen, operations } = failingAt(nth);
      let acknowledged = first;
      const onCheckpoint = ({ rowCount }: { rowCount: number }): void => { acknowledged = rowCount; };
      const options = { rowGroupSize: GROUP, checkpoints: 'never', operations, onCheckpoint } as const;
      let failure: unknown = null;
      try {
        const writer = mode === 'append' ? await appender(path, options) : createSync(path, options);
        for (let group = 0; group < 4; group++) {
          await writer.write(rowsOf(VERSION, first + group * GROUP, GROUP));
          if (group % 2 === 1) await writer.checkpoint();
        }
        await writer.close();
      } catch (error) {
        failure = error;
      }
      isReached = seen.length > nth;
      const what = `${seen[nth] ?? 'nothing'} (${String(nth)})`;
      if (failure !== null) expect(failure, what).toMatchObject({ name: 'IoError' });
      expect(readdirSync(folder).filter((name) => name.includes('.lock')), what).toEqual([]);
      if (mode === 'append' && failure !== null) expect(readTable(new Uint8Array(readFileSync(path))).footer.rowCount, what).toBe(acknowledged);
      const rows = readdirSync(folder).length === 0 ? 0 : recoverSync(path, { overwrite: true }).rowCount;
      expect(rows, what).toBeGreaterThanOrEqual(acknowledged);
      if (rows > 0) expect(readTable(new Uint8Array(readFileSync(path))).columns[0]!.values, what).toEqual(texts(rows));
      outcomes.add(`${seen[nth] ?? 'nothing'}: ${failure === null ? 'done' : 'error'}`);
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['write: error', 'sync: error']));
  });
});
