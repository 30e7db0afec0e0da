// Writers on a disk whose syncs fail, good and bad: the bench finds the one that says nothing, and the one that
// believes a second sync. And file systems without hard links.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { FileOperation } from '@colkit/io/durable';
import { BrokenPromise, History, PowerLossBench, powerLosses } from '@colkit/testkit/disk';
import type { PowerLossWriter, RecordingDisk } from '@colkit/testkit/disk';

const CONTENT = Buffer.alloc(1300, 'new');
const bench = new PowerLossBench<PowerLossWriter, string>('bench', {
  fileName: 'target',
  look: (path) => (!existsSync(path) ? 'nothing' : CONTENT.equals(readFileSync(path)) ? 'new' : 'torn'),
  judge: (found, least) => {
    if (least > 0 && found !== 'new') throw new Error(`found ${found}`);
    return found;
  },
  isExpected: (error) => error instanceof Error && error.message.startsWith('EIO'),
});
afterAll(() => {
  bench.remove();
});

/** A file and its name, synced, with what happens where a sync fails. */
function writer(onFailure: 'throws' | 'says nothing' | 'syncs again'): PowerLossWriter {
  const sync = (disk: RecordingDisk, fd: number): void => {
    try {
      disk.runSync({ kind: 'sync', fd });
    } catch (error) {
      if (onFailure === 'throws') throw error;
      if (onFailure === 'syncs again') disk.runSync({ kind: 'sync', fd });
    }
  };
  const work = async (disk: RecordingDisk): Promise<void> => {
    const run = (operation: FileOperation): number => disk.runSync(operation) as number;
    const fd = run({ kind: 'create', path: bench.path, mode: 0o600 });
    try {
      run({ kind: 'write', fd, bytes: CONTENT, byteOffset: 0 });
      sync(disk, fd);
    } finally {
      run({ kind: 'close', fd });
    }
    const folder = run({ kind: 'openFolder', path: disk.folder });
    try {
      sync(disk, folder);
    } finally {
      run({ kind: 'close', fd: folder });
    }
    disk.promise(1);
    await Promise.resolve();
  };
  return { name: onFailure, work, outcomes: ['new', 'nothing', 'torn'] };
}

describe('a sync that fails', () => {
  it('is told of by a good writer', async () => {
    expect(await bench.unreportedFailures(writer('throws'))).toEqual([]);
    expect(await bench.outcomes(writer('throws'))).toEqual(writer('throws').outcomes);
    expect(await bench.needlessSyncs(writer('throws'))).toEqual([]);
  });

  it.each(['says nothing', 'syncs again'] as const)('is found where the writer %s', async (onFailure) => {
    await expect(bench.unreportedFailures(writer(onFailure))).rejects.toThrow(BrokenPromise);
  });

  it('leaves what follows it to the next one', () => {
    const history = new History();
    const file = history.putOld('/d/f', { isFolder: false, mode: 0o600, bytes: new Uint8Array(0) });
    const from = history.changes.length;
    history.write(file, 0, Uint8Array.of(1));
    history.loseFile(file);
    history.write(file, 1, Uint8Array.of(2));
    history.syncFile(file);
    const last = [...powerLosses(history, { samples: 20, seed: 1, from })].filter((loss) =>
      loss.describe().startsWith('at the end'),
    );
    const found = new Set(last.map(({ state }) => [...state.files.get(file)!.bytes].join(' ')));
    expect([...found].sort()).toEqual(['0 2', '1 2']);
  });
});

it('a link is refused where the file system has none', async () => {
  const links: PowerLossWriter = {
    ...writer('throws'),
    noLinks: 'ENOTSUP',
    work: async (disk) => {
      await writer('throws').work(disk);
      expect(() => disk.runSync({ kind: 'link', from: bench.path, to: `${bench.path}2` })).toThrow(
        expect.objectContaining({ code: 'ENOTSUP' }),
      );
    },
  };
  expect(await bench.outcomes(links)).toEqual(links.outcomes);
});
