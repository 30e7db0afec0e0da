// Power failures while a folder grows: whatever a disk may leave, the folder opens as one table of whole batches from
// the first on, at least those that were acknowledged. Each sync is needed for that, and each fails once. The long
// form: `pnpm --filter colstore run test:crash`.
import { onFiles } from '@colkit/io/durable';
import { PowerLossBench } from '@colkit/testkit/disk';
import type { PowerLossWriter, RecordingDisk } from '@colkit/testkit/disk';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  IoError,
  append,
  appendSync,
  appender,
  appenderSync,
  openSync,
  verifySync,
  writeSync,
} from '../../src/index.ts';

const ROWS = 40;
const batchOf = (batch: number) => ({
  x: Float64Array.from({ length: ROWS }, (_, row) => batch * ROWS + row),
  k: Int16Array.from({ length: ROWS }, (_, row) => batch * ROWS + row),
});

const bench = new PowerLossBench<PowerLossWriter, number | null>('colstore-shards', {
  fileName: 'table',
  look(folder) {
    if (!existsSync(folder)) return null;
    using table = openSync(folder);
    if (table.rowCount === 0) return 0;
    if (table.rowCount % ROWS !== 0) throw new Error(`${String(table.rowCount)} rows, which are no whole batches`);
    const { x, k } = table.toColumnsSync() as { x: Float64Array; k: Int16Array };
    const isOurs = x.every((value, row) => value === row) && k.every((value, row) => value === row);
    const shards = readdirSync(folder).filter((name) => !name.startsWith('.'));
    const isSound = shards.every((name) => verifySync(join(folder, name)).ok);
    if (!isOurs || !isSound) throw new Error('other rows than were written, or damage');
    return x.length / ROWS;
  },
  judge(batches, least) {
    if ((batches ?? 0) < least) throw new Error(`${String(batches)} batches after ${String(least)} were acknowledged`);
    return String(batches);
  },
  isExpected: (error) => error instanceof IoError,
});
afterAll(() => bench.remove());
const { path: folder } = bench;

function prepare(): void {
  mkdirSync(folder);
  writeSync(join(folder, 'shard_00000.cstore'), batchOf(0), { layout: 'records' });
}

async function fill(disk: RecordingDisk, options: object): Promise<void> {
  const writer = await appender(folder, onFiles(disk, { ...options, shardRows: 2 * ROWS }));
  for (let batch = 0; batch < 3; batch += 1) {
    await writer.write(batchOf(batch));
    disk.promise(batch - (batch % 2 === 0 ? 0 : -1));
  }
  await writer.close();
  disk.promise(3);
}

const WRITERS: readonly PowerLossWriter[] = [
  {
    name: 'append to a folder that is not there',
    async work(disk) {
      for (let batch = 0; batch < 3; batch += 1) {
        await append(folder, batchOf(batch), onFiles(disk, { statistics: batch === 1 }));
        disk.promise(batch + 1);
      }
    },
    outcomes: ['0', '1', '2', '3', 'null'],
  },
  {
    name: 'append to a folder that is there, without links',
    noLinks: 'EPERM',
    prepare,
    async work(disk) {
      disk.promise(1);
      await append(folder, batchOf(1), onFiles(disk, {}));
      disk.promise(2);
    },
    outcomes: ['1', '2'],
  },
  {
    name: 'appendSync of a file, to an empty folder that a dead writer left',
    prepare: () => {
      mkdirSync(folder);
      writeSync(`${folder} source.cstore`, batchOf(0), { layout: 'records', overwrite: true });
    },
    async work(disk) {
      appendSync(folder, `${folder} source.cstore`, onFiles(disk, {}));
      disk.promise(1);
    },
    outcomes: ['0', '1'],
    // The name of this folder has been on the disk for long; of one that its maker did not sync it is needed.
    spare: ['0: folder'],
  },
  {
    name: 'appender of a folder in a folder that is not there',
    work: (disk) => fill(disk, {}),
    outcomes: ['0', '2', '3', 'null'],
  },
  {
    name: 'appenderSync behind files, with statistics',
    prepare,
    async work(disk) {
      disk.promise(1);
      const writer = appenderSync(folder, onFiles(disk, { statistics: true }));
      writer.writeSync(batchOf(1));
      expect(writer.flushSync()).not.toBeNull();
      disk.promise(2);
      writer.writeSync(batchOf(2));
      writer.closeSync();
      disk.promise(3);
    },
    outcomes: ['1', '2', '3'],
  },
];

// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';

describe.skipIf(isOther).each(WRITERS)('$name', (writer) => {
  it('keeps what was acknowledged, and nothing else', async () => {
    expect(await bench.outcomes(writer)).toEqual([...writer.outcomes].sort());
  });

  it('tells of each sync that fails, and keeps what was acknowledged before', async () => {
    expect(await bench.unreportedFailures(writer)).toEqual([]);
  });
});

it.skipIf(isOther).each(WRITERS)('$name needs each of its syncs', async (writer) => {
  expect(await bench.needlessSyncs(writer)).toEqual(writer.spare ?? []);
});
