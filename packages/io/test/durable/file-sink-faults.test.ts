// Atomic files on a file system that fails, forgets and takes less than it is given: after every fault nothing is left
// behind, and after a power failure at any moment the target is the old file or the new one.
import { onFiles } from '@colkit/io/durable';
import { describe, expect, test } from 'vitest';
import { openFileSink, openFileSinkSync } from '@colkit/io';
import type { FileOperation, FileSinkOptions } from '@colkit/io/durable';
import { FakeFiles } from '../support/fake-files.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const TARGET = '/data/table.bin';
const NEW = 'the new content, in two writes and a patch';
const BYTES = new TextEncoder().encode(NEW);

function writeAllSync(options: FileSinkOptions): void {
  const sink = openFileSinkSync(TARGET, options);
  sink.writeSync(new Uint8Array(10));
  sink.writeSync(BYTES.subarray(10));
  sink.writeAtSync(0, BYTES.subarray(0, 10));
  sink.finishSync();
}

async function writeAll(options: FileSinkOptions): Promise<void> {
  const sink = await openFileSink(TARGET, options);
  await sink.write(new Uint8Array(10));
  await sink.write(BYTES.subarray(10));
  await sink.writeAt(0, BYTES.subarray(0, 10));
  await sink.finish();
}

/** A file system with or without the old file. */
function filesWith(old: boolean): FakeFiles {
  const files = new FakeFiles();
  files.put('/data/other.bin', 'other');
  if (old) files.put(TARGET, 'old', 0o600);
  return files;
}

const WAYS = [
  { name: 'a new file', old: false, overwrite: false },
  { name: 'a new file, overwriting allowed', old: false, overwrite: true },
  { name: 'over an old file', old: true, overwrite: true },
];

describe.each(WAYS)('$name', ({ old, overwrite }) => {
  const before = old ? 'old' : null;
  const names = (done: boolean): string[] => ['/data/other.bin', ...(old || done ? [TARGET] : [])];

  test('syncs the bytes before they get the name, and the folder after', () => {
    const files = filesWith(old);
    writeAllSync(onFiles(files, { overwrite }));
    // Those of the lock are not what this is about.
    const kinds = files.log.flatMap((operation) =>
      operation.kind === 'write' && new TextDecoder().decode(operation.bytes).startsWith('{"host"')
        ? []
        : [operation.kind],
    );
    const named = kinds.indexOf(overwrite ? 'rename' : 'link');
    expect(kinds.indexOf('sync')).toBeLessThan(named);
    expect(kinds.indexOf('sync')).toBeGreaterThan(kinds.lastIndexOf('write'));
    expect(kinds.lastIndexOf('sync')).toBeGreaterThan(named);
    expect([files.names, files.text(TARGET), files.openCount]).toEqual([names(true), NEW, 0]);
    if (old) expect(files.mode(TARGET)).toBe(0o600);
  });

  test('without durability syncs nothing', () => {
    const files = filesWith(old);
    writeAllSync(onFiles(files, { overwrite, durability: 'none' }));
    expect(files.log.some(({ kind }) => kind === 'sync')).toBe(false);
    expect([files.names, files.text(TARGET)]).toEqual([names(true), NEW]);
  });

  test('survives a power failure after any operation, with what was not synced lost', () => {
    const files = filesWith(old);
    const seen = new Set<string | null>();
    files.fault = () => {
      for (const outcome of files.afterPowerFailure(TARGET)) seen.add(outcome);
      return undefined;
    };
    writeAllSync(onFiles(files, { overwrite }));
    expect([...seen].sort()).toEqual([before, NEW].sort());
    // And once finish has returned, nothing is lost.
    expect([...files.afterPowerFailure(TARGET)]).toEqual([NEW]);
  });

  test('the recording file system would notice a missing sync', () => {
    const files = filesWith(old);
    writeAllSync(onFiles(files, { overwrite, durability: 'none' }));
    expect([...files.afterPowerFailure(TARGET)]).toContain('');
  });

  /** What happens where nothing fails, and which of its operations may fail without harm. */
  const rehearse = (): {
    log: FileOperation[];
    replaced: number;
    isHarmless: (kind: FileOperation['kind'], number: number) => boolean;
  } => {
    const rehearsal = filesWith(old);
    writeAllSync(onFiles(rehearsal, { overwrite }));
    const { log } = rehearsal;
    const first = (isIt: (operation: FileOperation) => boolean): number => log.findIndex(isIt);
    const named = first(({ kind }) => kind === (overwrite ? 'rename' : 'link'));
    const inLockFolder = (operation: FileOperation): boolean =>
      'path' in operation && operation.path.includes('colkit-locks-');
    const inodeLock = log.flatMap((operation, number) => (number < named && inLockFolder(operation) ? [number] : []));
    // Looking for old temporary files, keeping permissions, the lock of the inode where the file has one name, a link
    // of the lock (it is made without), and closing or tidying up after the file has its name.
    const isHarmless = (kind: FileOperation['kind'], number: number): boolean => {
      if (
        ['list', 'setMode', 'unlink'].includes(kind) ||
        (kind === 'link' && overwrite) ||
        (kind === 'read' && number > named)
      )
        return true;
      if (kind === 'close' && number > first((operation) => operation.kind === 'openFolder')) return true;
      return (
        inodeLock.includes(number) || (number > (inodeLock.at(1) ?? Infinity) && number < (inodeLock.at(-1) ?? -1))
      );
    };
    return { log, replaced: overwrite ? first(({ kind }) => kind === 'rename') : Infinity, isHarmless };
  };

  test.each(['ENOSPC', 'EIO', 'EROFS', 'EDQUOT'])(
    'whichever operation fails, with %s, nothing is torn and nothing is left',
    async (code) => {
      const { log, replaced, isHarmless } = rehearse();
      for (const [number, { kind }] of log.entries()) {
        for (const sync of [true, false]) {
          const what = `${kind} (${String(number)}), ${sync ? 'sync' : 'async'}`;
          const files = filesWith(old);
          files.fault = (_, at) => (at === number ? code : undefined);
          const options = onFiles(files, { overwrite });
          if (isHarmless(kind, number)) {
            if (sync) writeAllSync(options);
            else await writeAll(options);
            expect(files.text(TARGET), what).toBe(NEW);
            if (kind !== 'unlink') expect(files.names, what).toEqual(names(true));
          } else {
            const error = sync ? thrownBy(() => writeAllSync(options)) : await rejectedBy(writeAll(options));
            expect(error, what).toMatchObject({
              name: 'IoError',
              code: 'ERR_WRITE',
              path: TARGET,
              cause: expect.anything() as unknown,
            });
            // An old file that was replaced cannot be brought back: then the message says so.
            const isReplaced = number > replaced;
            expect(files.names, what).toEqual(names(isReplaced));
            expect(files.text(TARGET), what).toBe(isReplaced ? NEW : before);
            if (isReplaced) expect((error as Error).message, what).toContain('in place');
          }
          expect([files.openCount, files.closedTwice], what).toEqual([0, []]);
        }
      }
    },
  );

  test('loops over short writes', async () => {
    for (const most of [1, 7]) {
      const files = filesWith(old);
      files.fault = ({ kind }) => (kind === 'write' ? most : undefined);
      await writeAll(onFiles(files, { overwrite }));
      expect(files.text(TARGET)).toBe(NEW);
    }
  });

  test('gives up on a system that takes nothing', () => {
    const files = filesWith(old);
    files.fault = ({ kind }) => (kind === 'write' ? 0 : undefined);
    expect(thrownBy(() => writeAllSync(onFiles(files, { overwrite })))).toMatchObject({
      name: 'IoError',
      code: 'ERR_WRITE',
    });
    expect([files.names, files.openCount]).toEqual([names(false), 0]);
  });
});

test('a failed sink stays failed, and abort has nothing left to do', async () => {
  const files = filesWith(false);
  const sink = await openFileSink(TARGET, onFiles(files, {}));
  files.fault = ({ kind }) => (kind === 'write' ? 'ENOSPC' : undefined);
  const error = await rejectedBy(sink.write(BYTES));
  expect([files.names, files.openCount]).toEqual([['/data/other.bin'], 0]);
  files.fault = () => undefined;
  expect(await rejectedBy(sink.write(BYTES))).toBe(error);
  expect(await rejectedBy(sink.finish())).toBe(error);
  expect(thrownBy(() => sink.finishSync())).toBe(error);
  const operations = files.log.length;
  await sink.abort();
  sink.abortSync();
  expect(files.log.length).toBe(operations);
});

describe('without hard links', () => {
  const noLinks = (code: string) => (operation: FileOperation) => (operation.kind === 'link' ? code : undefined);

  test.each(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'])('(%s) a new file is published all the same', async (code) => {
    const files = filesWith(false);
    files.fault = noLinks(code);
    await writeAll(onFiles(files, {}));
    expect([files.names, files.text(TARGET), files.openCount]).toEqual([['/data/other.bin', TARGET], NEW, 0]);
    // Others may give names there: an empty file takes the name first.
    expect(files.log.some((operation) => operation.kind === 'create' && operation.path === TARGET)).toBe(true);
  });

  test('a file that appeared meanwhile is kept', () => {
    const files = filesWith(false);
    files.fault = (operation) => {
      if (operation.kind === 'link') files.put(TARGET, 'theirs');
      return noLinks('EPERM')(operation);
    };
    expect(thrownBy(() => writeAllSync(onFiles(files, {})))).toMatchObject({ code: 'ERR_EXISTS' });
    expect([files.names, files.text(TARGET), files.openCount]).toEqual([['/data/other.bin', TARGET], 'theirs', 0]);
  });

  test('a failing rename leaves nothing', () => {
    const files = filesWith(false);
    files.fault = (operation) => noLinks('EPERM')(operation) ?? (operation.kind === 'rename' ? 'EIO' : undefined);
    expect(thrownBy(() => writeAllSync(onFiles(files, {})))).toMatchObject({ code: 'ERR_WRITE' });
    expect([files.names, files.openCount]).toEqual([['/data/other.bin'], 0]);
  });
});

test.each(['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP'])(
  'a system that does not sync folders (%s) is taken as it is',
  async (code) => {
    for (const step of ['openFolder', 'sync'] as const) {
      const files = filesWith(false);
      let synced = 0;
      files.fault = ({ kind }) => (kind === step && (kind === 'openFolder' || ++synced === 2) ? code : undefined);
      await writeAll(onFiles(files, {}));
      expect([files.text(TARGET), files.openCount]).toEqual([NEW, 0]);
    }
  },
);
