// The steps by which a file gets its name, one by one: what each asks of the file system, in which order, and what it
// leaves where the file system refuses.
import { onFiles } from '@colkit/io/durable';
import { expect, test } from 'vitest';
import { openFileSinkSync, temporaryPrefix } from '@colkit/io/durable';
import type { FileOperation } from '@colkit/io/durable';
import { runOn } from '../support/works-on-files.ts';
import type { Work } from '@colkit/io/effects';
import {
  closeQuietly,
  createBeside,
  discard,
  publish,
  removeAbandoned,
  setMode,
  syncFolder,
  writeAll,
} from '../../src/durable/publish.ts';
import { findTarget } from '../../src/durable/target.ts';
import { deadTag } from '../support/dead-process.ts';
import { FakeFiles } from '../support/fake-files.ts';
import type { Fault } from '../support/fake-files.ts';
import { thrownBy } from '../support/thrown.ts';

const TARGET = '/data/table.bin';
const FROM = '/data/table.bin.partial';
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK', 'EXDEV', 'EACCES'];
const NO_FOLDER_SYNC = ['EPERM', 'EACCES', 'EINVAL', 'EISDIR', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

interface Publishing {
  readonly overwrite?: boolean;
  readonly durable?: boolean;
  readonly keep?: boolean;
  readonly ownsFolder?: boolean;
  readonly old?: boolean;
  readonly fault?: Fault;
}

/** A closed file is published on a file system that fails as `fault` says. */
function published({
  overwrite = false,
  durable = true,
  keep = false,
  ownsFolder,
  old = false,
  fault = () => undefined,
}: Publishing) {
  const files = new FakeFiles();
  files.put(FROM, 'new');
  if (old) files.put(TARGET, 'old', 0o600);
  const run = <T>(steps: Work<T>): T => runOn(steps, files);
  const target = run(findTarget(TARGET));
  files.log.length = 0;
  files.fault = fault;
  let error: unknown = null;
  try {
    run(publish(FROM, target, { overwrite, durable, keep, ownsFolder }));
  } catch (caught) {
    error = caught;
  }
  const kinds = files.log.map(({ kind }) => kind);
  return {
    kinds,
    error: error as (Error & { code?: string }) | null,
    names: files.names,
    text: files.text(TARGET),
    openCount: files.openCount,
  };
}

const failing =
  (kind: FileOperation['kind'], code: string): Fault =>
  (operation) =>
    operation.kind === kind ? code : undefined;
const withoutLinks =
  (then: Fault = () => undefined): Fault =>
  (operation, number) =>
    operation.kind === 'link' ? 'EPERM' : then(operation, number);

test('the steps of a publication, in their order', () => {
  const folder = ['openFolder', 'sync', 'close'];
  expect(published({}).kinds).toEqual(['link', 'unlink', ...folder]);
  // What was acknowledged keeps a name at every moment.
  expect(published({ keep: true }).kinds).toEqual(['link', ...folder, 'unlink']);
  expect(published({ overwrite: true, old: true }).kinds).toEqual(['rename', ...folder]);
  expect(published({ fault: withoutLinks() }).kinds).toEqual(['link', 'create', 'close', 'rename', ...folder]);
});

test('without durability nothing is synced', () => {
  expect(published({ durable: false }).kinds).toEqual(['link', 'unlink']);
  expect(published({ durable: false, keep: true }).kinds).toEqual(['link', 'unlink']);
  expect(published({ durable: false, overwrite: true, old: true }).kinds).toEqual(['rename']);
  expect(published({ durable: false, fault: withoutLinks() }).kinds).toEqual(['link', 'create', 'close', 'rename']);
});

test.each(NO_LINKS)('where link() answers %s, an empty file takes the name first', (code) => {
  expect(published({ fault: failing('link', code) })).toMatchObject({
    error: null,
    names: [TARGET],
    text: 'new',
    openCount: 0,
  });
  // And nobody else's file is replaced by that.
  expect(published({ fault: failing('link', code), old: true })).toMatchObject({
    error: { name: 'IoError', code: 'ERR_EXISTS' },
    names: [TARGET, FROM],
    text: 'old',
  });
});

test('in a folder of its own a writer without links renames, and no empty file is met', () => {
  const own = { ownsFolder: true, fault: withoutLinks() };
  const folder = ['openFolder', 'sync', 'close'];
  expect(published(own)).toMatchObject({
    error: null,
    kinds: ['link', 'inspect', 'rename', ...folder],
    names: [TARGET],
    text: 'new',
  });
  expect(published({ ...own, old: true })).toMatchObject({
    error: { name: 'IoError', code: 'ERR_EXISTS' },
    kinds: ['link', 'inspect'],
    names: [TARGET, FROM],
    text: 'old',
  });
  for (const keep of [true, false]) {
    const fault = withoutLinks(failing('sync', 'EIO'));
    expect(published({ ...own, keep, fault })).toMatchObject({ error: { code: 'EIO' }, names: keep ? [FROM] : [] });
  }
  // Where there are links, they are taken.
  expect(published({ ownsFolder: true }).kinds).toEqual(['link', 'unlink', ...folder]);
});

test.each(['EIO', 'ENOSPC', 'EROFS', 'ENOENT', ''])('another answer of link() (%s) is a failure', (code) => {
  expect(published({ fault: failing('link', code) })).toMatchObject({
    error: { code },
    names: [FROM],
    kinds: ['link'],
  });
});

test('a name that is taken is refused, with links and without', () => {
  expect(published({ old: true })).toMatchObject({
    error: { name: 'IoError', code: 'ERR_EXISTS' },
    kinds: ['link'],
    text: 'old',
  });
  const { error } = published({ fault: withoutLinks(failing('create', 'EROFS')) });
  expect(error).toMatchObject({ code: 'EROFS' });
});

test.each(['close', 'rename'] as const)('without links, a failing %s gives the name back', (kind) => {
  let isFirst = true;
  const once: Fault = (operation) => (operation.kind === kind && isFirst ? ((isFirst = false), 'EIO') : undefined);
  expect(published({ fault: withoutLinks(once) })).toMatchObject({
    error: { code: 'EIO' },
    names: [FROM],
    openCount: 0,
  });
});

test.each([true, false])(
  'a folder that cannot be synced takes the name back; what was acknowledged keeps its own (%s)',
  (keep) => {
    const isLost = failing('sync', 'EIO');
    expect(published({ keep, fault: isLost })).toMatchObject({
      error: { code: 'EIO' },
      names: keep ? [FROM] : [],
      openCount: 0,
    });
    expect(published({ keep, fault: withoutLinks(isLost) })).toMatchObject({
      error: { code: 'EIO' },
      names: keep ? [FROM] : [],
      openCount: 0,
    });
    // The old file is gone: its name is of the new one.
    const replaced = published({ keep, overwrite: true, old: true, fault: isLost });
    expect(replaced).toMatchObject({
      names: [TARGET],
      text: 'new',
      error: { message: expect.stringContaining('in place') as string, cause: { code: 'EIO' } },
    });
  },
);

test.each(NO_FOLDER_SYNC)('a system that does not sync folders (%s) is taken as it is', (code) => {
  for (const kind of ['openFolder', 'sync'] as const) {
    for (const overwrite of [true, false]) {
      expect(published({ overwrite, fault: failing(kind, code) })).toMatchObject({
        error: null,
        names: [TARGET],
        text: 'new',
        openCount: 0,
      });
    }
  }
});

test.each(['EIO', 'ENOSPC', 'EDQUOT', 'ESTALE', ''])(
  'a folder that the system would sync, and cannot (%s), is a failure',
  (code) => {
    for (const kind of ['openFolder', 'sync'] as const) {
      const files = new FakeFiles();
      files.fault = failing(kind, code);
      expect(thrownBy(() => runOn(syncFolder('/data'), files))).toMatchObject({ code });
      expect([files.openCount, files.log.map((operation) => operation.kind)]).toEqual([
        0,
        kind === 'sync' ? ['openFolder', 'sync', 'close'] : ['openFolder'],
      ]);
    }
  },
);

test('a folder is closed once it is synced, whatever closing says', () => {
  const files = new FakeFiles();
  files.fault = failing('close', 'EIO');
  runOn(syncFolder('/data'), files);
  expect([files.openCount, files.log]).toEqual([
    0,
    [
      { kind: 'openFolder', path: '/data' },
      { kind: 'sync', fd: 100 },
      { kind: 'close', fd: 100 },
    ],
  ]);
});

test('a new file has what the mask of its user leaves, one that replaces another has the permissions of that', () => {
  const files = new FakeFiles();
  const target = { given: TARGET, path: TARGET, folder: '/data', name: 'table.bin', facts: null };
  const fd = runOn(createBeside(FROM, target), files);
  expect(files.log).toEqual([{ kind: 'create', path: FROM, mode: 0o666 }]);
  const facts = files.runSync({ kind: 'stat', fd });
  files.log.length = 0;
  const over = { ...target, facts: { ...(facts as object), mode: 0o640 } as never };
  const other = runOn(createBeside(`${FROM}2`, over), files);
  expect(files.log).toEqual([
    { kind: 'create', path: `${FROM}2`, mode: 0o640 },
    { kind: 'setMode', fd: other, mode: 0o640 },
  ]);
  files.fault = failing('setMode', 'ENOTSUP');
  runOn(setMode(other, 0o600), files);
});

test('a piece of a write has at most 64 MiB, and a short one is gone on with', () => {
  const MIB = 2 ** 20;
  const bytes = new Uint8Array(130 * MIB);
  const asked: [number, number, number][] = [];
  const taking = (most: number) => ({
    run: () => Promise.reject(new Error('not here')),
    runSync: (operation: FileOperation) => {
      if (operation.kind !== 'write') throw new Error(operation.kind);
      asked.push([operation.fd, operation.byteOffset, operation.bytes.length]);
      return Math.min(most, operation.bytes.length);
    },
  });
  runOn(writeAll(7, bytes, 1000), taking(Infinity));
  expect(asked).toEqual([
    [7, 1000, 64 * MIB],
    [7, 1000 + 64 * MIB, 64 * MIB],
    [7, 1000 + 128 * MIB, 2 * MIB],
  ]);
  asked.length = 0;
  runOn(writeAll(7, bytes.subarray(0, 10), 5), taking(4));
  expect(asked).toEqual([
    [7, 5, 10],
    [7, 9, 6],
    [7, 13, 2],
  ]);
  asked.length = 0;
  runOn(writeAll(7, new Uint8Array(0), 5), taking(4));
  expect(asked).toEqual([]);
  for (const most of [0, -1, NaN])
    expect(thrownBy(() => runOn(writeAll(7, bytes, 0), taking(most)))).toBeInstanceOf(Error);
});

test('an unfinished file is closed where it is open, and taken away whatever closing says', () => {
  const files = new FakeFiles();
  files.put(FROM, 'part');
  runOn(discard(null, FROM), files);
  expect([files.names, files.log.map(({ kind }) => kind)]).toEqual([[], ['unlink']]);
  const fd = runOn(
    createBeside(FROM, { given: TARGET, path: TARGET, folder: '/data', name: 'table.bin', facts: null }),
    files,
  );
  files.fault = failing('close', 'EIO');
  runOn(discard(fd, FROM), files);
  expect([files.names, files.openCount]).toEqual([[], 0]);
  // A name that is gone is no failure, nor is a descriptor.
  runOn(discard(fd, FROM), files);
  runOn(closeQuietly(fd), files);
});

test('what dead writers of a path left is taken away, whatever stands first, and nothing else', () => {
  const dead = (name: string): string => `${temporaryPrefix(name)}${deadTag()}.tmp`;
  const [first, second, lock, other] = [
    dead('table.bin'),
    dead('table.bin'),
    dead('table.bin.lock'),
    dead('other.bin'),
  ];
  const left = (fault: Fault = () => undefined): string[] => {
    const files = new FakeFiles();
    for (const name of ['a', 'table.bin.partial', first, lock, other, second, 'z']) files.put(`/data/${name}`, '');
    files.fault = fault;
    runOn(removeAbandoned('/data', ['table.bin', 'table.bin.lock']), files);
    return files.names.map((path) => path.slice('/data/'.length)).sort();
  };
  const kept = ['a', 'table.bin.partial', other, 'z'].sort();
  expect(left()).toEqual(kept);
  expect(left(failing('list', 'EACCES'))).toEqual([...kept, first, second, lock].sort());
  expect(
    left((operation) => (operation.kind === 'unlink' && operation.path.endsWith(first) ? 'EPERM' : undefined)),
  ).toEqual([...kept, first].sort());
  // A writer does so before it begins.
  const files = new FakeFiles();
  for (const name of [first, lock, other]) files.put(`/data/${name}`, '');
  openFileSinkSync(TARGET, onFiles(files, {})).finishSync();
  expect(files.names).toEqual([`/data/${other}`, TARGET].sort());
});
