// Reserved paths on the real file system: one writer of a file through all of its names, what is taken over from whom,
// permissions, what is refused at once, and what is left after a failure.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SYSTEM_FILES, openFileSink, openFileSinkSync, reserve, onFiles } from '@colkit/io/durable';
import type { FileOperation, FileOperations, FileResult, Reservation, ReserveOptions } from '@colkit/io/durable';
import { lockFile } from '../../src/durable/file-lock.ts';
import { runOn } from '../support/works-on-files.ts';
import { findTarget } from '../../src/durable/target.ts';
import { ENDED, deadLock } from '../support/dead-process.ts';
import { testFolder } from '../support/folder.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const folder = testFolder();
let next = 0;
let at = '';
let path = '';
beforeEach(() => {
  at = join(folder.path, `r${String(next++)}`);
  mkdirSync(at);
  path = join(at, 'data.bin');
});

const FORMS = {
  async: (given: string, options: Omit<ReserveOptions, 'durable'>): Promise<Reservation> =>
    reserve(given, { durable: false, ...options }).run(),
  sync: async (given: string, options: Omit<ReserveOptions, 'durable'>): Promise<Reservation> =>
    Promise.resolve(reserve(given, { durable: false, ...options }).runSync()),
};
const mode = (file: string): number => lstatSync(file).mode & 0o7777;

describe.each(['async', 'sync'] as const)('%s', (form) => {
  const take = FORMS[form];

  test('one writer of a file, through whatever name it comes', async () => {
    writeFileSync(path, 'old');
    symlinkSync('data.bin', join(at, 'link.bin'));
    linkSync(path, join(at, 'hard.bin'));
    mkdirSync(join(at, 'other'));
    linkSync(path, join(at, 'other', 'far.bin'));
    symlinkSync(at, join(folder.path, `${form}-${String(next)}-door`));
    const names = [
      path,
      join(at, 'link.bin'),
      join(at, 'hard.bin'),
      join(at, 'other', 'far.bin'),
      join(folder.path, `${form}-${String(next)}-door`, 'data.bin'),
    ];
    for (const first of names) {
      const held = await take(first, { to: 'grow' });
      for (const second of names) {
        for (const to of ['grow', 'replace', 'recover'] as const)
          expect(await rejectedBy(take(second, { to })), `${first} ${second} ${to}`).toMatchObject({
            code: 'ERR_LOCKED',
            path: second,
          });
        expect(await rejectedBy(openFileSink(second, { overwrite: true }))).toMatchObject({
          code: 'ERR_LOCKED',
          path: second,
        });
      }
      await held.release().run();
      await held.release().run();
    }
    expect(readdirSync(at).sort()).toEqual(['data.bin', 'hard.bin', 'link.bin', 'other']);
  });

  test('a file to be replaced is refused at the end too, where somebody began to write on it meanwhile', async () => {
    writeFileSync(path, 'old');
    linkSync(path, join(at, 'hard.bin'));
    const sink = openFileSinkSync(path, { overwrite: true });
    sink.writeSync(Uint8Array.of(1));
    const held = await take(join(at, 'hard.bin'), { to: 'grow' });
    expect(await rejectedBy(sink.finish())).toMatchObject({ code: 'ERR_LOCKED' });
    expect(readFileSync(path, 'utf8')).toBe('old');
    held.release().runSync();
    expect(readdirSync(at).sort()).toEqual(['data.bin', 'hard.bin']);
  });

  test('a dead process is followed, a living one only by force, one that cannot be judged not at all', async () => {
    writeFileSync(path, 'old');
    writeFileSync(`${path}.lock`, deadLock());
    const held = await take(path, { to: 'grow' });
    expect(JSON.parse(readFileSync(`${path}.lock`, 'utf8'))).toMatchObject({ pid: process.pid, purpose: 'write' });
    expect(await rejectedBy(take(path, { to: 'recover' }))).toMatchObject({
      code: 'ERR_LOCKED',
      message: expect.stringContaining('this process is writing it') as string,
    });
    const forced = await take(path, { to: 'recover', force: true });
    held.release().runSync();
    expect(existsSync(`${path}.lock`)).toBe(true);
    forced.release().runSync();
    expect(readdirSync(at)).toEqual(['data.bin']);
    writeFileSync(`${path}.lock`, deadLock().replace(/"tag":"[0-9a-f]{16}/u, '"tag":"0123456789abcdef'));
    expect(await rejectedBy(take(path, { to: 'recover' }))).toMatchObject({
      code: 'ERR_LOCKED',
      message: expect.stringContaining(`process ${String(ENDED)} of another container, or`) as string,
    });
  });

  test('a lock without content is waited for, and taken over where none comes', async () => {
    writeFileSync(path, 'old');
    writeFileSync(`${path}.lock`, '');
    (await take(path, { to: 'grow' })).release().runSync();
    expect(readdirSync(at)).toEqual(['data.bin']);
  });

  test('what is no file, or in no folder, is refused at once, before anything is made', async () => {
    mkdirSync(join(at, 'inner'));
    spawnSync('mkfifo', [join(at, 'pipe')]);
    symlinkSync('pipe', join(at, 'to-pipe'));
    const before = readdirSync(at);
    for (const name of ['inner', 'pipe', 'to-pipe'].map((each) => join(at, each))) {
      for (const to of ['replace', 'grow', 'recover'] as const)
        expect(await rejectedBy(take(name, { to })), `${name} ${to}`).toMatchObject({
          name: 'IoError',
          code: 'ERR_WRITE',
          path: name,
        });
      expect(await rejectedBy(take(name, { to: 'new' }))).toMatchObject({ code: 'ERR_EXISTS' });
    }
    for (const to of ['new', 'replace'] as const) {
      expect(await rejectedBy(take(join(at, 'missing', 'data.bin'), { to }))).toMatchObject({
        code: 'ERR_WRITE',
        message: expect.stringContaining(`there is no folder ${join(at, 'missing')}`) as string,
      });
    }
    expect(await rejectedBy(openFileSink('nowhere/data.bin'))).toMatchObject({
      message: expect.stringMatching(/^nowhere\/data\.bin: open: there is no folder nowhere$/u) as string,
    });
    expect(await rejectedBy(take(path, { to: 'grow' }))).toMatchObject({ code: 'ERR_NOT_FOUND' });
    expect(readdirSync(at)).toEqual(before);
  });

  test.each([0o600, 0o640, 0o4755])(
    'an unfinished file is never open to more people than the one that it replaces (%o)',
    async (bits) => {
      writeFileSync(path, 'old');
      chmodSync(path, bits);
      symlinkSync('data.bin', join(at, 'link.bin'));
      const held = await take(join(at, 'link.bin'), { to: 'replace' });
      const made: number[] = [];
      const file = held.create('.partial').runSync();
      made.push(mode(`${path}.partial`));
      file.append([Uint8Array.of(1, 2)]).runSync();
      file.close().runSync();
      held.publish().runSync();
      held.release().runSync();
      expect([made, mode(path)]).toEqual([[bits & 0o777], bits & 0o777]);
      expect([lstatSync(join(at, 'link.bin')).isSymbolicLink(), [...readFileSync(path)]]).toEqual([true, [1, 2]]);
      expect(readdirSync(at).sort()).toEqual(['data.bin', 'link.bin']);
    },
  );

  test('permissions that are taken away while a file is written are not given back by it', async () => {
    for (const sink of [false, true]) {
      writeFileSync(path, 'old', { mode: 0o644 });
      chmodSync(path, 0o644);
      if (sink) {
        const open = openFileSinkSync(path, { overwrite: true });
        chmodSync(path, 0o600);
        open.finishSync();
      } else {
        const held = await take(path, { to: 'replace' });
        held.create('.partial').runSync().close().runSync();
        chmodSync(path, 0o600);
        held.publish().runSync();
        held.release().runSync();
      }
      expect(mode(path)).toBe(0o600);
    }
  });
});

test('a file is created with the permissions of its target, not given them later', () => {
  writeFileSync(path, 'old');
  chmodSync(path, 0o600);
  const created: number[] = [];
  const operations = hooked(
    (operation) =>
      void (
        operation.kind === 'create' &&
        operation.path.startsWith(at) &&
        !operation.path.includes('.lock') &&
        created.push(operation.mode)
      ),
  );
  const held = reserve(path, { to: 'replace', durable: true, operations }).runSync();
  for (const ending of ['.partial', '.journal'] as const) held.create(ending).runSync().close().runSync();
  held.release().runSync();
  openFileSinkSync(path, onFiles(operations, { overwrite: true })).abortSync();
  expect(created).toEqual([0o600, 0o600, 0o600]);
});

test('a path that leads to another file by the time the lock is had is looked at again', () => {
  writeFileSync(path, 'old');
  writeFileSync(join(at, 'new.bin'), 'new');
  let renamed = false;
  const operations = hooked((operation) => {
    if (renamed || operation.kind !== 'link' || !operation.to.includes('colkit-locks-')) return;
    renamed = true;
    renameSync(join(at, 'new.bin'), path);
  });
  const held = reserve(path, { to: 'grow', durable: false, operations }).runSync();
  const file = held.open('').runSync();
  expect([renamed, file.facts.inode]).toEqual([true, statSync(path, { bigint: true }).ino]);
  // And one that is replaced later is noticed at the end.
  writeFileSync(join(at, 'third.bin'), 'third');
  renameSync(join(at, 'third.bin'), path);
  expect(thrownBy(() => held.requireInPlace().runSync())).toMatchObject({
    code: 'ERR_FILE_CHANGED',
    operation: 'write',
    path,
  });
  file.close().runSync();
  held.release().runSync();
});

test('the number of a file that is gone, and was given to another, is not locked', () => {
  writeFileSync(path, 'old');
  const held = reserve(path, { to: 'replace', durable: false }).runSync();
  const other = join(at, 'other.bin');
  renameSync(path, other);
  // As if the system had given the number again: the holder's path no longer leads there.
  const second = reserve(other, { to: 'grow', durable: false }).runSync();
  held.release().runSync();
  expect(thrownBy(() => openFileSinkSync(other, { overwrite: true }))).toMatchObject({ code: 'ERR_LOCKED' });
  second.release().runSync();
  openFileSinkSync(other, { overwrite: true }).finishSync();
  expect(readdirSync(at)).toEqual(['other.bin']);
});

describe('where the folder of locks cannot be used', () => {
  const before = tmpdir();
  afterEach(() => void (process.env['TMPDIR'] = before));

  test.skipIf(process.platform === 'win32').each(['of others', 'a link', 'not to be made'])(
    '(%s) a file with one name is locked beside it, one with more is refused',
    (why) => {
      const own = join(at, 'temporary');
      mkdirSync(own);
      const locks = join(own, `colkit-locks-${String(process.getuid!())}`);
      if (why === 'of others') mkdirSync(locks);
      if (why === 'of others') chmodSync(locks, 0o777);
      else if (why === 'a link') symlinkSync(at, locks);
      process.env['TMPDIR'] = why === 'not to be made' ? join(own, 'none') : own;
      writeFileSync(path, 'old');
      const held = reserve(path, { to: 'grow', durable: false }).runSync();
      expect(thrownBy(() => reserve(path, { to: 'grow', durable: false }).runSync())).toMatchObject({
        code: 'ERR_LOCKED',
      });
      held.release().runSync();
      linkSync(path, join(at, 'hard.bin'));
      expect(thrownBy(() => reserve(path, { to: 'grow', durable: false }).runSync())).toMatchObject({
        code: 'ERR_WRITE',
        message: expect.stringContaining('2 names') as string,
      });
      expect(readdirSync(at).sort()).toEqual(['data.bin', 'hard.bin', 'temporary']);
    },
  );
});

test('the folder of locks is open to its user alone', () => {
  process.env['TMPDIR'] = at;
  try {
    writeFileSync(path, 'old');
    reserve(path, { to: 'grow', durable: false }).runSync().release().runSync();
    expect(mode(join(at, `colkit-locks-${String(process.getuid?.() ?? 'user')}`))).toBe(0o700);
  } finally {
    process.env['TMPDIR'] = '/tmp';
  }
});

test('a process that replaces a file in a moment is waited for', () => {
  writeFileSync(path, 'old');
  const target = runOn(findTarget(path), SYSTEM_FILES);
  const moment = runOn(lockFile(target, 'replace'), SYSTEM_FILES);
  let waits = 0;
  const operations = hooked((operation) => {
    if (operation.kind === 'wait' && (waits += 1) === 3) runOn(moment.release(), SYSTEM_FILES);
  });
  reserve(path, { to: 'grow', durable: false, operations }).runSync().release().runSync();
  expect(waits).toBe(3);
});

describe('a publication that fails', () => {
  const started = (operations: FileOperations, to: 'new' | 'replace'): Reservation => {
    const held = reserve(path, { to, durable: true, operations }).runSync();
    const file = held.create('.partial').runSync();
    file.append([Uint8Array.of(1, 2, 3)]).runSync();
    file.close().runSync();
    return held;
  };

  test.each(['with links', 'without'])(
    '(%s) keeps PATH.partial: a new file that cannot be made durable is taken back',
    (links) => {
      let published = false;
      const operations = hooked((operation) => {
        if (operation.kind === 'link' && operation.to === path) {
          published = true;
          if (links === 'without') throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        }
        if (published && operation.kind === 'sync') throw Object.assign(new Error('EIO'), { code: 'EIO' });
      });
      const held = started(operations, 'new');
      expect(thrownBy(() => held.publish().runSync())).toMatchObject({ code: 'ERR_WRITE' });
      held.release().runSync();
      expect(readdirSync(at)).toEqual(['data.bin.partial']);
    },
  );

  test('says so where the old file is gone', () => {
    writeFileSync(path, 'old');
    let published = false;
    const operations = hooked((operation) => {
      if (operation.kind === 'rename' && operation.to === path) published = true;
      if (published && operation.kind === 'sync') throw Object.assign(new Error('EIO'), { code: 'EIO' });
    });
    const held = started(operations, 'replace');
    expect(thrownBy(() => held.publish().runSync())).toMatchObject({
      code: 'ERR_WRITE',
      message: expect.stringContaining('in place') as string,
    });
    held.release().runSync();
  });

  test('somebody else was quicker', () => {
    const held = started(SYSTEM_FILES, 'new');
    writeFileSync(path, 'theirs');
    expect(thrownBy(() => held.publish().runSync())).toMatchObject({ code: 'ERR_EXISTS' });
    held.release().runSync();
    expect(readdirSync(at).sort()).toEqual(['data.bin', 'data.bin.partial']);
  });
});

test.each(['n'.repeat(255), '語'.repeat(85)])(
  'a name as long as the file system allows is locked and replaced: %s',
  (name) => {
    const long = join(at, name);
    writeFileSync(long, 'old');
    const held = reserve(long, { to: 'grow', durable: false }).runSync();
    expect(thrownBy(() => openFileSinkSync(long, { overwrite: true }))).toMatchObject({ code: 'ERR_LOCKED' });
    held.release().runSync();
    openFileSinkSync(long, { overwrite: true }).finishSync();
    expect([readdirSync(at), readFileSync(long).length]).toEqual([[name], 0]);
  },
);

/** The system's files, with a look before every operation. */
function hooked(look: (operation: FileOperation) => void): FileOperations {
  const runSync = (operation: FileOperation): FileResult => {
    look(operation);
    return operation.kind === 'wait' ? undefined : SYSTEM_FILES.runSync(operation);
  };
  return { runSync, run: async (operation) => Promise.resolve(runSync(operation)) };
}
