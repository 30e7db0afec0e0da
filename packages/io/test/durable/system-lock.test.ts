// The file's own lock (flock), which writers of other programs take: who asks for it gets it together with ours, is
// refused at once where another program has it, waits for a moment to replace the file, and gives it back.
import { closeSync, openSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { IoError } from '@colkit/io';
import { onFiles, openFileSinkSync, reserve } from '@colkit/io/durable';
import { lockFile, refuseLocked } from '../../src/durable/file-lock.ts';
import { findTarget } from '../../src/durable/target.ts';
import type { Target } from '../../src/durable/target.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { thrownBy } from '../support/thrown.ts';
import { runOn } from '../support/works-on-files.ts';

const PATH = '/data/table.bin';

function world(): FakeFiles {
  const files = new FakeFiles();
  files.put(PATH, 'old');
  return files;
}

const targetIn = (files: FakeFiles): Target => runOn(findTarget(PATH), files);
const lock = (files: FakeFiles, purpose: 'write' | 'replace' = 'write', flock = true) =>
  runOn(lockFile(targetIn(files), purpose, { flock }), files);

/** Another program that has the file open, with its lock. */
function somebody(files: FakeFiles): () => void {
  const fd = files.runSync({ kind: 'open', path: PATH }) as number;
  expect(files.runSync({ kind: 'lock', fd })).toBe('locked');
  return () => void files.runSync({ kind: 'close', fd });
}

test('without the addon there is none, which is said once', async () => {
  // New modules: the ones that other files share have told it already.
  vi.resetModules();
  const { lockOpenFile } = await import('../../src/durable/system-lock.ts');
  const { setDefaultBackend } = await import('../../src/backend/settings.ts');
  setDefaultBackend('js');
  const warnings: Error[] = [];
  const listen = (warning: Error): void => void warnings.push(warning);
  process.on('warning', listen);
  const fd = openSync(import.meta.filename, 'r');
  try {
    expect([lockOpenFile(fd), lockOpenFile(fd)]).toEqual(['unsupported', 'unsupported']);
    await new Promise(setImmediate);
    const told = warnings.filter((warning) => 'code' in warning && warning.code === 'COLKIT_NO_FLOCK');
    expect(told.map(({ message }) => message)).toEqual([expect.stringMatching(/setDefaultBackend|COLKIT_BACKEND/)]);
  } finally {
    process.removeListener('warning', listen);
    closeSync(fd);
    // Files that come later shall not find these, with another backend than theirs.
    vi.resetModules();
  }
});

/** What is said by `lockOpenFile` with an addon that answers so; null is none that loads. */
async function told(
  lockFile: (() => string) | undefined,
): Promise<{ readonly result: string; readonly said: Error[] }> {
  vi.resetModules();
  vi.doMock('../../src/backend/native.ts', () => ({
    nativeBindingIfLoaded: () => ({ lockFile }),
    whyNotNative: () => 'there is no addon',
  }));
  const said: Error[] = [];
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
    said.push(Object.assign(new Error(String(message)), options));
  });
  try {
    const { lockOpenFile } = await import('../../src/durable/system-lock.ts');
    return { result: lockOpenFile(7), said };
  } finally {
    emit.mockRestore();
    vi.doUnmock('../../src/backend/native.ts');
    vi.resetModules();
  }
}

test('what the addon answers is passed on; that there is none is said, with the reason', async () => {
  expect(await told(() => 'locked')).toEqual({ result: 'locked', said: [] });
  expect(await told(() => 'held')).toEqual({ result: 'held', said: [] });
  for (const addon of [() => 'unsupported', undefined]) {
    const { result, said } = await told(addon);
    expect(result).toBe('unsupported');
    expect(said).toMatchObject([{ type: 'ColkitWarning', code: 'COLKIT_NO_FLOCK' }]);
    expect(said[0]?.message).toMatch(/look for: the file system has no flock$/);
  }
});

test('it is had until it is given back, once, and nothing stays open', () => {
  const files = world();
  const held = lock(files);
  const fd = files.runSync({ kind: 'open', path: PATH }) as number;
  expect(files.runSync({ kind: 'lock', fd })).toBe('held');
  runOn(held.release(), files);
  expect(files.runSync({ kind: 'lock', fd })).toBe('locked');
  files.runSync({ kind: 'close', fd });
  runOn(held.release(), files);
  expect([files.names, files.openCount, files.closedTwice]).toEqual([[PATH], 0, []]);
});

test('another program that has it is told of at once, and no lock of ours is left', () => {
  const files = world();
  const close = somebody(files);
  const refusal = {
    code: 'ERR_LOCKED',
    operation: 'lock',
    path: PATH,
    message: expect.stringMatching(/flock/) as string,
  };
  expect(thrownBy(() => lock(files))).toMatchObject(refusal);
  expect(thrownBy(() => runOn(refuseLocked(targetIn(files), true), files))).toMatchObject(refusal);
  expect(files.log.filter(({ kind }) => kind === 'wait')).toEqual([]);
  expect([files.names, files.openCount]).toEqual([[PATH], 1]);
  runOn(refuseLocked(targetIn(files)), files);
  runOn(lock(files, 'write', false).release(), files);
  close();
  runOn(refuseLocked(targetIn(files), true), files);
  runOn(lock(files).release(), files);
  expect(files.openCount).toBe(0);
});

test('who replaces the file waits for a while', () => {
  const files = world();
  const close = somebody(files);
  let waits = 0;
  files.fault = ({ kind }) => {
    if (kind === 'wait' && ++waits === 3) close();
    return undefined;
  };
  runOn(lock(files, 'replace').release(), files);
  expect([waits, files.openCount]).toEqual([3, 0]);
  somebody(files);
  expect(thrownBy(() => lock(files, 'replace'))).toMatchObject({ code: 'ERR_LOCKED' });
  expect(waits).toBeGreaterThan(100);
});

test('no file, no lock; a file that may not be opened is locked by ours alone; other failures are told', () => {
  const files = world();
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOENT']) {
    files.fault = ({ kind }) => (kind === 'open' ? code : undefined);
    runOn(lock(files).release(), files);
  }
  files.fault = ({ kind }) => (kind === 'open' ? 'EIO' : undefined);
  expect(thrownBy(() => lock(files))).toMatchObject({ code: 'EIO' });
  files.fault = ({ kind }) => (kind === 'lock' ? 'EIO' : undefined);
  expect(thrownBy(() => lock(files))).toMatchObject({ code: 'EIO' });
  files.fault = () => undefined;
  expect([files.names, files.openCount]).toEqual([[PATH], 0]);
  files.runSync({ kind: 'unlink', path: PATH });
  const before = files.log.length;
  runOn(lock(files).release(), files);
  runOn(refuseLocked(targetIn(files), true), files);
  // Nothing of it is looked for.
  expect(files.log.slice(before).filter((call) => call.kind === 'open' && call.path === PATH)).toEqual([]);
  expect([files.openCount, files.closedTwice]).toEqual([0, []]);
});

test('a file system without such locks: ours alone, and nothing stays open', () => {
  const files = world();
  const runSync = files.runSync.bind(files);
  files.runSync = (operation) => (operation.kind === 'lock' ? 'unsupported' : runSync(operation));
  const held = lock(files);
  expect([files.openCount, thrownBy(() => lock(files))]).toMatchObject([0, { code: 'ERR_LOCKED' }]);
  runOn(held.release(), files);
  runOn(refuseLocked(targetIn(files), true), files);
  expect([files.names, files.openCount, files.closedTwice]).toEqual([[PATH], 0, []]);
});

test('our own writer that replaces the file is not taken for another program', () => {
  const files = world();
  const held = lock(files, 'replace');
  runOn(refuseLocked(targetIn(files), true), files);
  runOn(held.release(), files);
});

test('reservations and atomic files ask for it where they are told to', () => {
  const files = world();
  const close = somebody(files);
  const grow = (flock: boolean) => reserve(PATH, { to: 'grow', durable: true, operations: files, flock }).runSync();
  expect(thrownBy(() => grow(true))).toMatchObject({ code: 'ERR_LOCKED' });
  grow(false).release().runSync();
  const replacing = (flock: boolean) => openFileSinkSync(PATH, onFiles(files, { overwrite: true, flock }));
  expect(thrownBy(() => replacing(true))).toBeInstanceOf(IoError);
  close();
  const sink = replacing(true);
  const again = somebody(files);
  sink.writeSync(new Uint8Array(3));
  expect(thrownBy(() => sink.finishSync())).toMatchObject({ code: 'ERR_LOCKED' });
  again();
  expect([files.names, files.text(PATH), files.openCount]).toEqual([[PATH], 'old', 0]);
});

test('a growing file is locked, or refused', () => {
  const files = world();
  const reserved = reserve(PATH, { to: 'grow', durable: true, operations: files }).runSync();
  const file = reserved.open('').runSync();
  const close = somebody(files);
  const refusal = { code: 'ERR_LOCKED', operation: 'lock', path: PATH };
  expect(thrownBy(() => file.lock().runSync())).toMatchObject(refusal);
  files.fault = ({ kind }) => (kind === 'lock' ? 'EIO' : undefined);
  expect(thrownBy(() => file.lock().runSync())).toMatchObject({ operation: 'lock' });
  files.fault = () => undefined;
  close();
  file.lock().runSync();
  const fd = files.runSync({ kind: 'open', path: PATH }) as number;
  expect(files.runSync({ kind: 'lock', fd })).toBe('held');
});

test('a growing file goes on where it is told, over what stands there', () => {
  const files = world();
  const file = reserve(PATH, { to: 'grow', durable: true, operations: files }).runSync().open('').runSync();
  file.goTo(1);
  file.append([new TextEncoder().encode('X')]).runSync();
  expect([file.position, files.text(PATH)]).toEqual([2, 'oXd']);
});
