// Atomic files on the real file system: what stands in the folder before, during and after, and what is refused.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openFileSink, openFileSinkSync } from '@colkit/io';
import { testFolder } from '../support/folder.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const folder = testFolder();
const OLD = new TextEncoder().encode('old');
const NEW = new TextEncoder().encode('new content');
let next = 0;

/** A folder of its own for a test. */
function ownFolder(): string {
  const path = join(folder.path, `f${String(next++)}`);
  mkdirSync(path);
  return path;
}

test('nothing is visible under the name before finish, and nothing else is left after it', async () => {
  for (const sync of [true, false]) {
    const at = ownFolder();
    const path = join(at, 'data.bin');
    const sink = sync ? openFileSinkSync(path) : await openFileSink(pathToFileURL(path));
    sink.writeSync(NEW);
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(at)).toHaveLength(1);
    if (sync) sink.finishSync();
    else await sink.finish();
    expect(readdirSync(at)).toEqual(['data.bin']);
    expect(readFileSync(path, 'utf8')).toBe('new content');
  }
});

test('an abort leaves nothing, also with writes under way', async () => {
  const at = ownFolder();
  const path = join(at, 'data.bin');
  const sink = await openFileSink(path);
  const write = sink.write(new Uint8Array(3_000_000));
  const queued = rejectedBy(sink.write(NEW));
  await sink.abort();
  await write;
  expect(await queued).toMatchObject({ name: 'ClosedError' });
  expect(readdirSync(at)).toEqual([]);
});

test('an abort during finish lets it end', async () => {
  const at = ownFolder();
  const sink = await openFileSink(join(at, 'data.bin'));
  await sink.write(NEW);
  const finished = sink.finish();
  await new Promise(setImmediate);
  await sink.abort();
  await finished;
  expect(readdirSync(at)).toEqual(['data.bin']);
});

test('Sync calls are refused while others are under way', async () => {
  const sink = await openFileSink(join(ownFolder(), 'data.bin'));
  const write = sink.write(NEW);
  for (const action of [() => sink.writeSync(NEW), () => sink.finishSync(), () => sink.abortSync()])
    expect(thrownBy(action)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'sink' });
  await write;
  sink.writeSync(NEW);
  await sink.finish();
});

test('an existing file is kept without overwrite, replaced with it, and intact until then', async () => {
  const at = ownFolder();
  const path = join(at, 'data.bin');
  writeFileSync(path, OLD);
  expect(thrownBy(() => openFileSinkSync(path))).toMatchObject({ name: 'IoError', code: 'ERR_EXISTS', path });
  expect(await rejectedBy(openFileSink(path))).toMatchObject({ code: 'ERR_EXISTS' });
  expect(readdirSync(at)).toEqual(['data.bin']);
  const sink = await openFileSink(path, { overwrite: true });
  await sink.write(NEW);
  expect(readFileSync(path, 'utf8')).toBe('old');
  await sink.finish();
  expect(readFileSync(path, 'utf8')).toBe('new content');
  expect(readdirSync(at)).toEqual(['data.bin']);
});

test('a file that appears meanwhile wins without overwrite', async () => {
  const at = ownFolder();
  const path = join(at, 'data.bin');
  const sinks = [await openFileSink(path), await openFileSink(path), await openFileSink(path)];
  await Promise.all(sinks.map((sink, i) => sink.write(Uint8Array.of(i))));
  const results = await Promise.allSettled(sinks.map((sink) => sink.finish()));
  const winners = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
  expect(winners).toHaveLength(1);
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'IoError', code: 'ERR_EXISTS' });
  expect([...readFileSync(path)]).toEqual(winners);
  expect(readdirSync(at)).toEqual(['data.bin']);
});

test('permissions of a replaced file are kept, and a link is followed', async () => {
  const at = ownFolder();
  const path = join(at, 'real.bin');
  writeFileSync(path, OLD);
  chmodSync(path, 0o640);
  symlinkSync('real.bin', join(at, 'link.bin'));
  const sink = await openFileSink(join(at, 'link.bin'), { overwrite: true });
  await sink.write(NEW);
  await sink.finish();
  expect(lstatSync(join(at, 'link.bin')).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(at, 'link.bin'))).toBe('real.bin');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new content', 0o640]);
  expect(readdirSync(at).sort()).toEqual(['link.bin', 'real.bin']);
});

test('a link to nothing exists without overwrite, and is replaced with it', () => {
  const at = ownFolder();
  const path = join(at, 'dangling.bin');
  symlinkSync('nowhere', path);
  expect(thrownBy(() => openFileSinkSync(path))).toMatchObject({ code: 'ERR_EXISTS' });
  const sink = openFileSinkSync(path, { overwrite: true });
  sink.writeSync(NEW);
  sink.finishSync();
  expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, 'new content']);
});

test('other names of a replaced file keep the old content', () => {
  const at = ownFolder();
  writeFileSync(join(at, 'a'), OLD);
  linkSync(join(at, 'a'), join(at, 'b'));
  const sink = openFileSinkSync(join(at, 'a'), { overwrite: true });
  sink.writeSync(NEW);
  sink.finishSync();
  expect([readFileSync(join(at, 'a'), 'utf8'), readFileSync(join(at, 'b'), 'utf8')]).toEqual(['new content', 'old']);
});

test('what is not a file is not replaced, and a missing folder is said', async () => {
  const at = ownFolder();
  mkdirSync(join(at, 'inner'));
  spawnSync('mkfifo', [join(at, 'pipe')]);
  for (const options of [{}, { overwrite: true }]) {
    const code = options.overwrite === true ? 'ERR_WRITE' : 'ERR_EXISTS';
    expect(thrownBy(() => openFileSinkSync(join(at, 'inner'), options))).toMatchObject({ name: 'IoError', code });
    expect(thrownBy(() => openFileSinkSync(join(at, 'pipe'), options))).toMatchObject({ code });
    expect(await rejectedBy(openFileSink(join(at, 'missing', 'data.bin'), options))).toMatchObject({
      name: 'IoError',
      code: 'ERR_WRITE',
    });
    writeFileSync(join(at, 'plain'), OLD);
    expect(await rejectedBy(openFileSink(join(at, 'plain', 'data.bin'), options))).toMatchObject({ code: 'ERR_WRITE' });
  }
  for (const path of ['', 'a\0b', 7, new URL('https://example.invalid/a')])
    expect(thrownBy(() => openFileSinkSync(path as string))).toMatchObject({ name: 'ArgumentError', argument: 'path' });
  expect(thrownBy(() => openFileSinkSync(join(at, 'x'), { durability: 'some' as 'full' }))).toMatchObject({
    name: 'ArgumentError',
  });
});

test('a name as long as the file system allows, and one of many bytes a letter', () => {
  const at = ownFolder();
  for (const name of ['n'.repeat(255), '語'.repeat(85), '😀'.repeat(63)]) {
    const sink = openFileSinkSync(join(at, name), { durability: 'none' });
    sink.writeSync(NEW);
    sink.finishSync();
    expect(readFileSync(join(at, name), 'utf8')).toBe('new content');
  }
  expect(readdirSync(at)).toHaveLength(3);
});
