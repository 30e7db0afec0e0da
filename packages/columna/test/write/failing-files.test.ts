// Streaming writers and appenders on a disk that fails once, at any of their operations: an error of the family, and
// what was acknowledged is kept. (What a loss of power may leave: ../crash/power-loss.test.ts.)
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_FILES, onFiles } from '@colkit/io/durable';
import type { FileOperation, FileResult } from '@colkit/io/durable';
import { isOfLock, systemError } from '@colkit/testkit/watched-files';
import { afterAll, describe, expect, it } from 'vitest';
import { appender } from '../../src/write/append.ts';
import { createSync } from '../../src/write/create.ts';
import { recoverSync } from '../../src/write/recover.ts';
import { writeSync } from '../../src/write/write.ts';
import { rowsOf } from '../crash/content.ts';
import { readTable } from '../support/table.ts';

const root = mkdtempSync(join(tmpdir(), 'columna-failing-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const GROUP = 40;
const VERSION = 5;
const texts = (rows: number) => Array.from(rowsOf(VERSION, 0, rows).id, String);

describe.each(['stream', 'append'] as const)('%s: every operation fails once', (mode) => {
  /** The operations of this machine, of which one fails as on a full disk. */
  const failingAt = (nth: number) => {
    const seen: string[] = [];
    const fail = (operation: FileOperation): void => {
      // A lock that cannot be taken away locks this process out until it ends.
      if (operation.kind === 'unlink' && isOfLock(operation)) return;
      seen.push(operation.kind);
      if (seen.length - 1 !== nth) return;
      // What still fits is written before the system says that nothing more does.
      if (operation.kind === 'write')
        SYSTEM_FILES.runSync({ ...operation, bytes: operation.bytes.subarray(0, operation.bytes.length >> 1) });
      throw systemError('ENOSPC', operation.kind);
    };
    const run = (operation: FileOperation): FileResult => {
      fail(operation);
      return SYSTEM_FILES.runSync(operation);
    };
    const operations = { runSync: run, run: async (operation: FileOperation) => Promise.resolve(run(operation)) };
    return { seen, operations };
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
      const onCheckpoint = ({ rowCount }: { rowCount: number }): void => {
        acknowledged = rowCount;
      };
      const options = onFiles(operations, { rowGroupSize: GROUP, checkpoints: 'never', onCheckpoint });
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
      expect(
        readdirSync(folder).filter((name) => name.includes('.lock')),
        what,
      ).toEqual([]);
      if (mode === 'append' && failure !== null) {
        expect(readTable(new Uint8Array(readFileSync(path))).footer.rowCount, what).toBe(acknowledged);
      }
      const rows = readdirSync(folder).length === 0 ? 0 : recoverSync(path, { overwrite: true }).rowCount;
      expect(rows, what).toBeGreaterThanOrEqual(acknowledged);
      if (rows > 0) expect(readTable(new Uint8Array(readFileSync(path))).columns[0]!.values, what).toEqual(texts(rows));
      outcomes.add(`${seen[nth] ?? 'nothing'}: ${failure === null ? 'done' : 'error'}`);
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['write: error', 'sync: error']));
  });
});
