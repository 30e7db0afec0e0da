// Power failures while a file or a set is written and recovered: whatever a disk may leave, items are those that were
// written, whole or not at all, and what close() or `recover` has reported is there. (A journal outlives its process,
// not its machine: its promises are about what it gives back, not about how much.) Each sync of each writer is needed
// for that. The long form: `pnpm --filter syrah run test:crash`.
import { onFiles } from '@colkit/io/durable';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { IoError, isColkitError } from '@colkit/io';
import { PowerLossBench } from '@colkit/testkit/disk';
import type { PowerLossWriter, RecordingDisk } from '@colkit/testkit/disk';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { create, createSync, openSync, recover, recoverSync } from '../../src/index.ts';
import type { CreateOptions, SyrahFile, SyrahWriter } from '../../src/index.ts';

// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';
/** Of the long form: minutes. */
const LONG = { timeout: 1_800_000 };

const [OLD, NEW] = [1000, 0];
const ITEMS = 5;
const item = (i: number) => ({ label: Int32Array.of(i), features: new Float64Array(70).fill(i + 0.5) });
/** Room for two items a file. */
const SET = { roll: true, maxMetadataBytes: 180 } as const;

// Sets draw a number. Here it tells the old one from the new one, and is the same in each run: what the disk of one run
// holds is looked at once for all.
const setNumber = vi.spyOn(globalThis.crypto, 'randomUUID');
afterAll(() => setNumber.mockRestore());
const OLD_SET = '00000000-0000-4000-8000-000000000001';
const NEW_SET = '00000000-0000-4000-8000-000000000002';

/** 'new', 'old', a number of the first new items, or no content and an error of the family. */
function contentOf(file: string): 'new' | 'old' | number | null {
  let labels: number[] | null;
  try {
    labels = wholeOf(file);
  } catch (error) {
    if (!isColkitError(error)) throw error;
    return null;
  }
  if (labels === null) return null;
  const [first = NEW] = labels;
  if (labels.some((label, i) => label !== first + i)) throw new Error(`items ${labels.join(', ')}`);
  if (first === OLD && labels.length === ITEMS) return 'old';
  if (first !== NEW) throw new Error(`items from ${first} on`);
  return labels.length === ITEMS ? 'new' : labels.length;
}

/** Null: parts of two sets, which say so. */
function wholeOf(file: string): number[] | null {
  using opened = openSync(file);
  if (opened.part === null) return labelsOf(opened);
  if (opened.part.paths === null) return null;
  return opened.part.paths.flatMap((each) => {
    using part = openSync(each);
    return labelsOf(part);
  });
}

function labelsOf(file: SyrahFile): number[] {
  return Array.from({ length: file.itemCount }, (_, i) => {
    const { label, features } = file.getItemSync(i) as { label: Int32Array; features: Float64Array };
    if (features.length !== 70 || features.some((feature) => feature !== label[0]! + 0.5))
      throw new Error(`item ${i} has other values`);
    return label[0]!;
  });
}

interface Found {
  readonly opened: ReturnType<typeof contentOf>;
  readonly told: number;
  readonly recovered: ReturnType<typeof contentOf>;
}

function look(found: string): Found {
  const opened = contentOf(found);
  let told = 0;
  try {
    const recovery = recoverSync(found, { overwrite: true });
    if (recovery.status === 'recovered') told = recovery.itemCount;
  } catch (error) {
    if (!isColkitError(error)) throw error;
  }
  return { opened, told, recovered: contentOf(found) };
}

interface Writer extends PowerLossWriter {
  readonly overOld?: boolean;
}

function judge({ opened, told, recovered }: Found, least: number, { overOld = false }: Writer): string {
  if (least > 0 && opened !== 'new') throw new Error(`it was closed; ${JSON.stringify(opened)}`);
  const count = recovered === 'new' ? ITEMS : recovered;
  if (told > 0 && told !== count) throw new Error(`recover told of ${told} items, not of ${JSON.stringify(recovered)}`);
  if (overOld && opened !== 'old' && opened !== 'new') throw new Error('neither the old file nor the new one');
  return String(opened);
}

const isExpected = (error: unknown): boolean => error instanceof IoError && error.code === 'ERR_WRITE';
const bench = new PowerLossBench<Writer, Found>('syrah', { fileName: 'data.syr', look, judge, isExpected });
const { path } = bench;
afterAll(() => {
  bench.remove();
});

function fill(writer: SyrahWriter, first: number, count = ITEMS): SyrahWriter {
  for (let i = first; i < first + count; i++) writer.addItemSync(item(i));
  return writer;
}

const writeOld =
  (options: CreateOptions = {}) =>
  (): void => {
    setNumber.mockReturnValue(OLD_SET);
    fill(createSync(path, { durability: 'none', ...options }), OLD).closeSync();
  };

/** A writer with a journal dies behind its third item. */
function leaveJournal(): void {
  const writer = fill(createSync(path, { journal: true, durability: 'none' }), NEW, ITEMS);
  const left = (['.partial', '.journal'] as const).map(
    (ending) => [path + ending, readFileSync(path + ending)] as const,
  );
  writer.abortSync();
  for (const [name, bytes] of left) writeFileSync(name, bytes);
}

const created =
  (options: CreateOptions) =>
  async (disk: RecordingDisk): Promise<void> => {
    setNumber.mockReturnValue(NEW_SET);
    fill(createSync(path, onFiles(disk, { ...options })), NEW).closeSync();
    disk.promise(1);
  };

const WRITERS: readonly Writer[] = [
  {
    name: 'create',
    work: async (disk) => {
      await fill(await create(path, onFiles(disk, {})), NEW).close();
      disk.promise(1);
    },
    outcomes: ['null', 'new'],
  },
  {
    name: 'createSync over a file',
    overOld: true,
    prepare: writeOld(),
    work: created({ overwrite: true }),
    outcomes: ['old', 'new'],
  },
  // The sync behind the journal's name covers the name of its file too.
  { name: 'create with a journal', work: created({ journal: true }), outcomes: ['null', 'new'], spare: ['0: folder'] },
  { name: 'create without hard links', noLinks: 'EPERM', work: created({}), outcomes: ['null', 'new'] },
  {
    name: 'create with a journal, without hard links',
    noLinks: 'ENOSYS',
    work: created({ journal: true }),
    outcomes: ['null', 'new'],
    spare: ['0: folder'],
  },
  {
    name: 'create with a journal over a file',
    overOld: true,
    prepare: writeOld(),
    work: created({ journal: true, overwrite: true }),
    outcomes: ['old', 'new'],
    spare: ['0: folder'],
  },
  // Each part is published as a file of its own; the last of them ends the set, and one sync covers all names.
  { name: 'a set', work: created(SET), outcomes: ['null', 'new'], spare: ['1: folder', '3: folder'] },
  {
    name: 'a set over a set',
    prepare: writeOld(SET),
    work: created({ ...SET, overwrite: true }),
    outcomes: ['null', 'old', 'new'],
    spare: ['1: folder', '3: folder'],
  },
  {
    name: 'recover from a journal',
    prepare: leaveJournal,
    work: async (disk) => {
      await recover(path, onFiles(disk, {}));
      disk.promise(1);
    },
    outcomes: ['null', 'new'],
  },
];

/**
 * The files of a set, and a writer with journals that died before it closed the last of them, in place of another set
 * or not.
 */
const partsOf = (first: string): string[] => [
  first,
  ...[1, 2].map((part) => first.replace('.syr', `.0000${part}.syr`)),
];
const leaveSet = (overOld: boolean) => (): void => {
  setNumber.mockReturnValue(OLD_SET);
  if (overOld) fill(createSync(sets.path, { ...SET, durability: 'none' }), OLD).closeSync();
  setNumber.mockReturnValue(NEW_SET);
  const writer = fill(createSync(sets.path, { ...SET, journal: true, overwrite: overOld, durability: 'none' }), NEW);
  const endings = ['', '.partial', '.journal'].flatMap((ending) => partsOf(sets.path).map((part) => part + ending));
  const left = endings.filter((name) => existsSync(name)).map((name) => [name, readFileSync(name)] as const);
  writer.abortSync();
  for (const [name, bytes] of left) writeFileSync(name, bytes);
};

/** The items of each part, once each was recovered; null: one that cannot be opened. */
function lookAtParts(first: string): (readonly number[] | null)[] {
  return partsOf(first).map((file) => {
    try {
      recoverSync(file, { overwrite: true });
      using opened = openSync(file);
      return labelsOf(opened);
    } catch (error) {
      if (!isColkitError(error)) throw error;
      return null;
    }
  });
}

const sets = new PowerLossBench<Writer, ReturnType<typeof lookAtParts>>('syrah', {
  fileName: 'data.syr',
  look: lookAtParts,
  judge: (parts) => {
    if (JSON.stringify(parts) !== '[[0,1],[2,3],[4]]')
      throw new Error(`the journals had all items; ${JSON.stringify(parts)}`);
    return 'all items';
  },
  isExpected,
});
afterAll(() => {
  sets.remove();
});

describe.skipIf(isOther).each([false, true])(
  'the parts of a set whose writer died, over another set: %s',
  (overOld) => {
    const writer: Writer = {
      name: 'recover of each part',
      prepare: leaveSet(overOld),
      work: async (disk) => {
        for (const part of partsOf(sets.path)) await recover(part, onFiles(disk, { overwrite: overOld }));
      },
      outcomes: ['all items'],
    };

    it('have all items that their journals acknowledge, whenever the power fails', LONG, async () => {
      expect(await sets.outcomes(writer)).toEqual(writer.outcomes);
      expect(await sets.unreportedFailures(writer)).toEqual([]);
    });
  },
);

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
