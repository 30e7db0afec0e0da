// A lock that is a file, on a file system in memory: what it says, who gets it from whom, and what is left of an
// attempt that fails. (That no two of many have it: reservation.test.ts.)
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { temporaryPrefix, writerTag } from '@colkit/io/durable';
import type { FileOperation } from '@colkit/io/durable';
import { crc32 } from '../../src/values/crc32.ts';
import { holderOf, newOwner, releaseLockFile, takeLockFile } from '../../src/durable/lock-file.ts';
import type { Owner } from '../../src/durable/lock-file.ts';
import { runOn } from '../support/works-on-files.ts';
import { ENDED, deadLock } from '../support/dead-process.ts';
import { FakeFiles } from '../support/fake-files.ts';
import type { Fault } from '../support/fake-files.ts';
import { thrownBy } from '../support/thrown.ts';

const LOCK = '/data/table.bin.lock';
const PREFIX = `/data/${temporaryPrefix('table.bin.lock')}`;
const own = newOwner('write');
const PLAIN: Owner = {
  host: 'elsewhere',
  pid: 7,
  tag: writerTag().replace(/^[0-9a-f]{16}/u, '0123456789abcdef'),
  purpose: 'write',
};
const OTHERS: Owner = { ...PLAIN, path: '/data/x' };

function filesWith(content: Readonly<Record<string, string>> = {}): FakeFiles {
  const files = new FakeFiles();
  for (const [path, text] of Object.entries(content)) files.put(path, text);
  return files;
}

const take = (files: FakeFiles, { force = false, owner = own } = {}): ReturnType<typeof holder> =>
  runOn(takeLockFile(LOCK, owner, force), files);
const holder = (files: FakeFiles): Owner | 'somebody' | null => runOn(holderOf(LOCK), files);
const kindsOf = (files: FakeFiles): string[] => files.log.map(({ kind }) => kind);
const guardOf = (text: string): string =>
  `${PREFIX}${crc32(new TextEncoder().encode(text)).toString(16).padStart(8, '0')}.guard`;
const failing =
  (kind: FileOperation['kind'], code: string): Fault =>
  (operation) =>
    operation.kind === kind ? code : undefined;
/** Somebody else does something, once, before the first operation that is meant. */
const meanwhile = (files: FakeFiles, isIt: (operation: FileOperation) => boolean, change: () => void): void => {
  let isDone = false;
  files.fault = (operation) => {
    if (!isDone && isIt(operation)) {
      isDone = true;
      change();
    }
    return undefined;
  };
};

test('a free lock is had with its whole content, for everybody to read, and nothing else is left', () => {
  const files = filesWith();
  expect(take(files)).toBeNull();
  expect([files.names, files.mode(LOCK), files.openCount]).toEqual([[LOCK], 0o644, 0]);
  expect(JSON.parse(files.text(LOCK)!)).toEqual({ host: hostname(), pid: process.pid, tag: own.tag, purpose: 'write' });
  expect(kindsOf(files)).toEqual(['create', 'write', 'close', 'link', 'unlink']);
  expect(holder(files)).toEqual(own);
  expect(newOwner('replace')).toMatchObject({ purpose: 'replace', pid: process.pid });
  expect(newOwner('replace').tag).not.toBe(newOwner('replace').tag);
});

test('who has it is told, with all that the lock says, unless force takes it', () => {
  const files = filesWith({ [LOCK]: JSON.stringify(OTHERS) });
  expect([take(files), files.text(LOCK)]).toEqual([OTHERS, JSON.stringify(OTHERS)]);
  expect([take(files, { force: true }), JSON.parse(files.text(LOCK)!), files.names]).toEqual([null, own, [LOCK]]);
  expect(take(files, { owner: newOwner('write') })).toEqual(own);
});

test.each(['EPERM', 'ENOTSUP', 'EIO'])('where link() answers %s the lock is made in place', (code) => {
  const files = filesWith();
  files.fault = failing('link', code);
  expect([take(files), files.names, JSON.parse(files.text(LOCK)!)]).toEqual([null, [LOCK], own]);
  expect(take(files, { owner: newOwner('write') })).toEqual(own);
  expect([files.names, files.openCount]).toEqual([[LOCK], 0]);
});

test('a lock that cannot be made is an error, and nothing of it is left', () => {
  for (const kind of ['create', 'write', 'close'] as const) {
    for (const inPlace of [false, true]) {
      const files = filesWith();
      const isAt = (operation: FileOperation): boolean =>
        operation.kind === kind && (!inPlace || files.log.some((before) => before.kind === 'link'));
      files.fault = (operation) => (operation.kind === 'link' ? 'EPERM' : isAt(operation) ? 'ENOSPC' : undefined);
      expect(
        thrownBy(() => take(files)),
        kind,
      ).toMatchObject({ code: 'ENOSPC' });
      expect([files.names, files.openCount], kind).toEqual([[], 0]);
      // A descriptor that was closed may be another's by now.
      const closed = files.log.filter((operation) => operation.kind === 'close').map(({ fd }) => fd);
      expect(new Set(closed).size, kind).toBe(closed.length);
    }
  }
});

test('that of a dead process is taken over under a guard, and what other takers left goes', () => {
  const [tmp, foreign, plain] = [
    `${PREFIX}${writerTag()}.tmp`,
    '/data/.other.bin.00000000.11111111.guard',
    '/data/z.guard',
  ];
  const files = filesWith({ [LOCK]: deadLock(), [guardOf('gone')]: deadLock(), [tmp]: '', [foreign]: '', [plain]: '' });
  expect([take(files), JSON.parse(files.text(LOCK)!)]).toEqual([null, own]);
  expect(files.names).toEqual([LOCK, tmp, foreign, plain].sort());
  expect([files.openCount, kindsOf(files).filter((kind) => kind === 'rename')]).toEqual([0, ['rename']]);
  // Only tidying up: where it cannot be listed, the lock is had all the same.
  const unlisted = filesWith({ [LOCK]: deadLock() });
  unlisted.fault = failing('list', 'EACCES');
  expect([take(unlisted), unlisted.names]).toEqual([null, [LOCK]]);
});

test('takers that died one after the other are followed, down to a depth', () => {
  const died = Array.from({ length: 4 }, deadLock);
  const paths = [LOCK, guardOf(died[0]!), guardOf(died[1]!), guardOf(died[2]!)];
  const files = (count: number): FakeFiles =>
    filesWith(Object.fromEntries(died.slice(0, count).map((text, k) => [paths[k]!, text])));
  for (const count of [1, 2, 3]) {
    const left = files(count);
    expect([take(left), left.names], String(count)).toEqual([null, [LOCK]]);
  }
  const left = files(4);
  expect([take(left), left.names]).toEqual(['somebody', paths.sort()]);
});

test('a living taker has the guard, and with it the lock', () => {
  const died = deadLock();
  const files = filesWith({ [LOCK]: died, [guardOf(died)]: JSON.stringify(OTHERS) });
  expect([take(files), files.text(LOCK)]).toEqual([OTHERS, died]);
  // Not even by force: two could have it.
  expect([take(files, { force: true }), files.text(LOCK)]).toEqual([OTHERS, died]);
});

test.each([
  ['a living', JSON.stringify(OTHERS)],
  ['a dead', deadLock()],
  ['no', null],
])('a lock that is of %s process once the guard is had is looked at again', (_, text) => {
  const died = deadLock();
  const files = filesWith({ [LOCK]: died });
  meanwhile(
    files,
    ({ kind }) =>
      kind === 'link' &&
      files.names.includes(LOCK) &&
      files.log.filter((before) => before.kind === 'link').length === 1,
    () => {
      files.runSync({ kind: 'unlink', path: LOCK });
      if (text !== null) files.put(LOCK, text);
    },
  );
  const isOthers = text === JSON.stringify(OTHERS);
  expect([take(files), JSON.parse(files.text(LOCK)!)]).toEqual(isOthers ? [OTHERS, OTHERS] : [null, own]);
  expect(files.names).toEqual([LOCK]);
});

test('one that is about to be written once the guard is had is waited for', () => {
  const died = deadLock();
  for (const begun of ['', died.slice(0, -1)]) {
    const files = filesWith({ [LOCK]: died });
    meanwhile(
      files,
      ({ kind, ...operation }) => kind === 'link' && 'to' in operation && operation.to === guardOf(died),
      () => files.put(LOCK, begun),
    );
    const { fault } = files;
    files.fault = (operation) => {
      if (operation.kind === 'wait') files.put(LOCK, JSON.stringify(OTHERS));
      return fault(operation, 0);
    };
    expect([take(files), JSON.parse(files.text(LOCK)!), files.names]).toEqual([OTHERS, OTHERS, [LOCK]]);
  }
});

test('without links, a lock that cannot be made in place is an error at once', () => {
  const files = filesWith();
  files.fault = (operation) => {
    if (operation.kind === 'link') return 'EPERM';
    return operation.kind === 'create' && operation.path === LOCK ? 'EACCES' : undefined;
  };
  expect(thrownBy(() => take(files))).toMatchObject({ code: 'EACCES' });
  expect([files.names, kindsOf(files).filter((kind) => kind === 'link')]).toEqual([[], ['link']]);
  // One who was quicker is met.
  const late = filesWith();
  late.fault = (operation) => {
    if (operation.kind === 'create' && operation.path === LOCK) late.put(LOCK, JSON.stringify(OTHERS));
    return operation.kind === 'link' ? 'EPERM' : undefined;
  };
  expect([take(late), late.names]).toEqual([OTHERS, [LOCK]]);
});

test('a takeover that fails leaves the dead lock, and neither guard nor temporary file', () => {
  const files = filesWith({ [LOCK]: deadLock() });
  files.fault = failing('rename', 'EIO');
  expect(thrownBy(() => take(files))).toMatchObject({ code: 'EIO' });
  expect([files.names, files.openCount]).toEqual([[LOCK], 0]);
});

test('one that is given back meanwhile is had', () => {
  const files = filesWith({ [LOCK]: JSON.stringify(OTHERS) });
  meanwhile(
    files,
    ({ kind }) => kind === 'read',
    () => files.runSync({ kind: 'unlink', path: LOCK }),
  );
  expect([take(files), JSON.parse(files.text(LOCK)!)]).toEqual([null, own]);
});

test('one that goes from hand to hand all the time is given up, after five attempts', () => {
  const files = filesWith();
  files.fault = failing('link', 'EEXIST');
  expect([take(files), files.names]).toEqual(['somebody', []]);
  expect(kindsOf(files).filter((kind) => kind === 'link')).toHaveLength(5);
});

test('a lock without content is waited for: it may be about to be written', () => {
  const files = filesWith({ [LOCK]: '' });
  expect([take(files), JSON.parse(files.text(LOCK)!)]).toEqual([null, own]);
  const waits = files.log.filter((operation) => operation.kind === 'wait');
  expect(waits).toEqual(Array.from({ length: 9 }, () => ({ kind: 'wait', milliseconds: 20 })));
  const written = filesWith({ [LOCK]: '' });
  meanwhile(
    written,
    ({ kind }) => kind === 'wait',
    () => {
      written.put(LOCK, JSON.stringify(OTHERS));
    },
  );
  expect([take(written), kindsOf(written).filter((kind) => kind === 'wait').length]).toEqual([OTHERS, 1]);
});

const NOT_OURS = [
  '',
  '{',
  'null',
  '7',
  '[]',
  '{}',
  '{"host":1}',
  JSON.stringify({ ...OTHERS, host: 5 }),
  JSON.stringify({ ...OTHERS, pid: '7' }),
  JSON.stringify({ ...OTHERS, pid: 1.5 }),
  JSON.stringify({ ...OTHERS, tag: undefined }),
];

// The names of tests are the same in every run, for whoever tells tests by their names.
test.each(NOT_OURS.map((text, index) => ({ text, index })))(
  'what is no lock of ours holds nobody up: $index',
  ({ text }) => {
    const files = filesWith({ [LOCK]: text });
    expect([holder(files), take(files)]).toEqual([null, null]);
  },
);

test('what else a lock says is read as far as it is known', () => {
  expect(holder(filesWith({ [LOCK]: JSON.stringify({ ...PLAIN, purpose: 'replace', path: 7, more: 1 }) }))).toEqual({
    ...PLAIN,
    purpose: 'replace',
  });
  expect(holder(filesWith({ [LOCK]: JSON.stringify({ ...OTHERS, purpose: 'other' }) }))).toEqual(OTHERS);
  expect(holder(filesWith())).toBeNull();
  expect([holder(filesWith({ [LOCK]: deadLock() })), JSON.parse(deadLock())]).toMatchObject([null, { pid: ENDED }]);
});

test('only what is ours is given back', () => {
  const release = (files: FakeFiles): string[] => {
    runOn(releaseLockFile(LOCK, own), files);
    return files.names;
  };
  expect(release(filesWith({ [LOCK]: JSON.stringify(own) }))).toEqual([]);
  for (const text of [JSON.stringify(newOwner('write')), JSON.stringify(OTHERS), ''])
    expect(release(filesWith({ [LOCK]: text }))).toEqual([LOCK]);
  const gone = filesWith();
  release(gone);
  expect(kindsOf(gone)).toEqual(['read']);
  // One that cannot be read is most likely still ours.
  const unread = filesWith({ [LOCK]: JSON.stringify(own) });
  unread.fault = failing('read', 'EIO');
  expect(release(unread)).toEqual([]);
});
