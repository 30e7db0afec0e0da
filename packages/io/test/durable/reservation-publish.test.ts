// What a reserved path's publication leaves on a file system in memory: permissions, what is not replaced, and how a
// file is known whose writer died in between.
import { expect, test } from 'vitest';
import { PARTIAL, PATH, filesWith, kindsOf, seen, take } from '../support/reserved-files.ts';
import { thrownBy } from '../support/thrown.ts';

test('an unfinished file has the permissions of the one that it replaces, from the beginning to the end', () => {
  const files = filesWith({ [PATH]: 'old' }, 0o640);
  files.put(PARTIAL, 'left', 0o666);
  const held = take(files, 'recover');
  held.open('.partial').runSync().close().runSync();
  expect(files.mode(PARTIAL)).toBe(0o640);
  files.log.length = 0;
  held.open('.partial').runSync().close().runSync();
  expect(kindsOf(files)).not.toContain('setMode');
  // Those of the file itself are left alone, whoever changed them since.
  const fd = files.runSync({ kind: 'open', path: PATH }) as number;
  files.runSync({ kind: 'setMode', fd, mode: 0o600 });
  held.open('').runSync().close().runSync();
  expect(files.mode(PATH)).toBe(0o600);
  held.publish(true).runSync();
  expect([files.mode(PATH), files.text(PATH), files.names.includes(PARTIAL)]).toEqual([0o600, 'left', false]);
  files.runSync({ kind: 'close', fd });
  expect(files.openCount).toBe(0);
});

test('where a file has another number under its new name, as on sshfs, it is still the one that was published', () => {
  const files = filesWith({});
  const held = take(
    seen(files, (path, facts) => (path === PATH ? { ...facts, inode: facts.inode + 1000n } : facts)),
    'new',
  );
  const file = held.create('.partial').runSync();
  held.publish().runSync();
  held.requireInPlace().runSync();
  files.put('/data/new.bin', 'another');
  files.runSync({ kind: 'rename', from: '/data/new.bin', to: PATH });
  expect(thrownBy(() => held.requireInPlace().runSync())).toMatchObject({ code: 'ERR_FILE_CHANGED', path: PATH });
  file.close().runSync();
  held.release().runSync();
});

test('a publication changes permissions only where they differ', () => {
  const files = filesWith({ [PATH]: 'old', [PARTIAL]: 'left' });
  const held = take(files, 'replace');
  files.log.length = 0;
  held.publish().runSync();
  expect(kindsOf(files)).toEqual(['inspect', 'inspect', 'rename', 'openFolder', 'sync', 'close', 'inspect']);
  held.release().runSync();
  const fresh = filesWith({ [PARTIAL]: 'left' });
  const other = take(fresh, 'replace');
  other.publish().runSync();
  other.release().runSync();
  expect([fresh.names, fresh.text(PATH)]).toEqual([[PATH], 'left']);
  // Without the right to replace, a file that is there is kept.
  const kept = filesWith({ [PARTIAL]: 'left' });
  const third = take(kept, 'new');
  kept.put(PATH, 'theirs', 0o600);
  kept.log.length = 0;
  expect(
    thrownBy(() => {
      third.publish().runSync();
    }),
  ).toMatchObject({ code: 'ERR_EXISTS', path: PATH });
  expect([kept.text(PATH), kindsOf(kept)]).toEqual(['theirs', ['inspect']]);
  const another = filesWith({ [`${PATH}.other`]: 'other' });
  take(another, 'new').publish(false, `${PATH}.other`).runSync();
  expect(another.text(PATH)).toBe('other');
  // And what has become a folder is not replaced.
  const folder = filesWith({ [PARTIAL]: 'left' });
  let isFolder = false;
  const fourth = take(
    seen(folder, (path, facts) => (isFolder && path === PATH ? { ...facts, type: 'folder' } : facts)),
    'replace',
  );
  folder.put(PATH, '');
  isFolder = true;
  expect(
    thrownBy(() => {
      fourth.publish().runSync();
    }),
  ).toMatchObject({ code: 'ERR_WRITE', path: PATH });
});

test('a file that was published, and died before its other name went, is known', () => {
  const files = filesWith({ [PATH]: 'whole' });
  files.runSync({ kind: 'link', from: PATH, to: PARTIAL });
  expect(take(files, 'recover').isPublished().runSync()).toBe(true);
  expect(
    take(filesWith({ [PATH]: 'old', [PARTIAL]: 'left' }), 'recover')
      .isPublished()
      .runSync(),
  ).toBe(false);
});
