// Temporary files of writers that died are removed by the next write to the same target; those of writers that live,
// here or elsewhere, never are. A process that is stopped takes away what it can itself.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { openFileSink, openFileSinkSync } from '@colkit/io';
import { removeUnfinished, reserve } from '../../src/durable.ts';
import { temporaryPrefix } from '../../src/durable/temporary-name.ts';
import { testFolder } from '../support/folder.ts';

const folder = testFolder();
const BUILT = new URL('../../dist/index.js', import.meta.url).href;
let next = 0;

function ownFolder(): string {
  const path = join(folder.path, `f${String(next++)}`);
  mkdirSync(path);
  return path;
}

/** Opens a sink, writes a little, says so, and waits to be killed. */
const WRITER = `
  const { openFileSinkSync } = await import(BUILT);
  const sink = openFileSinkSync(PATH, { overwrite: true });
  sink.writeSync(new Uint8Array(1000));
  setInterval(() => sink.position, 1000);
`;

function scriptFor(path: string): string {
  return WRITER.replace('BUILT', JSON.stringify(BUILT)).replace('PATH', JSON.stringify(path));
}

async function startWriter(path: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', `${scriptFor(path)} process.stdout.write('ready');`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout!, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function rewrite(path: string): void {
  const sink = openFileSinkSync(path, { overwrite: true });
  sink.writeSync(Uint8Array.of(1));
  sink.finishSync();
}

describe.runIf(process.platform === 'linux')('a temporary file', () => {
  test('of a killed process is removed by the next write to its target, and only by that', async () => {
    const at = ownFolder();
    const path = join(at, 'table.bin');
    await kill(await startWriter(path));
    expect(readdirSync(at)).toHaveLength(1);
    rewrite(join(at, 'other.bin'));
    expect(readdirSync(at)).toHaveLength(2);
    const sink = await openFileSink(path);
    expect(readdirSync(at)).toHaveLength(2);
    await sink.write(Uint8Array.of(1));
    await sink.finish();
    expect(readdirSync(at).sort()).toEqual(['other.bin', 'table.bin']);
  });

  test('of a living process stays, and its writer can finish', async () => {
    const at = ownFolder();
    const path = join(at, 'table.bin');
    const child = await startWriter(path);
    rewrite(path);
    expect(readdirSync(at)).toHaveLength(2);
    await kill(child);
    rewrite(path);
    expect(readdirSync(at)).toEqual(['table.bin']);
  });

  test('of another thread and of this one stays', async () => {
    const at = ownFolder();
    const path = join(at, 'table.bin');
    const mine = openFileSinkSync(path, { overwrite: true });
    const worker = new Worker(
      new URL(
        'data:text/javascript,' +
          encodeURIComponent(
            `import { parentPort } from 'node:worker_threads'; ${scriptFor(path)} parentPort.postMessage('ready');`,
          ),
      ),
    );
    await once(worker, 'message');
    rewrite(path);
    expect(readdirSync(at)).toHaveLength(3);
    mine.writeSync(Uint8Array.of(9, 9));
    mine.finishSync();
    expect([...readFileSync(path)]).toEqual([9, 9]);
    await worker.terminate();
  });

  test('of a process that is dead but not yet waited for is removed', async () => {
    const at = ownFolder();
    const path = join(at, 'table.bin');
    // The shell is replaced by sleep, which never waits for its child: the child stays a zombie.
    const shell = spawn('sh', ['-c', `"$NODE" --input-type=module -e "$SCRIPT" & exec sleep 60`], {
      env: {
        ...process.env,
        NODE: process.execPath,
        SCRIPT: `${scriptFor(path)} process.stdout.write(String(process.pid));`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(shell.stdout, 'data')) as [Buffer];
    process.kill(Number(said.toString()), 'SIGKILL');
    while (!/\) Z /.test(readFileSync(`/proc/${said.toString()}/stat`, 'latin1')))
      await new Promise((done) => setTimeout(done, 5));
    rewrite(path);
    expect(readdirSync(at)).toEqual(['table.bin']);
    await kill(shell);
  });
});

test('what others left is kept: files whose names only look alike', () => {
  const at = ownFolder();
  const path = join(at, 'table.bin');
  const others = ['.table.bin.tmp', `${temporaryPrefix('table.bin')}backup`];
  for (const other of others) writeFileSync(join(at, other), 'mine');
  rewrite(path);
  expect(readdirSync(at).sort()).toEqual([...others, 'table.bin'].sort());
});

test('a process that is stopped takes temporary files away, with the locks of their targets', () => {
  const into = ownFolder();
  const path = join(into, 'a.syr');
  const reservation = reserve(path, { to: 'new', durable: false }).runSync();
  const sink = openFileSinkSync(path, { ownsPath: true });
  sink.writeSync(Uint8Array.of(1));
  expect(
    readdirSync(into)
      .map((name) => name.replace(/^\..*\.tmp$/u, 'temporary'))
      .sort(),
  ).toEqual(['a.syr.lock', 'temporary']);
  removeUnfinished();
  expect(readdirSync(into)).toEqual([]);
  const next = reserve(path, { to: 'new', durable: false }).runSync();
  expect(() => sink.finishSync()).toThrow(expect.objectContaining({ code: 'ERR_WRITE' }));
  // The lock is that of the next one.
  reservation.release().runSync();
  expect(readdirSync(into)).toEqual(['a.syr.lock']);
  next.release().runSync();
  expect(readdirSync(into)).toEqual([]);
});

test('it keeps the lock of a file that grows: a write may be under way', () => {
  const into = ownFolder();
  const path = join(into, 'a.cna');
  const reservation = reserve(path, { to: 'new', durable: false }).runSync();
  const file = reservation.create('.partial').runSync();
  removeUnfinished();
  expect(readdirSync(into).sort()).toEqual(['a.cna.lock', 'a.cna.partial']);
  file.close().runSync();
  reservation.release().runSync();
});

test('it takes away what was only to become the file, with the lock', () => {
  const into = ownFolder();
  const path = join(into, 'a.cstore');
  writeFileSync(path, 'old');
  const reservation = reserve(path, { to: 'grow', durable: false }).runSync();
  const file = reservation.create('.compacting', 'temporary').runSync();
  expect(readdirSync(into).sort()).toEqual(['a.cstore', 'a.cstore.compacting', 'a.cstore.lock']);
  removeUnfinished();
  expect(readdirSync(into)).toEqual(['a.cstore']);
  file.close().runSync();
  reservation.release().runSync();
});

test('what has become the file is not taken away', () => {
  const into = ownFolder();
  const path = join(into, 'a.cstore');
  writeFileSync(path, 'old');
  const reservation = reserve(path, { to: 'grow', durable: false }).runSync();
  const file = reservation.create('.compacting', 'temporary').runSync();
  file.append([Uint8Array.of(7)]).runSync();
  file.close().runSync();
  reservation.publish(true, reservation.beside('.compacting')).runSync();
  // Somebody else's, by now.
  writeFileSync(`${path}.compacting`, 'other');
  removeUnfinished();
  expect(readFileSync(path)).toEqual(Buffer.of(7));
  expect(readdirSync(into).sort()).toEqual(['a.cstore', 'a.cstore.compacting']);
  reservation.release().runSync();
});
