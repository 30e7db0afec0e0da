// The lock of a file, beside it and by its inode, on a file system in memory that others change meanwhile: whom it
// waits for, whom it refuses, what it does where locks of inodes cannot be had, and that a refusal leaves none behind.
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryPrefix } from '@colkit/io/durable';
import type { FileFacts, FileOperation, FileOperations, FileResult } from '@colkit/io/durable';
import { lockFile, pathLock, refuseLocked } from '../../src/durable/file-lock.ts';
import { newOwner } from '../../src/durable/lock-file.ts';
import type { Owner } from '../../src/durable/lock-file.ts';
import { runOn } from '../support/works-on-files.ts';
import type { Work } from '@colkit/io/effects';
import { processScope } from '../../src/durable/processes.ts';
import { findTarget } from '../../src/durable/target.ts';
import type { Target } from '../../src/durable/target.ts';
import { deadLock } from '../support/dead-process.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { thrownBy } from '../support/thrown.ts';

const PATH = '/data/table.bin';
const LOCK = `${PATH}.lock`;
const FOLDER = join(tmpdir(), `colkit-locks-${String(process.getuid?.() ?? 'user')}`);
const owner = (change: Partial<Owner> = {}): string => JSON.stringify({ ...newOwner('write'), ...change });

interface World extends FileOperations {
  readonly files: FakeFiles;
  readonly waits: number;
}

/** What is seen of a file or folder is another than in the memory: more names, another user, no inode. */
type View = (path: string, facts: FileFacts | null) => FileFacts | null;

function world(
  view: View = (_, facts) => facts,
  look: (operation: FileOperation, files: FakeFiles) => void = () => undefined,
): World {
  const files = new FakeFiles();
  files.put(PATH, 'old');
  const runSync = (operation: FileOperation): FileResult => {
    look(operation, files);
    const result = files.runSync(operation);
    return operation.kind === 'inspect' ? view(operation.path, result as FileFacts | null) : result;
  };
  const waits = (): number => files.log.filter(({ kind }) => kind === 'wait').length;
  return {
    files,
    runSync,
    run: async (operation) => Promise.resolve(runSync(operation)),
    get waits() {
      return waits();
    },
  };
}

const run = <T>(steps: Work<T>, operations: FileOperations): T => runOn(steps, operations);
const targetIn = (operations: FileOperations): Target => run(findTarget(PATH), operations);
const lock = (operations: World, force = false) => run(lockFile(targetIn(operations), 'write', { force }), operations);
const inodeLock = (inode: bigint): string => join(FOLDER, `${processScope()}-1-${inode.toString(16)}.lock`);
/** Of the file that stands at the path from the beginning. */
const INODE = inodeLock(1n);

test('a file is locked beside it and by its inode; both are given back, once', () => {
  const on = world();
  const held = lock(on);
  expect(on.files.names).toEqual([PATH, LOCK, INODE].sort());
  expect(held.facts).toMatchObject({ type: 'file', inode: 1n, byteLength: 3 });
  const [beside, byInode] = [LOCK, INODE].map((path) => JSON.parse(on.files.text(path)!) as Owner);
  expect(byInode).toEqual({ ...beside, path: PATH });
  on.files.log.length = 0;
  run(held.release(), on);
  expect(on.files.names).toEqual([PATH]);
  // The one that others look at first goes last.
  expect(on.files.log.flatMap((operation) => (operation.kind === 'unlink' ? [operation.path] : []))).toEqual([
    INODE,
    LOCK,
  ]);
  const done = on.files.log.length;
  run(held.release(), on);
  expect(on.files.log.length).toBe(done);
});

test('what is no file, or has no inode, is locked beside it alone', () => {
  for (const view of [
    () => null,
    (_, facts) => facts && { ...facts, type: 'other' },
    (_, facts) => facts && { ...facts, inode: 0n },
  ] satisfies View[]) {
    const on = world((path, facts) => (path === PATH ? view(path, facts) : facts));
    const held = lock(on);
    expect(on.files.names).toEqual([PATH, LOCK]);
    expect(held.facts?.inode ?? 0n).toBe(held.facts?.type === 'other' ? 1n : 0n);
    run(held.release(), on);
    expect(on.files.names).toEqual([PATH]);
  }
});

test('a replacement of a moment is waited for, for four seconds; a writer is not', () => {
  const on = world();
  on.files.put(LOCK, owner({ purpose: 'replace' }));
  const refused = { name: 'IoError', code: 'ERR_LOCKED', operation: 'lock', path: PATH };
  expect(thrownBy(() => lock(on))).toMatchObject(refused);
  expect([on.waits, on.files.log.find(({ kind }) => kind === 'wait')]).toEqual([
    400,
    { kind: 'wait', milliseconds: 10 },
  ]);
  const other = world();
  other.files.put(LOCK, owner());
  expect(thrownBy(() => lock(other))).toMatchObject({ code: 'ERR_LOCKED' });
  expect(other.waits).toBe(0);
  // One that goes from hand to hand is a moment too.
  const busy = world();
  busy.files.fault = ({ kind }) => (kind === 'link' && busy.waits < 2 ? 'EEXIST' : undefined);
  expect([run(lock(busy).release(), busy), busy.waits]).toEqual([undefined, 2]);
});

test('who has it is named: this process, another one, one of another container or machine', () => {
  const message = (change: Partial<Owner>): string => {
    const on = world();
    on.files.put(LOCK, owner(change));
    return (thrownBy(() => lock(on)) as Error).message;
  };
  expect(message({})).toContain('this process is writing it');
  expect(message({ pid: 1 })).toContain('process 1 is writing it');
  // In a container that was started again the writer has the number that the dead one had.
  expect(message({ tag: newOwner('write').tag.replace(/^[0-9a-f]{16}/u, '0123456789abcdef') })).toContain(
    `process ${String(process.pid)} of another container, or from before a reboot, is writing it`,
  );
  expect(message({ host: `not-${hostname()}` })).toContain(
    `process ${String(process.pid)} on not-${hostname()} is writing it`,
  );
  const on = world();
  on.files.fault = ({ kind }) => (kind === 'link' ? 'EEXIST' : undefined);
  expect((thrownBy(() => lock(on)) as Error).message).toContain('another process is writing it');
});

test('whoever comes through another name of the file is refused, and no lock of theirs is left', () => {
  const on = world();
  const other = '/data/other.bin';
  on.files.runSync({ kind: 'link', from: PATH, to: other });
  on.files.put(INODE, owner({ path: other }));
  on.runSync({ kind: 'makeFolder', path: FOLDER, mode: 0o700 });
  const before = on.files.names;
  expect(thrownBy(() => run(refuseLocked(targetIn(on)), on))).toMatchObject({ code: 'ERR_LOCKED' });
  expect(thrownBy(() => lock(on))).toMatchObject({ code: 'ERR_LOCKED', path: PATH });
  expect(on.files.names).toEqual(before);
  run(lock(on, true).release(), on);
  // A holder whose own path leads to another file by now has the lock of a number that was given again.
  on.files.put(INODE, owner({ path: '/data/gone.bin' }));
  run(refuseLocked(targetIn(on)), on);
  const held = lock(on);
  expect(JSON.parse(on.files.text(INODE)!)).toMatchObject({ path: PATH });
  run(held.release(), on);
  // One that does not tell its path may be of this file.
  on.files.put(INODE, owner());
  expect(thrownBy(() => lock(on))).toMatchObject({ code: 'ERR_LOCKED' });
  expect(thrownBy(() => run(refuseLocked(targetIn(on)), on))).toMatchObject({ code: 'ERR_LOCKED' });
});

test('a dead holder is followed at once', () => {
  const on = world();
  on.runSync({ kind: 'makeFolder', path: FOLDER, mode: 0o700 });
  for (const path of [LOCK, INODE]) on.files.put(path, deadLock());
  run(refuseLocked(targetIn(on)), on);
  run(lock(on).release(), on);
  expect([on.files.names, on.waits]).toEqual([[PATH], 0]);
});

test('writing is refused before anything is done for it; a replacement of a moment is not', () => {
  for (const [purpose, code] of [
    ['write', 'ERR_LOCKED'],
    ['replace', undefined],
  ] as const) {
    for (const path of [LOCK, INODE]) {
      const on = world();
      on.runSync({ kind: 'makeFolder', path: FOLDER, mode: 0o700 });
      on.files.put(path, owner({ purpose, ...(path === INODE ? { path: PATH } : {}) }));
      const names = on.files.names;
      const attempt = (): unknown => run(refuseLocked(targetIn(on)), on);
      if (code === undefined) attempt();
      else expect(thrownBy(attempt), path).toMatchObject({ code });
      expect(on.files.names).toEqual(names);
    }
  }
  // Locks of inodes that cannot be looked at: taking one will tell.
  const on = world((path, facts) => {
    if (path === FOLDER) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return facts;
  });
  run(refuseLocked(targetIn(on)), on);
  // And those in a folder of others mean nothing.
  const foreign = world((path, facts) => (path === FOLDER && facts !== null ? { ...facts, mode: 0o777 } : facts));
  foreign.runSync({ kind: 'makeFolder', path: FOLDER, mode: 0o777 });
  foreign.files.put(INODE, owner({ path: PATH }));
  run(refuseLocked(targetIn(foreign)), foreign);
});

const FOLDERS: Readonly<Record<string, View>> = {
  'is of another user': (_, facts) => facts && { ...facts, owner: facts.owner + 1 },
  'can be written by others': (_, facts) => facts && { ...facts, mode: 0o702 },
  'can be read by its group': (_, facts) => facts && { ...facts, mode: 0o740 },
  'is a link': (_, facts) => facts && { ...facts, type: 'link' },
  'cannot be made': () => null,
};

test.each(Object.entries(FOLDERS))(
  'where the folder of locks %s, a file with one name does without, one with two is refused',
  (_, view) => {
    for (const links of [1, 2]) {
      const on = world((path, facts) => (path === FOLDER ? view(path, facts) : facts && { ...facts, links }));
      const names = on.files.names;
      if (links === 1) {
        const held = lock(on);
        expect(on.files.names).toEqual([PATH, LOCK]);
        run(held.release(), on);
      } else {
        const refused = { name: 'IoError', code: 'ERR_WRITE', operation: 'lock', path: PATH };
        expect(thrownBy(() => lock(on))).toMatchObject(refused);
      }
      expect(on.files.names).toEqual(names);
    }
  },
);

test('the folder of locks is made for its user alone; where another process was quicker, it is that one', () => {
  const on = world();
  run(lock(on).release(), on);
  expect(on.files.log.filter(({ kind }) => kind === 'makeFolder')).toEqual([
    { kind: 'makeFolder', path: FOLDER, mode: 0o700 },
  ]);
  on.files.log.length = 0;
  run(lock(on).release(), on);
  expect(on.files.log.filter(({ kind }) => kind === 'makeFolder')).toEqual([]);
  for (const [code, expected] of [
    ['EEXIST', [PATH, LOCK, INODE]],
    ['EROFS', [PATH, LOCK]],
  ] as const) {
    const raced = world();
    raced.files.fault = (operation) => {
      if (operation.kind !== 'makeFolder') return undefined;
      raced.files.fault = () => undefined;
      if (code === 'EEXIST') raced.runSync(operation);
      return code;
    };
    const held = lock(raced);
    expect(raced.files.names, code).toEqual([...expected].sort());
    run(held.release(), raced);
  }
});

test('a path that leads to another file is locked by that one; one that does so again and again is refused', () => {
  let next = 0;
  const replacing = (times: number) =>
    world(undefined, (operation, files) => {
      // Whoever replaces it is no program of ours: it does so whatever is locked.
      if (operation.kind !== 'link' || !operation.to.includes('colkit-locks-') || next++ >= times) return;
      files.put('/data/new.bin', `new ${String(next)}`);
      files.runSync({ kind: 'rename', from: '/data/new.bin', to: PATH });
    });
  const on = replacing(1);
  const held = lock(on);
  const { inode } = held.facts!;
  expect(on.files.names).toEqual([PATH, LOCK, inodeLock(inode)].sort());
  expect([inode === 1n, on.files.text(PATH)]).toEqual([false, 'new 1']);
  run(held.release(), on);
  expect(on.files.names).toEqual([PATH]);
  next = 0;
  const always = replacing(Infinity);
  const changed = { name: 'IoError', code: 'ERR_FILE_CHANGED', operation: 'lock', path: PATH };
  expect(thrownBy(() => lock(always))).toMatchObject(changed);
  expect([always.files.names, next]).toEqual([[PATH], 5]);
});

test('without locks of inodes, the lock beside stays while the path comes to lead to another file', () => {
  let looks = 0;
  const on = world(
    (path, facts) => (path === FOLDER && facts !== null ? { ...facts, mode: 0o777 } : facts),
    (operation, files) => {
      if (operation.kind !== 'inspect' || operation.path !== FOLDER || looks++ > 0) return;
      files.put('/data/new.bin', 'new');
      files.runSync({ kind: 'rename', from: '/data/new.bin', to: PATH });
    },
  );
  on.runSync({ kind: 'makeFolder', path: FOLDER, mode: 0o777 });
  const held = lock(on);
  expect([on.files.names, held.facts?.inode === 1n]).toEqual([[PATH, LOCK], false]);
  run(held.release(), on);
  expect(on.files.names).toEqual([PATH]);
});

test('a lock that cannot be made beside the file is an error', () => {
  const on = world();
  on.files.fault = ({ kind }) => (kind === 'create' ? 'EROFS' : undefined);
  expect(thrownBy(() => lock(on))).toMatchObject({ code: 'EROFS' });
  // And where the file cannot be looked at any more, the lock is given back.
  let count = 0;
  const lost = world((path, facts) => {
    if (path === PATH && ++count === 2) throw Object.assign(new Error('EIO'), { code: 'EIO' });
    return facts;
  });
  expect(thrownBy(() => lock(lost))).toMatchObject({ code: 'EIO' });
  expect(lost.files.names).toEqual([PATH]);
});

test('the lock of a name that is nearly as long as names can be is shortened', () => {
  const lockOf = (name: string): string =>
    pathLock({ given: name, path: `/data/${name}`, folder: '/data', name, facts: null });
  expect(lockOf('table.bin')).toBe(LOCK);
  expect(lockOf('n'.repeat(200))).toBe(`/data/${'n'.repeat(200)}.lock`);
  expect(lockOf('n'.repeat(201))).toBe(`/data/${temporaryPrefix('n'.repeat(201))}lock`);
  // Bytes count, not letters.
  expect(lockOf('語'.repeat(67))).toBe(`/data/${temporaryPrefix('語'.repeat(67))}lock`);
});
