// A writer of a folder is killed in every phase: what is there are whole batches from the first on, at least those that
// it acknowledged, and the next writer goes on behind them and leaves nothing else. Short here; `pnpm --filter colstore
// run test:crash` kills many more.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_PHASES } from '@colkit/testkit/announcements';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { killWriter } from '@colkit/testkit/crash';
import { createRandom } from '@colkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { append, openSync } from '../../src/index.ts';
import { BATCHES, BATCH_ROWS, batchOf } from './shard-content.ts';

const isOther = process.env['COLKIT_BACKEND'] === 'native';
const KILLS = Number(process.env['COLKIT_KILLS'] ?? 12);

let folder = '';
let writer = '';
beforeAll(async () => {
  if (isOther) return;
  folder = mkdtempSync(join(tmpdir(), 'colstore-shard-crash-'));
  writer = await bundleForNode(new URL('./shard-writer.ts', import.meta.url), folder);
}, 120_000);
afterAll(() => rmSync(folder || 'no folder was made', { recursive: true, force: true }));

describe.skipIf(isOther).each(['append', 'appender'] as const)('%s', (mode) => {
  it('leaves whole batches, every time', { timeout: 1_800_000 }, async () => {
    const seen = { none: 0, some: 0, all: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const path = join(folder, `${mode} ${String(kill)}`);
      mkdirSync(path);
      const version = kill + 2;
      const death = { writer, path, mode, kill, random: createRandom(20261123 + kill * 7919) };
      // The lock of the folder is made as a file is, and each batch writes a few times.
      const { phase, acknowledgedRows } = await killWriter(death, version, FILE_PHASES, (each) =>
        each === 'before the first byte' || each === 'finished' ? 1 : BATCHES,
      );
      const rows = rowsOf(path, version);
      expect(rows % BATCH_ROWS, phase).toBe(0);
      expect(rows, phase).toBeGreaterThanOrEqual(acknowledgedRows);
      if (phase === 'finished') expect(rows).toBe(BATCHES * BATCH_ROWS);
      seen[rows === 0 ? 'none' : rows === BATCHES * BATCH_ROWS ? 'all' : 'some'] += 1;
      // The lock of the dead one holds nobody up, and what it left goes.
      for (let batch = rows / BATCH_ROWS; batch < BATCHES; batch += 1) await append(path, batchOf(version, batch));
      await append(path, batchOf(version, BATCHES));
      expect(rowsOf(path, version)).toBe((BATCHES + 1) * BATCH_ROWS);
      const shards = Array.from({ length: BATCHES + 1 }, (_, number) => `shard_0000${String(number)}.cstore`);
      expect(readdirSync(path).sort()).toEqual(['.colstore.lock', ...shards]);
      rmSync(path, { recursive: true });
    }
    expect(seen.none).toBeGreaterThan(0);
    expect(seen.some).toBeGreaterThan(0);
    expect(seen.all).toBeGreaterThan(0);
  });
});

/** How many rows there are: each of them what was written. */
function rowsOf(path: string, version: number): number {
  using table = openSync(path);
  if (table.rowCount === 0) return 0;
  const { x, k } = table.toColumnsSync() as unknown as { x: Float64Array; k: Int32Array };
  for (let batch = 0; batch * BATCH_ROWS < k.length; batch += 1) {
    const expected = batchOf(version, batch);
    const [start, end] = [batch * BATCH_ROWS, (batch + 1) * BATCH_ROWS];
    expect(k.subarray(start, end)).toEqual(expected.k);
    expect(x.subarray(start, end)).toEqual(expected.x);
  }
  return k.length;
}
