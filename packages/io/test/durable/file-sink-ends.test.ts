// How a sink ends, on a file system in memory: permissions that change meanwhile, giving up before, after and twice,
// and that the steps of each end are the ones that are needed, and no others.
import { expect, test } from 'vitest';
import { onFiles, openFileSink, openFileSinkSync } from '@colkit/io/durable';
import type { FileOperations } from '@colkit/io/durable';
import { filesWith, kindsOf, PATH } from '../support/reserved-files.ts';
import type { FakeFiles } from '../support/fake-files.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const BYTES = new TextEncoder().encode('new');
const open = (files: FakeFiles, durability: 'full' | 'none' = 'full'): ReturnType<typeof openFileSinkSync> =>
  openFileSinkSync(PATH, onFiles(files, { overwrite: true, durability }));
const temporaryOf = (files: FakeFiles): string[] => files.names.filter((name) => name.endsWith('.tmp'));

test.each(['full', 'none'] as const)(
  '(%s) permissions that change meanwhile are taken over, and synced',
  (durability) => {
    for (const changes of [true, false]) {
      const files = filesWith({ [PATH]: 'old' }, 0o640);
      const sink = open(files, durability);
      sink.writeSync(BYTES);
      if (changes) {
        const fd = files.runSync({ kind: 'open', path: PATH }) as number;
        files.runSync({ kind: 'setMode', fd, mode: 0o600 });
        files.runSync({ kind: 'close', fd });
      }
      files.log.length = 0;
      sink.finishSync();
      const kinds = kindsOf(files);
      expect([files.text(PATH), files.mode(PATH), files.openCount]).toEqual(['new', changes ? 0o600 : 0o640, 0]);
      expect(kinds.filter((kind) => kind === 'setMode').length > 0).toBe(changes);
      // Of the bytes, of the permissions where they changed, of the folder.
      const syncs = durability === 'none' ? 0 : changes ? 3 : 2;
      expect(kinds.filter((kind) => kind === 'sync')).toHaveLength(syncs);
    }
  },
);

test('the lock that a replacement waits for says so, and is free before and after', () => {
  const files = filesWith({ [PATH]: 'old' });
  const locks: unknown[] = [];
  const watched: FileOperations = {
    runSync: (operation) => {
      const result = files.runSync(operation);
      if (operation.kind === 'link' && operation.to === `${PATH}.lock`)
        locks.push(JSON.parse(files.text(operation.to) ?? ''));
      return result;
    },
    run: (operation) => files.run(operation),
  };
  const sink = openFileSinkSync(PATH, onFiles(watched, { overwrite: true }));
  sink.writeSync(BYTES);
  expect(locks).toEqual([]);
  sink.finishSync();
  expect([locks, files.names]).toMatchObject([[{ purpose: 'replace' }], [PATH]]);
});

test('giving up takes the temporary file away, once, and never what is published', async () => {
  for (const form of ['abort', 'abortSync'] as const) {
    const files = filesWith({ [PATH]: 'old' });
    const sink = open(files);
    sink.writeSync(BYTES);
    expect(temporaryOf(files)).toHaveLength(1);
    await sink[form]();
    expect([files.names, files.openCount]).toEqual([[PATH], 0]);
    const done = files.log.length;
    await sink[form]();
    expect(files.log.length).toBe(done);
    for (const fails of [() => sink.writeSync(BYTES), () => sink.finishSync()])
      expect(thrownBy(fails)).toMatchObject({ name: 'ClosedError' });
    expect(await rejectedBy(sink.finish())).toMatchObject({ name: 'ClosedError', operation: 'write' });

    const whole = filesWith({ [PATH]: 'old' });
    const finished = open(whole);
    finished.writeSync(BYTES);
    finished.finishSync();
    expect(finished.position).toBe(3);
    const steps = whole.log.length;
    await finished[form]();
    expect([whole.text(PATH), whole.names, whole.log.length]).toEqual(['new', [PATH], steps]);
  }
});

test('giving up while it is finished waits, and leaves the file', async () => {
  const files = filesWith({ [PATH]: 'old' });
  const sink = await openFileSink(PATH, onFiles(files, { overwrite: true }));
  await sink.write(BYTES);
  const finishing = sink.finish();
  const giving = sink.abort();
  const outcome = await finishing.then(
    () => 'finished',
    (error: unknown) => (error as Error).name,
  );
  await giving;
  // Whichever came first: the file is the old one or the new one, whole, and nothing else is left.
  expect([files.names, files.openCount]).toEqual([[PATH], 0]);
  expect(files.text(PATH)).toBe(outcome === 'finished' ? 'new' : 'old');
});

test('a file that is gone by the end changes no permissions', () => {
  const files = filesWith({ [PATH]: 'old' }, 0o640);
  const sink = open(files);
  sink.writeSync(BYTES);
  files.runSync({ kind: 'unlink', path: PATH });
  files.log.length = 0;
  sink.finishSync();
  expect([files.text(PATH), files.mode(PATH), kindsOf(files).includes('setMode')]).toEqual(['new', 0o640, false]);
});

test('one sync of the folder makes the name of a new file durable, and its temporary one gone', () => {
  const files = filesWith();
  const sink = openFileSinkSync(PATH, onFiles(files, {}));
  sink.writeSync(BYTES);
  files.log.length = 0;
  sink.finishSync();
  expect(kindsOf(files)).toEqual(['sync', 'close', 'link', 'unlink', 'openFolder', 'sync', 'close']);
});

test('a misspelt option is refused by the function that was called', async () => {
  expect(thrownBy(() => openFileSinkSync(PATH, { overwite: true } as object))).toMatchObject({
    message: expect.stringContaining('openFileSinkSync: unknown option') as string,
  });
  expect(await rejectedBy(openFileSink(PATH, { overwite: true } as object))).toMatchObject({
    message: expect.stringContaining('openFileSink: unknown option') as string,
  });
});
