// Writers whose syncs are known, good and bad: the model finds every one that is missing, and every one too many.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { FileOperation } from '@colkit/io/durable';
import { RecordingDisk, materialize, needlessSyncs, quickFolder, survive } from '@colkit/testkit/disk';
import type { DiskState, Survival } from '@colkit/testkit/disk';

const root = quickFolder('colkit-disk-');
afterAll(() => rmSync(root, { recursive: true }));
const folder = join(root, 'writer');
const target = join(folder, 'target');
const temporary = join(folder, 'temporary');
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});

const OLD = Buffer.alloc(700, 'old');
const NEW = Buffer.alloc(1300, 'new');

type Step = 'write' | 'sync' | 'mode' | 'rename' | 'link' | 'unlink' | 'syncFolder' | 'done';

/** A new file under another name, with the given steps. */
function work(disk: RecordingDisk, steps: readonly Step[]): RecordingDisk {
  const run = (operation: FileOperation): number => disk.runSync(operation) as number;
  const fd = run({ kind: 'create', path: temporary, mode: 0o666 });
  for (const step of steps) {
    if (step === 'write') run({ kind: 'write', fd, bytes: NEW, byteOffset: 0 });
    else if (step === 'mode') run({ kind: 'setMode', fd, mode: 0o600 });
    else if (step === 'sync') run({ kind: 'sync', fd });
    else if (step === 'rename' || step === 'link') run({ kind: step, from: temporary, to: target });
    else if (step === 'unlink') run({ kind: 'unlink', path: temporary });
    else if (step === 'done') disk.promise(1);
    else {
      const opened = run({ kind: 'openFolder', path: folder });
      run({ kind: 'sync', fd: opened });
      run({ kind: 'close', fd: opened });
    }
  }
  run({ kind: 'close', fd });
  return disk;
}

/** The old file or the new one, with the permissions of the old one; the new one once it was promised. */
const OLD_OR_NEW: Survival<string> = {
  look: ({ names, files }: DiskState) => {
    const node = files.get(names.get(target) ?? -1);
    if (node === undefined) return 'nothing';
    const isNew = NEW.equals(node.bytes);
    if (isNew && node.mode !== 0o600) return 'the new file for all to read';
    return isNew ? 'new' : OLD.equals(node.bytes) ? 'old' : 'torn';
  },
  judge: (found, least) => {
    if (found !== 'new' && (least > 0 || found !== 'old')) throw new Error(`found ${found}`);
    return found;
  },
};

const RIGHT: readonly Step[] = ['mode', 'write', 'sync', 'rename', 'syncFolder', 'done'];
const overOld = (steps: readonly Step[], forget: number | null = null): RecordingDisk => {
  writeFileSync(target, OLD, { mode: 0o600 });
  return work(new RecordingDisk(folder, { forget }), steps);
};

describe('survive', () => {
  it('counts the outcomes of a careful writer', () => {
    const outcomes = survive(overOld(RIGHT), OLD_OR_NEW);
    expect([...outcomes.keys()].sort()).toEqual(['new', 'old']);
  });

  it.each([
    ['no sync of the file', ['mode', 'write', 'rename', 'syncFolder', 'done'], 'torn'],
    ['a sync before the last write', ['mode', 'sync', 'write', 'rename', 'syncFolder', 'done'], 'torn'],
    ['late permissions', ['write', 'sync', 'mode', 'rename', 'syncFolder', 'done'], 'the new file for all to read'],
    ['no sync of the folder', ['mode', 'write', 'sync', 'rename', 'done'], 'old'],
    ['a promise before the sync of the folder', ['mode', 'write', 'sync', 'rename', 'done', 'syncFolder'], 'old'],
  ] as const)('finds %s', (_, steps, found) => {
    expect(() => survive(overOld(steps), OLD_OR_NEW)).toThrow(`found ${found}\n  power lost`);
  });

  it('finds that neither name is there where one is taken away before the other is on the disk', () => {
    const steps = ['mode', 'write', 'sync', 'syncFolder', 'done', 'link', 'unlink', 'syncFolder'] as const;
    const anyName: Survival<boolean> = {
      look: ({ names }) => names.size > 0,
      judge: (found, least) => {
        if (!found && least > 0) throw new Error('all names are gone');
        return String(found);
      },
    };
    expect(() => survive(work(new RecordingDisk(folder), steps), anyName)).toThrow('all names are gone');
  });

  it('tells the seed, and everything that was on the disk', () => {
    const steps = ['mode', 'write', 'rename', 'syncFolder', 'done'] as const;
    const told = /before \d+: sync of a folder, seed 77: .*; on the disk: .*temporary -> target, of 4 unsynced changes/;
    expect(() => survive(overOld(steps), { ...OLD_OR_NEW, seed: 77 })).toThrow(told);
  });
});

describe('needlessSyncs', () => {
  it('finds none in a careful writer', async () => {
    const found = await needlessSyncs(
      async (forget) => overOld(RIGHT, forget),
      () => OLD_OR_NEW,
    );
    expect(found).toEqual({ needless: [], all: ['temporary', 'folder'] });
  });

  it('finds each that is too many', async () => {
    const steps: readonly Step[] = ['syncFolder', 'mode', 'sync', 'write', 'sync', 'rename', 'syncFolder', 'done'];
    const { needless } = await needlessSyncs(
      async (forget) => overOld(steps, forget),
      () => OLD_OR_NEW,
    );
    expect(needless).toEqual(['0: folder', '1: temporary']);
  });

  it('does not take another failure for a broken promise', async () => {
    const failing: Survival<string> = { ...OLD_OR_NEW, judge: () => 'fine' };
    const record = async (forget: number | null): Promise<RecordingDisk> => {
      if (forget === 1) throw new TypeError('the writer itself fails');
      return overOld(RIGHT, forget);
    };
    await expect(needlessSyncs(record, () => failing)).rejects.toThrow('the writer itself fails');
  });
});

describe('a recording', () => {
  it('is complete, or says what went by it', () => {
    const disk = overOld(RIGHT);
    expect(() => disk.checkComplete()).not.toThrow();
    appendFileSync(target, 'x');
    expect(() => disk.checkComplete()).toThrow('other bytes');
    writeFileSync(join(folder, 'other'), '');
    expect(() => disk.checkComplete()).toThrow('recorded target; in the folder other, target');
  });

  it('of cuts and folders too, and is put back with its links and permissions', async () => {
    const disk = new RecordingDisk(folder);
    const fd = (await disk.run({ kind: 'create', path: temporary, mode: 0o640 })) as number;
    disk.runSync({ kind: 'write', fd, bytes: NEW, byteOffset: 0 });
    disk.runSync({ kind: 'close', fd });
    const again = disk.runSync({ kind: 'open', path: temporary }) as number;
    disk.runSync({ kind: 'truncate', fd: again, byteLength: 5 });
    disk.runSync({ kind: 'close', fd: again });
    disk.runSync({ kind: 'link', from: temporary, to: target });
    disk.runSync({ kind: 'makeFolder', path: join(folder, 'inner'), mode: 0o700 });
    disk.checkComplete();
    const copy = join(root, 'copy');
    const states: string[] = [];
    survive(disk, {
      look: (state) => {
        materialize(state, folder, copy);
        const seen = new RecordingDisk(copy);
        states.push(
          [...seen.history.names.keys()]
            .map((path) => path.slice(copy.length + 1))
            .sort()
            .join(' '),
        );
        if (!state.names.has(target) || !state.names.has(temporary)) return '!';
        appendFileSync(join(copy, 'target'), '!');
        return readFileSync(join(copy, 'temporary'), 'latin1').at(-1);
      },
      judge: (found) => {
        if (found !== '!') throw new Error('not one file');
        return 'one file';
      },
    });
    expect(states).toContain('');
    expect(states).toContain('inner target temporary');
  });
});
