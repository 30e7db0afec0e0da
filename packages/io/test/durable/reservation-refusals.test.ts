// What a reserved path refuses, with which words for whom, on a file system in memory: what stands beside it, what is
// no file, folders that are not there, and permissions that cannot be looked at.
import { expect, test } from 'vitest';
import { reserve, temporaryName, temporaryPrefix } from '@colkit/io/durable';
import type { FileOperation, FileOperations } from '@colkit/io/durable';
import { deadTag } from '../support/dead-process.ts';
import type { FakeFiles } from '../support/fake-files.ts';
import { PARTIAL, PATH, filesWith, kindsOf, seen, take } from '../support/reserved-files.ts';
import { thrownBy } from '../support/thrown.ts';

const failingAt =
  (isIt: (operation: FileOperation) => boolean, code: string) =>
  (operation: FileOperation): string | undefined =>
    isIt(operation) ? code : undefined;

test('an unknown option of a reservation is refused', () => {
  expect(thrownBy(() => reserve(PATH, { to: 'new', durable: true, opertions: filesWith() } as never))).toMatchObject({
    name: 'ArgumentError',
    message: expect.stringContaining('reserve: unknown option') as string,
  });
});

test('a folder that is not there is a missing file for who goes on with one, else a failure to write', () => {
  for (const [to, code] of [
    ['grow', 'ERR_NOT_FOUND'],
    ['recover', 'ERR_NOT_FOUND'],
    ['new', 'ERR_WRITE'],
    ['replace', 'ERR_WRITE'],
  ] as const)
    expect(
      thrownBy(() => reserve('/no-such-folder/a.bin', { to, durable: false }).runSync()),
      to,
    ).toMatchObject({
      code,
    });
  expect(thrownBy(() => take(filesWith(), 'grow'))).toMatchObject({ code: 'ERR_NOT_FOUND', operation: 'open' });
});

test('temporary files that a dead taker of the lock left go, and no others', () => {
  const [dead, alive, ofAnother] = [
    `/data/${temporaryPrefix('table.bin.lock')}${deadTag()}.tmp`,
    `/data/${temporaryName('table.bin.lock')}`,
    `/data/${temporaryPrefix('other.bin.lock')}${deadTag()}.tmp`,
  ];
  const files = filesWith({ [dead]: '', [alive]: '', [ofAnother]: '' });
  take(files, 'new').release().runSync();
  expect(files.names).toEqual([alive, ofAnother].sort());
});

test('a failure says what was to be done', () => {
  const files = filesWith({ [PARTIAL]: 'left' });
  const held = take(files, 'replace');
  expect(thrownBy(() => held.create('.partial').runSync())).toMatchObject({
    code: 'ERR_EXISTS',
    operation: 'create',
    path: PARTIAL,
  });
  // Another failure of creating is no dead writer's work.
  files.runSync({ kind: 'unlink', path: PARTIAL });
  files.fault = failingAt(({ kind }) => kind === 'create', 'ENOSPC');
  expect(thrownBy(() => held.create('.partial').runSync())).toMatchObject({ code: 'ERR_WRITE' });
});

test('what is opened is the file itself, by the name that the user gave, or what is beside it, by its own', () => {
  const isLink =
    (of: string) =>
    (files: FakeFiles): FileOperations =>
      seen(files, (path, facts) => (path === of ? { ...facts, type: 'link' } : facts));
  // A link that is put there later is not followed.
  for (const [ending, path] of [
    ['', PATH],
    ['.partial', PARTIAL],
  ] as const) {
    const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
    let links = false;
    const operations: FileOperations = {
      runSync: (operation) => (links ? isLink(path)(files) : files).runSync(operation),
      run: (operation) => files.run(operation),
    };
    const held = reserve('/data/./table.bin', { to: 'recover', durable: true, operations }).runSync();
    links = true;
    files.log.length = 0;
    expect(
      thrownBy(() => held.open(ending).runSync()),
      path,
    ).toMatchObject({ code: 'ERR_WRITE', path: ending === '' ? '/data/./table.bin' : path });
    expect(kindsOf(files), path).not.toContain('open');
  }
  const gone = filesWith({ [PATH]: 'old' });
  expect(thrownBy(() => take(gone, 'recover').open('.partial').runSync())).toMatchObject({
    name: 'IoError',
    cause: { code: 'ENOENT' },
  });
});

test('a growing file is called as the user called it', () => {
  const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
  const given = '/data/./table.bin';
  const held = reserve(given, { to: 'recover', durable: true, operations: files }).runSync();
  for (const [ending, path] of [
    ['', given],
    ['.partial', PARTIAL],
  ] as const) {
    const file = held.open(ending).runSync();
    files.fault = failingAt(({ kind }) => kind === 'write', 'ENOSPC');
    expect(thrownBy(() => file.append([Uint8Array.of(1)]).runSync())).toMatchObject({ code: 'ERR_WRITE', path });
    files.fault = () => undefined;
    file.close().runSync();
  }
});

test('what is published without a file to replace, or is gone itself, changes no permissions', () => {
  const files = filesWith({ [PARTIAL]: 'left' });
  const held = take(files, 'replace');
  files.log.length = 0;
  held.publish().runSync();
  expect(kindsOf(files)).not.toContain('setMode');
  const gone = filesWith({ [PATH]: 'old' });
  const second = take(gone, 'replace');
  gone.log.length = 0;
  expect(thrownBy(() => second.publish().runSync())).toMatchObject({ code: 'ERR_WRITE', cause: { code: 'ENOENT' } });
  expect([kindsOf(gone).includes('open'), gone.text(PATH)]).toEqual([false, 'old']);
  // A new file: whatever has come to its name meanwhile stays, a folder too.
  const third = filesWith({ [PARTIAL]: 'left' });
  const fresh = take(third, 'new');
  third.log.length = 0;
  fresh.publish().runSync();
  expect(kindsOf(third)).not.toContain('setMode');
});
