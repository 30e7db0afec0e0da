// Reserved paths on a file system in memory that fails once, at any operation, and that others change meanwhile: errors
// of the family, no descriptor and no lock left, and what was written is where `recover` looks for it.
import { expect, test } from 'vitest';
import type { FileOperation, FileOperations } from '@colkit/io/durable';
import { deadLock } from '../support/dead-process.ts';
import { FakeFiles } from '../support/fake-files.ts';
import type { Fault } from '../support/fake-files.ts';
import { PARTIAL, PATH, filesWith, kindsOf, seen, take } from '../support/reserved-files.ts';
import { thrownBy } from '../support/thrown.ts';

const BYTES = new TextEncoder().encode('the new rows');

const failing =
  (kind: FileOperation['kind'], code: string): Fault =>
  (operation) =>
    operation.kind === kind ? code : undefined;

/** A new file, or one in place of another, as a streaming writer makes it. */
function stream(operations: FileOperations, to: 'new' | 'replace'): void {
  const held = take(operations, to);
  try {
    const file = held.create('.partial').runSync();
    try {
      file.append([BYTES.subarray(0, 4), BYTES.subarray(4)]).runSync();
      file.barrier().runSync();
    } finally {
      file.close().runSync();
    }
    held.publish().runSync();
  } finally {
    held.release().runSync();
  }
}

/** As an appender goes on with a file. */
function grow(operations: FileOperations): void {
  const held = take(operations, 'grow');
  try {
    const file = held.open('').runSync();
    try {
      file.cut(2).runSync();
      file.append([BYTES]).runSync();
      file.barrier().runSync();
      file.writeAt(0, Uint8Array.of(35)).runSync();
      held.requireInPlace().runSync();
    } finally {
      file.close().runSync();
    }
  } finally {
    held.release().runSync();
  }
}

const WORKS: Readonly<
  Record<string, { readonly old: boolean; readonly work: (files: FakeFiles) => void; readonly done: string }>
> = {
  'a new file': {
    old: false,
    work: (files) => {
      stream(files, 'new');
    },
    done: 'the new rows',
  },
  'one in place of another': {
    old: true,
    work: (files) => {
      stream(files, 'replace');
    },
    done: 'the new rows',
  },
  'a file that grows': { old: true, work: grow, done: '#lthe new rows' },
};

test.each(Object.entries(WORKS))(
  '%s: whichever operation fails, the error is one of the family and nothing is held',
  (_, { old, work, done }) => {
    const fresh = (): FakeFiles => filesWith(old ? { [PATH]: 'old' } : {}, 0o600);
    const rehearsal = fresh();
    work(rehearsal);
    expect([rehearsal.text(PATH), rehearsal.names, rehearsal.openCount]).toEqual([done, [PATH], 0]);
    let failures = 0;
    for (const [number, { kind }] of rehearsal.log.entries()) {
      const files = fresh();
      files.fault = (_operation, at) => (at === number ? 'EIO' : undefined);
      let error: unknown = null;
      try {
        work(files);
      } catch (caught) {
        error = caught;
      }
      const what = `${kind} (${String(number)})`;
      if (error !== null)
        expect(error, what).toMatchObject({
          name: 'IoError',
          path: expect.stringContaining(PATH) as string,
          cause: expect.any(Error) as Error,
        });
      else expect(files.text(PATH), what).toBe(done);
      failures += error === null ? 0 : 1;
      expect([files.openCount, files.closedTwice], what).toEqual([0, []]);
      // A lock that cannot be taken away stays: its holder lives.
      if (kind !== 'unlink')
        expect(
          files.names.filter((name) => name.includes('.lock')),
          what,
        ).toEqual([]);
      if (old && error !== null) expect(files.names, what).toContain(PATH);
    }
    expect(failures).toBeGreaterThan(10);
  },
);

test('the steps of a streaming writer wait for the disk where they should', () => {
  const steps = (durable: boolean, to: 'new' | 'replace', ending: '.partial' | '.journal'): string[] => {
    const files = filesWith(to === 'new' ? {} : { [PATH]: 'old' });
    const held = take(files, to, durable);
    files.log.length = 0;
    const file = held.create(ending).runSync();
    file.barrier().runSync();
    file.close().runSync();
    return kindsOf(files);
  };
  expect(steps(true, 'new', '.partial')).toEqual(['create', 'stat', 'openFolder', 'sync', 'close', 'sync', 'close']);
  expect(steps(true, 'new', '.journal')).toEqual(['create', 'stat', 'sync', 'close']);
  expect(steps(false, 'new', '.partial')).toEqual(['create', 'stat', 'close']);
  expect(steps(true, 'replace', '.journal')).toEqual(['create', 'setMode', 'stat', 'sync', 'close']);
});

test('the name of a file that is gone on with outlives a power failure first', () => {
  const steps = (durable: boolean, ending: '' | '.partial'): string[] => {
    const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
    const held = take(files, 'recover', durable);
    files.log.length = 0;
    held.open(ending).runSync().close().runSync();
    return kindsOf(files);
  };
  expect(steps(true, '')).toEqual(['inspect', 'open', 'stat', 'openFolder', 'sync', 'close', 'close']);
  expect(steps(false, '')).toEqual(['inspect', 'open', 'stat', 'close']);
  expect(steps(true, '.partial')).toEqual(['inspect', 'open', 'stat', 'close']);
});

test('what a dead writer left of its lock goes when the next one comes', () => {
  const files = filesWith({ [PATH]: 'old', [`${PATH}.lock`]: deadLock() });
  take(files, 'grow').release().runSync();
  expect(files.names).toEqual([PATH]);
});

test('what may be at the path is asked before the lock is taken, and again with it', () => {
  for (const [to, content, code] of [
    ['new', { [PATH]: 'old' }, 'ERR_EXISTS'],
    ['grow', {}, 'ERR_NOT_FOUND'],
  ] as const) {
    const files = filesWith(content);
    expect(thrownBy(() => take(files, to))).toMatchObject({ name: 'IoError', code, path: PATH });
    expect(kindsOf(files).filter((kind) => kind === 'create')).toEqual([]);
    // Somebody was quicker, between the first look and the lock.
    const raced = filesWith(to === 'new' ? {} : { [PATH]: 'old' });
    raced.fault = (operation) => {
      if (operation.kind !== 'create') return undefined;
      raced.fault = () => undefined;
      if (to === 'new') raced.put(PATH, 'theirs');
      else raced.runSync({ kind: 'unlink', path: PATH });
      return undefined;
    };
    expect(thrownBy(() => take(raced, to))).toMatchObject({ code });
    expect(raced.names).toEqual(to === 'new' ? [PATH] : []);
  }
  for (const to of ['replace', 'recover'] as const) take(filesWith(), to).release().runSync();
  const folder = seen(filesWith({ [PATH]: '' }), (path, facts) =>
    path === PATH ? { ...facts, type: 'folder' } : facts,
  );
  for (const to of ['replace', 'grow', 'recover'] as const)
    expect(thrownBy(() => take(folder, to))).toMatchObject({ code: 'ERR_WRITE' });
  // A link to nothing is nothing to go on with, and something to replace.
  const link = seen(filesWith({ [PATH]: '' }), (path, facts) => (path === PATH ? { ...facts, type: 'link' } : facts));
  expect(thrownBy(() => take(link, 'grow'))).toMatchObject({ code: 'ERR_NOT_FOUND' });
  take(link, 'replace').release().runSync();
});

test('what stands at and beside the path is told, read and removed', () => {
  const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
  const held = take(files, 'recover');
  expect([held.path, held.exists, held.beside('.journal')]).toEqual([PATH, true, `${PATH}.journal`]);
  expect([
    held.inspect('').runSync()?.byteLength,
    held.inspect('.partial').runSync()?.byteLength,
    held.inspect('.journal').runSync(),
  ]).toEqual([3, 4, null]);
  expect([new TextDecoder().decode(held.read('.partial').runSync()!), held.read('.journal').runSync()]).toEqual([
    'left',
    null,
  ]);
  expect(
    thrownBy(() => {
      held.requireNone('.partial').runSync();
    }),
  ).toMatchObject({ name: 'IoError', code: 'ERR_EXISTS', path: PARTIAL });
  expect(thrownBy(() => held.create('.partial').runSync())).toMatchObject({
    name: 'IoError',
    code: 'ERR_EXISTS',
    path: PARTIAL,
    cause: { code: 'EEXIST' },
  });
  held.requireNone('.journal').runSync();
  held.remove('.partial').runSync();
  held.remove('.partial').runSync();
  expect(files.text(PARTIAL)).toBeNull();
  files.fault = failing('unlink', 'EPERM');
  expect(
    thrownBy(() => {
      held.remove('.partial').runSync();
    }),
  ).toMatchObject({ code: 'ERR_WRITE', cause: { code: 'EPERM' } });
  files.fault = () => undefined;
  held.release().runSync();
  const nothing = take(filesWith(), 'recover');
  expect([nothing.exists, nothing.isPublished().runSync()]).toEqual([false, false]);
});

test('a file that grows goes on at its end, and is known by its path', () => {
  const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
  const held = take(files, 'recover');
  const [file, partial] = [held.open('').runSync(), held.open('.partial').runSync()];
  expect([file.path, file.position, file.facts.byteLength, partial.path, partial.position]).toEqual([
    PATH,
    3,
    3,
    PARTIAL,
    4,
  ]);
  const created = held.create('.journal').runSync();
  expect([created.path, created.position]).toEqual([`${PATH}.journal`, 0]);
  file.append([Uint8Array.of(65), new Uint8Array(0), Uint8Array.of(66, 67)]).runSync();
  expect([file.position, files.text(PATH)]).toEqual([6, 'oldABC']);
  file.cut(1).runSync();
  file.append([Uint8Array.of(90)]).runSync();
  expect([file.position, files.text(PATH)]).toEqual([2, 'oZ']);
  for (const each of [file, partial, created, file, partial]) each.close().runSync();
  expect(files.openCount).toBe(0);
  files.fault = failing('truncate', 'EIO');
  expect(
    thrownBy(() => {
      file.cut(0).runSync();
    }),
  ).toMatchObject({ name: 'IoError', code: 'ERR_WRITE', operation: 'truncate', path: PATH });
});

test('every failure names what was to be done', () => {
  const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
  const held = take(files, 'replace');
  const file = held.open('.partial').runSync();
  files.fault = () => 'EIO';
  const operationOf = (action: { runSync: () => unknown }): unknown =>
    (thrownBy(() => action.runSync()) as { operation?: string }).operation;
  const actions = [
    held.inspect(''),
    held.read(''),
    held.create('.journal'),
    held.requireNone('.journal'),
    held.open(''),
    held.remove('.journal'),
    held.publish(),
    held.isPublished(),
    held.requireInPlace(),
    file.append([BYTES]),
    file.writeAt(0, BYTES),
    file.barrier(),
    file.cut(0),
    file.close(),
  ];
  expect(actions.map(operationOf)).toEqual([
    'open',
    'read',
    'create',
    'create',
    'open',
    'unlink',
    'publish',
    'open',
    'close',
    'write',
    'write',
    'sync',
    'truncate',
    'close',
  ]);
  expect((thrownBy(() => take(files, 'grow')) as { operation?: string }).operation).toBe('open');
  held.release().runSync();
});

test('another file in the place of the one that was locked is noticed when it is opened, and at the end', () => {
  const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
  const held = take(files, 'recover');
  const replaced = (path: string): void => {
    files.put('/data/new.bin', 'another');
    files.runSync({ kind: 'rename', from: '/data/new.bin', to: path });
  };
  const file = held.open('').runSync();
  held.requireInPlace().runSync();
  replaced(PATH);
  expect(
    thrownBy(() => {
      held.requireInPlace().runSync();
    }),
  ).toMatchObject({ name: 'IoError', code: 'ERR_FILE_CHANGED', path: PATH });
  expect(thrownBy(() => held.open('').runSync())).toMatchObject({ code: 'ERR_FILE_CHANGED', path: PATH });
  file.close().runSync();
  // Between the look at it and its opening.
  files.fault = (operation) => {
    if (operation.kind !== 'open') return undefined;
    files.fault = () => undefined;
    replaced(PARTIAL);
    return undefined;
  };
  expect(thrownBy(() => held.open('.partial').runSync())).toMatchObject({ code: 'ERR_FILE_CHANGED', path: PATH });
  expect(files.openCount).toBe(0);
});

test('where files have no numbers nobody can tell, and nothing is refused', () => {
  const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
  const held = take(
    seen(files, (_, facts) => ({ ...facts, inode: 0n })),
    'recover',
  );
  const file = held.open('').runSync();
  held.open('.partial').runSync().close().runSync();
  held.requireInPlace().runSync();
  expect(held.isPublished().runSync()).toBe(false);
  file.close().runSync();
});

test('what is beside a path, and no file, is not written on', () => {
  for (const type of ['link', 'folder', 'other'] as const) {
    const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
    const held = take(
      seen(files, (path, facts) => (path === PARTIAL ? { ...facts, type } : facts)),
      'recover',
    );
    expect(thrownBy(() => held.open('.partial').runSync())).toMatchObject({
      name: 'IoError',
      code: 'ERR_WRITE',
      path: PARTIAL,
    });
    expect(files.openCount).toBe(0);
  }
});
