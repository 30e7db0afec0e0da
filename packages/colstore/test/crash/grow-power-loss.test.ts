// Power failures while a file grows: whatever a disk may leave, the file has at least the rows of the last checkpoint
// that was told of, each with its values, and no others; a statistics footer that is found is that of the records. Each
// sync is needed for that, and each fails once. The long form: `pnpm --filter colstore run test:crash`.
import { onFiles } from '@colkit/io/durable';
import { PowerLossBench } from '@colkit/testkit/disk';
import type { PowerLossWriter, RecordingDisk } from '@colkit/testkit/disk';
import * as fs from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import {
  IoError,
  compact,
  compactSync,
  create,
  createSync,
  openSync,
  recreate,
  update,
  updateSync,
  verifySync,
  writeSync,
} from '../../src/index.ts';
import type { ColStoreWriter } from '../../src/index.ts';

/** Rows of a record are told from others by their number. */
const ROWS = 40;
const rowsOf = (record: number) => ({
  x: Float64Array.from({ length: ROWS }, (_, row) => record * ROWS + row),
  k: Int16Array.from({ length: ROWS }, (_, row) => record * ROWS + row),
});

interface Writer extends PowerLossWriter {
  /** Records before the disk is watched; null: no file. */
  readonly before: number | null;
  /** Where a file takes the place of another: that one's records. */
  readonly old?: number;
}

interface Found {
  readonly records: number | null;
  readonly isSound: boolean;
}

const bench = new PowerLossBench<Writer, Found>('colstore-grow', {
  fileName: 'data.cstore',
  look(path) {
    // Without links a name is taken by an empty file first.
    if (!fs.existsSync(path) || fs.statSync(path).size === 0) return { records: null, isSound: true };
    using ds = openSync(path);
    const { x, k } = ds.toColumnsSync() as { x: Float64Array; k: Int16Array };
    const records = x.length / ROWS;
    const isOurs = x.every((value, row) => value === row) && k.every((value, row) => value === row);
    return { records, isSound: Number.isInteger(records) && isOurs && verifySync(path).ok };
  },
  judge({ records, isSound }, least, { before, old }) {
    if (!isSound) throw new Error(`${String(records)} records, and not those that were written`);
    if (records === old) {
      if (least === 0) return 'old';
      throw new Error('the old file is there');
    }
    if (
      records === null ? before !== null || least > 0 : records < Math.max(least, old === undefined ? (before ?? 0) : 0)
    )
      throw new Error(`${String(records)} records after ${String(least)} were acknowledged`);
    return String(records);
  },
  isExpected: (error) => error instanceof IoError,
});
afterAll(() => bench.remove());
const { path } = bench;

async function fill(writer: ColStoreWriter, first: number, disk: RecordingDisk): Promise<void> {
  for (let record = first; record < first + 4; record += 1) {
    await writer.write(rowsOf(record));
    if (record % 2 === 0) continue;
    await writer.checkpoint();
    disk.promise(record + 1);
  }
  await writer.write(rowsOf(first + 4));
  await writer.close();
  disk.promise(first + 5);
}

function fillSync(writer: ColStoreWriter, first: number, disk: RecordingDisk): void {
  writer.writeSync(rowsOf(first));
  writer.checkpointSync();
  disk.promise(first + 1);
  writer.writeSync(rowsOf(first + 1));
  writer.closeSync();
  disk.promise(first + 2);
}

function prepare(records: number, statistics: boolean): void {
  const writer = createSync(path, { statistics, durability: 'none' });
  for (let record = 0; record < records; record += 1) writer.writeSync(rowsOf(record));
  writer.closeSync();
}

/** As a dead writer of another program leaves it. */
function prepareOrphans(): void {
  prepare(2, false);
  const writer = updateSync(path, { durability: 'none' });
  for (let record = 2; record < 6; record += 1) writer.writeSync(rowsOf(record + 100));
  writer.closeSync();
  prepareCounters();
}

function prepareCounters(): void {
  // Back to two records: the others are there, and not committed.
  const two = `${path}.two`;
  const writer = createSync(two, { durability: 'none' });
  writer.writeSync(rowsOf(0));
  writer.writeSync(rowsOf(1));
  writer.closeSync();
  const [whole, head] = [fs.readFileSync(path), fs.readFileSync(two)];
  whole.set(head.subarray(8, 72), 8);
  fs.writeFileSync(path, whole);
  fs.rmSync(two);
}

/** The name of the file may be as young as the process that made it; here it has been on the disk for long. */
const NAME_IS_OLD = ['0: folder'];
/** The file that a lost rename brings back holds the same rows. */
const SAME_ROWS = ['1: folder'];
/** Of columna's files the name of the unfinished one is kept; here nothing is promised of it. */
const NOTHING_PROMISED = ['0: folder'];

const WRITERS: readonly Writer[] = [
  {
    name: 'create',
    before: null,
    spare: NOTHING_PROMISED,
    work: async (disk) => fill(await create(path, onFiles(disk, {})), 0, disk),
    outcomes: ['2', '4', '5', 'null'],
  },
  {
    name: 'create without links, with statistics',
    before: null,
    spare: NOTHING_PROMISED,
    noLinks: 'EPERM',
    work: async (disk) => fill(await create(path, onFiles(disk, { statistics: true })), 0, disk),
    outcomes: ['2', '4', '5', 'null'],
  },
  {
    name: 'createSync',
    before: null,
    spare: NOTHING_PROMISED,
    work: async (disk) => fillSync(createSync(path, onFiles(disk, { statistics: true })), 0, disk),
    outcomes: ['1', '2', 'null'],
  },
  {
    name: 'recreate',
    before: 3,
    spare: NOTHING_PROMISED,
    old: 3,
    prepare: () => prepare(3, true),
    work: async (disk) => fill(await recreate(path, onFiles(disk, {})), 0, disk),
    outcomes: ['2', '4', '5', 'old'],
  },
  {
    name: 'update',
    before: 2,
    spare: NAME_IS_OLD,
    prepare: () => prepare(2, false),
    work: async (disk) => fill(await update(path, onFiles(disk, {})), 2, disk),
    outcomes: ['2', '4', '6', '7'],
  },
  {
    name: 'update with statistics',
    before: 2,
    spare: NAME_IS_OLD,
    prepare: () => prepare(2, true),
    work: async (disk) => fill(await update(path, onFiles(disk, { statistics: true })), 2, disk),
    outcomes: ['2', '4', '6', '7'],
  },
  {
    name: 'updateSync behind what a dead writer left',
    before: 2,
    spare: NAME_IS_OLD,
    prepare: prepareOrphans,
    work: async (disk) => fillSync(updateSync(path, onFiles(disk, {})), 2, disk),
    outcomes: ['2', '3', '4'],
  },
  {
    name: 'compact',
    before: 4,
    spare: SAME_ROWS,
    prepare: () => prepare(4, true),
    work: async (disk) => {
      await compact(path, onFiles(disk, {}));
      disk.promise(4);
    },
    outcomes: ['4'],
  },
  {
    name: 'compactSync',
    before: 4,
    spare: SAME_ROWS,
    prepare: () => prepare(4, false),
    work: async (disk) => {
      compactSync(path, onFiles(disk, {}));
      disk.promise(4);
    },
    outcomes: ['4'],
  },
  {
    name: 'overwrite of a file that grew',
    before: 3,
    old: 3,
    prepare: () => prepare(3, true),
    work: async (disk) => {
      writeSync(path, rowsOf(0), onFiles(disk, { overwrite: true }));
      disk.promise(1);
    },
    outcomes: ['1', 'old'],
  },
];

describe.each(WRITERS)('$name', (writer) => {
  it('keeps what was acknowledged, and nothing else', async () => {
    expect(await bench.outcomes(writer)).toEqual([...writer.outcomes].sort());
  });

  it('tells of each sync that fails, and keeps what was acknowledged before', async () => {
    const unreported = await bench.unreportedFailures(writer);
    expect(unreported).toEqual([]);
  });
});

it.each(WRITERS)('$name needs each of its syncs', async (writer) => {
  expect(await bench.needlessSyncs(writer)).toEqual(writer.spare ?? []);
});
