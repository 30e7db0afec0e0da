// Power failures while a file is written, streamed, appended to and recovered: whatever a disk may leave, whoever opens
// the file sees rows that were written, whole or not at all, and `recover` gives at least those that were acknowledged.
// And each sync of each writer is needed for that. The long form: `pnpm --filter columna run test:crash`.
import { onFiles } from '@colkit/io/durable';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { PowerLossBench } from '@colkit/testkit/disk';
import type { PowerLossWriter, RecordingDisk } from '@colkit/testkit/disk';
import { IoError, isColkitError } from '@colkit/io';
import { afterAll, describe, expect, it } from 'vitest';
import { readSync } from '../../src/read/read.ts';
import { appender, appenderSync } from '../../src/write/append.ts';
import { create, createSync } from '../../src/write/create.ts';
import { recover, recoverSync } from '../../src/write/recover.ts';
import type { ColumnaWriter } from '../../src/write/stream/table-writer.ts';
import { write, writeSync } from '../../src/write/write.ts';
import { rowsOf } from './content.ts';

// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';

/** Of the long form: minutes. */
const LONG = { timeout: 1_800_000 };
const GROUP = 40;
const [OLD, NEW] = [3, 5];
/** Added to the rows of what is promised to be a whole file, which needs no recovery. */
const FINISHED = 1_000_000;
/** Rows that were there before: of a file that is appended to, or of another version that is replaced. */
const BEFORE = 25;

interface Content {
  readonly version: number | null;
  readonly rowCount: number;
}

/** What a reader sees: rows of one version from the first on, or nothing and an error of the family. */
function contentOf(file: string): Content {
  let rows: object;
  try {
    rows = readSync(file);
  } catch (error) {
    if (!isColkitError(error)) throw error;
    return { version: null, rowCount: 0 };
  }
  const columns = rows as ReturnType<typeof rowsOf>;
  const rowCount = columns.id.length;
  for (const version of [OLD, NEW]) {
    if (isDeepStrictEqual({ ...columns }, rowsOf(version, 0, rowCount))) return { version, rowCount };
  }
  throw new Error(`${rowCount} rows of which some were never written`);
}

interface Found {
  readonly opened: Content;
  /** How many rows `recover` told of. */
  readonly told: number;
  readonly recovered: Content;
  readonly mode: number;
}

function look(found: string): Found {
  const opened = contentOf(found);
  let rowCount = 0;
  try {
    ({ rowCount } = recoverSync(found, { overwrite: true }));
  } catch (error) {
    if (!isColkitError(error)) throw error;
  }
  const mode = statSync(found, { throwIfNoEntry: false })?.mode ?? 0;
  return { opened, told: rowCount, recovered: contentOf(found), mode: mode & 0o777 };
}

function judge(
  { opened, told, recovered, mode }: Found,
  least: number,
  { overOld = false, isUnsafe = false }: Writer,
): string {
  if (told > 0 && told !== recovered.rowCount && !(isUnsafe && least === 0)) {
    throw new Error(`recover told of ${told} rows, not of ${recovered.rowCount}`);
  }
  const isFinished = least >= FINISHED;
  const rowCount = isFinished ? least - FINISHED : least;
  const kept = isFinished ? opened : recovered;
  if (least > 0 && (kept.version !== NEW || kept.rowCount < rowCount)) {
    throw new Error(`${rowCount} rows were acknowledged; ${JSON.stringify(kept)}`);
  }
  if (overOld && opened.version === null) throw new Error('neither the old file nor the new one');
  if (overOld && mode !== 0o600) throw new Error(`permissions ${mode.toString(8)}`);
  return `${recovered.version ?? 'nothing'}: ${recovered.rowCount}`;
}

const isExpected = (error: unknown): boolean => error instanceof IoError && error.code === 'ERR_WRITE';
const bench = new PowerLossBench<Writer, Found>('columna', { fileName: 'data.cna', look, judge, isExpected });
const { path } = bench;
afterAll(() => {
  bench.remove();
});

/** Groups of rows with a checkpoint after every second one, and what they promise. */
async function stream(disk: RecordingDisk, writer: ColumnaWriter, groups: number, first = 0): Promise<void> {
  for (let group = 1; group <= groups; group++) {
    writer.writeSync(rowsOf(NEW, first + (group - 1) * GROUP, GROUP));
    if (group % 2 === 0) disk.promise((await writer.checkpoint())!.rowCount);
  }
  disk.promise(FINISHED + (await writer.close()).rowCount);
}

const options = (disk: RecordingDisk) => onFiles(disk, { rowGroupSize: GROUP, checkpoints: 'never' });

interface Writer extends PowerLossWriter {
  /** An older version was at the path: it, or the new one, is there always, and nobody else may read it. */
  readonly overOld?: boolean;
  /** What it begins with was written without durability: nothing is to be expected before the first promise. */
  readonly isUnsafe?: boolean;
}

const placeOld = (): void => void writeSync(path, rowsOf(OLD, 0, BEFORE), { durability: 'none' });
const makePrivate = (): void => {
  placeOld();
  chmodSync(path, 0o600);
};

const WRITERS: readonly Writer[] = [
  {
    name: 'write',
    work: async (disk) => {
      const { rowCount } = await write(path, rowsOf(NEW, 0, 90), onFiles(disk, { rowGroupSize: GROUP }));
      disk.promise(FINISHED + rowCount);
    },
    outcomes: ['nothing: 0', '5: 90'],
  },
  {
    name: 'writeSync over a file',
    overOld: true,
    prepare: makePrivate,
    work: async (disk) => {
      const whole = onFiles(disk, { rowGroupSize: GROUP, overwrite: true });
      disk.promise(FINISHED + writeSync(path, rowsOf(NEW, 0, 90), whole).rowCount);
    },
    outcomes: ['3: 25', '5: 90'],
  },
  {
    name: 'create',
    work: async (disk) => stream(disk, createSync(path, options(disk)), 5),
    outcomes: ['nothing: 0', '5: 80', '5: 160', '5: 200'],
  },
  {
    name: 'write without hard links',
    noLinks: 'EPERM',
    work: async (disk) => {
      const { rowCount } = await write(path, rowsOf(NEW, 0, 90), onFiles(disk, { rowGroupSize: GROUP }));
      disk.promise(FINISHED + rowCount);
    },
    outcomes: ['nothing: 0', '5: 90'],
  },
  {
    name: 'create without hard links',
    noLinks: 'ENOTSUP',
    work: async (disk) => stream(disk, createSync(path, options(disk)), 5),
    outcomes: ['nothing: 0', '5: 80', '5: 160', '5: 200'],
  },
  {
    name: 'create over a file',
    overOld: true,
    prepare: makePrivate,
    work: async (disk) => stream(disk, await create(path, { ...options(disk), overwrite: true }), 3),
    outcomes: ['3: 25', '5: 80', '5: 120'],
  },
  {
    name: 'appender',
    prepare: () => void writeSync(path, rowsOf(NEW, 0, BEFORE)),
    work: async (disk) => {
      disk.promise(BEFORE);
      await stream(disk, await appender(path, options(disk)), 5, BEFORE);
    },
    outcomes: ['5: 25', '5: 105', '5: 185', '5: 225'],
    // The name is on the disk already, which an appender cannot know; the next writer shows what else would happen.
    spare: ['0: folder'],
  },
  {
    name: 'appender, whose small row groups become one',
    prepare: () => void writeSync(path, rowsOf(NEW, 0, BEFORE)),
    work: async (disk) => {
      disk.promise(BEFORE);
      const writer = await appender(path, onFiles(disk, { checkpoints: 'never' }));
      for (let rowCount = BEFORE; rowCount < BEFORE + 25; rowCount += 5) {
        writer.writeSync(rowsOf(NEW, rowCount, 5));
        disk.promise((await writer.checkpoint())!.rowCount);
      }
      const report = await writer.close();
      expect(report.rowGroupCount).toBe(3);
      disk.promise(FINISHED + report.rowCount);
    },
    outcomes: ['5: 25', '5: 30', '5: 35', '5: 40', '5: 45', '5: 50'],
    spare: ['0: folder'],
  },
  {
    name: 'appender to a file that was written without durability',
    isUnsafe: true,
    work: async (disk) => {
      writeSync(path, rowsOf(NEW, 0, BEFORE), onFiles(disk, { durability: 'none' }));
      await stream(disk, appenderSync(path, options(disk)), 2, BEFORE);
    },
    outcomes: ['nothing: 0', '5: 25', '5: 105'],
    // Pages before their footer: so it is, where nothing was promised before.
    spare: ['1: data.cna'],
  },
  {
    name: 'appender behind what a dead one left',
    prepare: leaveTail,
    work: async (disk) => {
      disk.promise(BEFORE);
      await stream(disk, appenderSync(path, options(disk)), 2, BEFORE);
    },
    outcomes: ['5: 25', '5: 105'],
    spare: ['0: folder'],
  },
  {
    name: 'recover of a partial file',
    prepare: () => leavePartial(false),
    work: async (disk) => {
      disk.promise(2 * GROUP);
      disk.promise(FINISHED + (await recover(path, onFiles(disk, {}))).rowCount);
    },
    outcomes: ['5: 80'],
  },
  {
    name: 'recover over a file',
    overOld: true,
    prepare: () => leavePartial(true),
    work: async (disk) => {
      disk.promise(2 * GROUP);
      disk.promise(FINISHED + recoverSync(path, onFiles(disk, { overwrite: true })).rowCount);
    },
    outcomes: ['5: 80'],
  },
  {
    name: 'recover in place',
    prepare: leaveTail,
    work: async (disk) => {
      disk.promise(BEFORE);
      disk.promise(FINISHED + recoverSync(path, onFiles(disk, {})).rowCount);
    },
    outcomes: ['5: 25'],
    spare: ['0: folder'],
  },
  {
    name: 'recover in place of a file that was written without durability',
    isUnsafe: true,
    work: async (disk) => {
      writeSync(path, rowsOf(NEW, 0, BEFORE), onFiles(disk, { durability: 'none' }));
      const fd = disk.runSync({ kind: 'open', path }) as number;
      disk.runSync({ kind: 'write', fd, bytes: new Uint8Array(600), byteOffset: statSync(path).size });
      disk.runSync({ kind: 'close', fd });
      disk.promise(FINISHED + recoverSync(path, onFiles(disk, {})).rowCount);
    },
    outcomes: ['nothing: 0', '5: 25'],
  },
];

/** A writer dies in the middle of a row group behind its checkpoint: what stands in the file then. */
function diesWith(writer: ColumnaWriter, file: string, first: number): Uint8Array {
  for (let group = 0; group < 3; group++) {
    writer.writeSync(rowsOf(NEW, first + group * GROUP, GROUP));
    if (group === 1 && first === 0) writer.checkpointSync();
  }
  const bytes = new Uint8Array(readFileSync(file));
  writer.abortSync();
  return bytes.subarray(0, bytes.length - 7);
}

const LEFT = { rowGroupSize: GROUP, checkpoints: 'never', durability: 'none' } as const;

function leaveTail(): void {
  writeSync(path, rowsOf(NEW, 0, BEFORE), { durability: 'none' });
  writeFileSync(path, diesWith(appenderSync(path, LEFT), path, BEFORE));
}

function leavePartial(overOld: boolean): void {
  const bytes = diesWith(createSync(path, LEFT), `${path}.partial`, 0);
  if (overOld) makePrivate();
  writeFileSync(`${path}.partial`, bytes);
}

describe.skipIf(isOther).each(WRITERS)('$name', (writer) => {
  it('keeps its promises whenever the power fails', LONG, async () => {
    expect(await bench.outcomes(writer)).toEqual([...writer.outcomes].sort());
  });

  it('needs each of its syncs for that', LONG, async () => {
    expect(await bench.needlessSyncs(writer)).toEqual(writer.spare ?? []);
  });

  it('tells where a sync fails, and keeps what it promised before', LONG, async () => {
    expect(await bench.unreportedFailures(writer)).toEqual([]);
  });
});
