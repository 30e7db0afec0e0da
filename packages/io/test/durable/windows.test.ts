// Windows does not replace a file that is open: the handle that holds the file's own lock is closed before the rename,
// whoever has the file open for a moment is waited for, and who keeps it open is told of. Elsewhere the lock is held
// until the new file has the name.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { onFiles, openFileSinkSync, reserve } from '@colkit/io/durable';
import { FakeFiles } from '../support/fake-files.ts';
import { thrownBy } from '../support/thrown.ts';

const PATH = '/data/table.bin';
const NEW = new TextEncoder().encode('new');
const own = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;

function world(): FakeFiles {
  const files = new FakeFiles();
  files.put(PATH, 'old');
  return files;
}

function replace(files: FakeFiles): void {
  const sink = openFileSinkSync(PATH, onFiles(files, { overwrite: true, flock: true }));
  sink.writeSync(NEW);
  sink.finishSync();
}

/** As a writer that starts a new file beside the old one, which has the lock of the old one all the time. */
function recreate(files: FakeFiles): void {
  const reserved = reserve(PATH, { to: 'replace', durable: true, operations: files, flock: true }).runSync();
  const file = reserved.create('.partial').runSync();
  try {
    file.append([NEW]).runSync();
    file.barrier().runSync();
    reserved.publish().runSync();
  } finally {
    file.close().runSync();
    reserved.release().runSync();
  }
}

const WRITERS = [
  ['a whole file', replace],
  ['a file that grows', recreate],
] as const;

/** The last rename of the log, and how many descriptors of the old file were open then. */
function openAtRename(files: FakeFiles): { readonly locks: number; readonly closes: number } {
  const end = files.log.findIndex((call) => call.kind === 'rename' && call.to === PATH);
  expect(end).toBeGreaterThan(0);
  const before = files.log.slice(0, end);
  const at = before.findLastIndex(({ kind }) => kind === 'lock');
  const locks = before.slice(at, at + 1);
  const closes = before.slice(at).filter((call) => call.kind === 'close' && call.fd === lockedFd(before[at]));
  return { locks: locks.length, closes: closes.length };
}

const lockedFd = (call: FakeFiles['log'][number] | undefined): number => (call?.kind === 'lock' ? call.fd : -1);

describe('on Windows', () => {
  beforeEach(() => {
    Object.defineProperty(process, 'platform', { ...own, value: 'win32' });
  });
  afterEach(() => {
    Object.defineProperty(process, 'platform', own);
  });

  test.each(WRITERS)('%s takes the place of the old one, whose lock is given back just before', (_, write) => {
    const files = world();
    files.keepsOpenFiles = true;
    write(files);
    expect([files.text(PATH), files.names, files.openCount, files.closedTwice]).toEqual(['new', [PATH], 0, []]);
    expect(openAtRename(files)).toEqual({ locks: 1, closes: 1 });
  });

  test.each(WRITERS)('%s waits for who has the old one open for a moment', (_, write) => {
    const files = world();
    files.keepsOpenFiles = true;
    const fd = files.runSync({ kind: 'open', path: PATH }) as number;
    let waits = 0;
    files.fault = ({ kind }) => {
      if (kind === 'wait' && ++waits === 3) files.runSync({ kind: 'close', fd });
      return undefined;
    };
    write(files);
    expect([files.text(PATH), waits, files.openCount]).toEqual(['new', 3, 0]);
  });

  test.each(WRITERS)('%s is refused while somebody keeps the old one open, which stays', (_, write) => {
    const files = world();
    files.keepsOpenFiles = true;
    files.runSync({ kind: 'open', path: PATH });
    expect(thrownBy(() => write(files))).toMatchObject({
      code: 'ERR_WRITE',
      path: PATH,
      message: expect.stringMatching(/Windows does not replace a file that is open.*close what reads it/) as string,
    });
    expect([files.text(PATH), files.openCount]).toEqual(['old', 1]);
  });

  test('what has another reason is told at once', () => {
    const files = world();
    files.fault = ({ kind }) => (kind === 'rename' ? 'ENOSPC' : undefined);
    expect(thrownBy(() => replace(files))).toMatchObject({ message: expect.stringMatching(/ENOSPC/) as string });
    expect(files.log.some(({ kind }) => kind === 'wait')).toBe(false);
  });
});

test.each(WRITERS)('elsewhere %s keeps the lock over the rename, and nobody waits', (_, write) => {
  const files = world();
  write(files);
  expect(openAtRename(files)).toEqual({ locks: 1, closes: 0 });
  files.fault = ({ kind }) => (kind === 'rename' ? 'EPERM' : undefined);
  expect(thrownBy(() => replace(files))).toMatchObject({ message: expect.stringMatching(/EPERM/) as string });
  expect(files.log.some(({ kind }) => kind === 'wait')).toBe(false);
});
