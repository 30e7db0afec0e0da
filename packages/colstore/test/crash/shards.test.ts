// A writer of a folder is killed in every phase, from the making of the folder on: what is there are whole batches from
// the first on, at least those that it acknowledged, and the next writer goes on behind them and leaves nothing else.
// Short here; `pnpm --filter colstore run test:crash` kills 500 of each.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { killWriter, runLimited } from '@colkit/testkit/crash';
import { createRandom } from '@colkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { append, openSync } from '../../src/index.ts';
import { BATCHES, BATCH_ROWS, SHARD_PHASES, batchOf } from './shard-content.ts';
import type { ShardPhase } from './shard-content.ts';

const isOther = process.env['COLKIT_BACKEND'] === 'native';
const FULL_KILLS = process.env['COLKIT_KILLS'];
const KILLS = Number(FULL_KILLS ?? SHARD_PHASES.length);
const SEED = FULL_KILLS === undefined ? 20261123 : Date.now() % 1_000_000;

let folder = '';
let writer = '';
beforeAll(async () => {
  if (isOther) return;
  folder = mkdtempSync(join(tmpdir(), 'colstore-shard-crash-'));
  writer = await bundleForNode(new URL('./shard-writer.ts', import.meta.url), folder);
}, 120_000);
afterAll(() => rmSync(folder || 'no folder was made', { recursive: true, force: true }));

describe.skipIf(isOther).each(['append', 'appendAll', 'appender'] as const)('%s', (mode) => {
  it('leaves whole batches, every time', { timeout: 1_800_000 }, async () => {
    const seen = new Map(SHARD_PHASES.map((phase) => [phase, [0, 0, 0]]));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { phase, rows } = await killOnce(mode, kill);
      const counts = seen.get(phase)!;
      counts[rows === 0 ? 0 : rows === BATCHES * BATCH_ROWS ? 2 : 1]! += 1;
    }
    if (FULL_KILLS !== undefined) console.log(`${FULL_KILLS} kills, ${mode}, seed ${String(SEED)}:`, seen);
    for (const outcome of [0, 1, 2])
      expect([...seen.values()].reduce((sum, counts) => sum + counts[outcome]!, 0)).toBeGreaterThan(0);
    if (FULL_KILLS === undefined) return;
    for (const [phase, counts] of seen)
      expect([phase, counts.reduce((sum, count) => sum + count) > KILLS / 50]).toEqual([phase, true]);
  });

  it.skipIf(process.platform === 'win32')('a disk that is full by the kernel', async () => {
    for (const form of ['async', 'sync']) {
      const path = join(folder, `${mode} limited ${form}`);
      // A batch takes 12 kB: none fits.
      const { status, stderr } = runLimited([writer, path, mode, '3', form], 8);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/IoError: .*EFBIG/u)]);
      expect(readdirSync(path).filter((name) => name.includes('shard'))).toEqual([]);
      await append(path, batchOf(3, 0));
      expect(rowsOf(path, 3)).toBe(BATCH_ROWS);
    }
  });
});

async function killOnce(mode: string, kill: number): Promise<{ phase: ShardPhase; rows: number }> {
  const path = join(folder, `${mode} ${String(kill)}`);
  const version = kill + 2;
  const death = { writer, path, mode, kill, random: createRandom(SEED + kill * 7919) };
  const { phase, acknowledgedRows } = await killWriter<ShardPhase>(death, version, SHARD_PHASES, (each) =>
    /byte|folder|finished/u.test(each) || (mode === 'appendAll' && each === 'acknowledged') ? 1 : BATCHES,
  );
  const isBefore = ['temporary file made', 'writing'].includes(phase);
  const told = `seed ${String(SEED)}, kill ${String(kill)}, ${phase}`;
  const rows = existsSync(path) ? rowsOf(path, version) : 0;
  expect(rows % BATCH_ROWS, told).toBe(0);
  expect(rows, told).toBeGreaterThanOrEqual(acknowledgedRows);
  if (phase === 'finished') expect(rows, told).toBe(BATCHES * BATCH_ROWS);
  if (phase === 'before the first byte' || (mode === 'appendAll' && isBefore)) expect(rows, told).toBe(0);
  // The lock of the dead one holds nobody up, and what it left goes.
  for (let batch = rows / BATCH_ROWS; batch < BATCHES; batch += 1) await append(path, batchOf(version, batch));
  await append(path, batchOf(version, BATCHES));
  expect(rowsOf(path, version), told).toBe((BATCHES + 1) * BATCH_ROWS);
  const shards = Array.from({ length: BATCHES + 1 }, (_, number) => `shard_0000${String(number)}.cstore`);
  expect(readdirSync(path).sort(), told).toEqual(['.colstore.lock', ...shards]);
  rmSync(path, { recursive: true });
  return { phase, rows };
}

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
