// What another process meets: a file that is being written, through each of its names; folders and files that may not
// be written; and what a process says that ends without closing its writer.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  append,
  appender,
  backendInfo,
  compact,
  create,
  openSync,
  recreate,
  update,
  upgrade,
  write,
} from '../../src/index.ts';

class OtherProcess {
  readonly #child;
  readonly #lines;
  #stderr = '';

  constructor(env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(process.execPath, [script], {
      stdio: 'pipe',
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
    this.#child.stderr.on('data', (text: Buffer) => {
      this.#stderr += text.toString();
    });
  }

  async ask(command: string, path: string | number = '', value = 0): Promise<string> {
    this.#child.stdin.write(`${command}\t${String(path)}\t${String(value)}\n`);
    const line = await this.#lines.next();
    return String(line.value);
  }

  /** It has nothing more to do. @returns what it said on stderr. */
  async end(): Promise<string> {
    const closed = new Promise((resolve) => this.#child.on('close', resolve));
    this.#child.stdin.end();
    await closed;
    return this.#stderr;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

let root = '';
let script = '';
let temporary = '';
let folder = '';
let path = '';
let other: OtherProcess | null = null;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'colstore-processes-'));
  chmodSync(root, 0o755);
  // Of all users, as the system's own.
  temporary = join(root, 'temporary');
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  script = await bundleForNode(new URL('./other-process.ts', import.meta.url), root);
  // It has the backend of this process, wherever the addon of this one lies.
  const addon = backendInfo().path;
  if (addon !== null) copyFileSync(addon, join(root, 'colkit_native.node'));
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

let tests = 0;
beforeEach(async () => {
  folder = join(root, `test-${String(tests++)}`);
  mkdirSync(folder);
  path = join(folder, 'log.cstore');
  const writer = await create(path);
  await writer.write(rows(1));
  await writer.write(rows(2));
  await writer.close();
});
afterEach(() => other?.kill());

const rows = (x: number) => ({ x: Int32Array.of(x) });
const xs = (of = path): number[] => {
  using table = openSync(of);
  return Array.from(table.toColumnsSync()['x'] as Int32Array);
};

/** Who writes in this process what another one is writing. */
const WRITERS: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ['update', (each) => update(each)],
  ['recreate', (each) => recreate(each)],
  ['write', (each) => write(each, rows(9), { overwrite: true })],
  ['compact', (each) => compact(each)],
  ['upgrade', (each) => upgrade(each, { layout: 'flat' })],
];

describe('one file with several names', () => {
  const namesOf = (): Record<string, string> => {
    const names = {
      itself: path,
      'a symbolic link': join(folder, 'soft.cstore'),
      'a folder that is a link': join(folder, 'linked', 'log.cstore'),
      'a hard link': join(folder, 'hard.cstore'),
    };
    symlinkSync('log.cstore', names['a symbolic link']);
    symlinkSync('.', join(folder, 'linked'), 'dir');
    linkSync(path, names['a hard link']);
    return names;
  };

  // Between two of ours, locks beside the file and of its inode hold without the addon, too.
  it('a process that writes it through one name keeps others from it through each', { timeout: 60_000 }, async () => {
    const names = namesOf();
    other = new OtherProcess();
    const before = readdirSync(folder).sort();
    let expected = [1, 2];
    for (const [theirs, through] of Object.entries(names)) {
      expect(await other.ask('update', through), theirs).toBe('ok');
      for (const [ours, each] of Object.entries(names)) {
        for (const [call, run] of WRITERS)
          await expect(run(each), `${theirs}: ${call} through ${ours}`).rejects.toMatchObject({ code: 'ERR_LOCKED' });
        expect(xs(each)).toEqual(expected);
      }
      expect(await other.ask('write', '', expected.length + 1)).toBe('ok');
      expect(await other.ask('close')).toBe('ok');
      expected = [...expected, expected.length + 1];
    }
    for (const each of Object.values(names)) expect(xs(each)).toEqual(expected);
    expect(readdirSync(folder).sort()).toEqual(before);
  });

  it('and the other way round; when it is done, others go on', { timeout: 60_000 }, async () => {
    const names = namesOf();
    other = new OtherProcess();
    let expected = [1, 2];
    for (const [ours, through] of Object.entries(names)) {
      const writer = await update(through);
      for (const [theirs, each] of Object.entries(names)) {
        for (const command of ['update', 'recreate', 'overwrite', 'compact', 'upgrade'])
          expect(await other.ask(command, each), `${ours}: ${command} through ${theirs}`).toBe('ERR_LOCKED');
      }
      await writer.write(rows(expected.length + 1));
      await writer.close();
      const [next] = Object.values(names).filter((each) => each !== through);
      expect(await other.ask('update', next)).toBe('ok');
      expect(await other.ask('write', '', expected.length + 2)).toBe('ok');
      expect(await other.ask('close')).toBe('ok');
      expected = [...expected, expected.length + 1, expected.length + 2];
      expect(xs(through)).toEqual(expected);
    }
  });

  it('a folder that another process appends to, through a link too', async () => {
    const [shards, link] = [join(folder, 'shards'), join(folder, 'link')];
    await append(shards, rows(1));
    symlinkSync('shards', link, 'dir');
    other = new OtherProcess();
    for (const [theirs, ours] of [
      [shards, link],
      [link, shards],
    ] as const) {
      expect(await other.ask('appender', theirs)).toBe('ok');
      await expect(append(ours, rows(9))).rejects.toMatchObject({ code: 'ERR_LOCKED' });
      await expect(appender(ours)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
      expect(await other.ask('write', '', 5)).toBe('ok');
      expect(await other.ask('close')).toBe('ok');
      await using writer = await appender(ours);
      expect(await other.ask('append', theirs)).toBe('ERR_LOCKED');
      await writer.write(rows(6));
    }
    expect(xs(shards)).toEqual([1, 5, 6, 5, 6]);
  });
});

/** Nobody's number, for a test that is run by the one who may write everywhere. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

describe.skipIf(process.platform === 'win32')('what may not be written', () => {
  const asUser = async (): Promise<OtherProcess> => {
    // Locks of inodes lie in a folder of the user's own there.
    other = new OtherProcess({ TMPDIR: temporary });
    if (isRoot) expect(await other.ask('become', NOBODY)).toBe('ok');
    return other;
  };
  afterEach(() => chmodSync(folder, 0o755));

  it('a folder: every writer says so, nothing is changed, and readers read', async () => {
    const shards = join(folder, 'shards');
    await append(shards, rows(1));
    writeFileSync(join(folder, 'left.cstore.partial'), 'of a dead writer');
    const seen = (): [string, Buffer][] =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each): [string, Buffer] => [each.name, readFileSync(join(each.parentPath, each.name))]);
    const before = seen();
    for (const each of [folder, shards]) chmodSync(each, 0o555);
    const user = await asUser();
    const fresh = join(folder, 'new.cstore');
    for (const [command, at] of [
      ['create', fresh],
      ['recreate', fresh],
      ['new', fresh],
      ['recreate', path],
      ['overwrite', path],
      ['update', path],
      ['compact', path],
      ['upgrade', path],
      ['recover', join(folder, 'left.cstore')],
      ['append', shards],
      ['appender', shards],
      ['append', join(folder, 'no-shards')],
    ] as const)
      expect([command, at, await user.ask(command, at)]).toEqual([command, at, 'ERR_WRITE']);
    expect([await user.ask('rows', path), await user.ask('rows', shards)]).toEqual(['2', '1']);
    expect(seen()).toEqual(before);
    chmodSync(shards, 0o755);
  });

  it('a file: it is not gone on with, and stays as it is', async () => {
    chmodSync(folder, 0o777);
    chmodSync(path, 0o444);
    const bytes = readFileSync(path);
    const user = await asUser();
    expect(await user.ask('update', path)).toBe('ERR_WRITE');
    expect(await user.ask('rows', path)).toBe('2');
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(folder)).toEqual(['log.cstore']);
  });
});

describe('a process that ends', () => {
  const times = (text: string, part: string): number => text.split(part).length - 1;

  it('without closing its writer says so once, and its records are not there; the next one goes on', async () => {
    other = new OtherProcess();
    expect(await other.ask('update', path)).toBe('ok');
    expect(await other.ask('write', '', 7)).toBe('ok');
    expect(await other.ask('write', '', 8)).toBe('ok');
    const said = await other.end();
    expect(times(said, 'log.cstore lacks the records since its last checkpoint: its writer was never closed')).toBe(1);
    expect(times(said, 'ColStoreWriterLeak')).toBe(1);
    expect(xs()).toEqual([1, 2]);
    await using writer = await update(path);
    await writer.write(rows(3));
    await writer.close();
    expect(xs()).toEqual([1, 2, 3]);
  });

  it('without closing its appender says so once, too', async () => {
    const shards = join(folder, 'shards');
    other = new OtherProcess();
    expect(await other.ask('appender', shards)).toBe('ok');
    expect(await other.ask('write', '', 7)).toBe('ok');
    const said = await other.end();
    expect(times(said, 'ColStoreAppenderLeak')).toBe(1);
    expect(times(said, 'shards lacks the rows since its last file: its appender was never closed')).toBe(1);
    await append(shards, rows(3));
    expect(xs(shards)).toEqual([3]);
  });

  it('after it closed its writer says nothing of it', async () => {
    other = new OtherProcess();
    for (const [command, at] of [
      ['update', path],
      ['write', ''],
      ['close', ''],
    ] as const)
      expect(await other.ask(command, at)).toBe('ok');
    expect(await other.end()).not.toContain('Leak');
  });
});
