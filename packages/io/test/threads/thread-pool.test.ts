// A pool of threads: who gets which task, what becomes of threads that fail, of those that wait for another use, and of
// those that were at work when the pool was closed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../../../testkit/src/bundle-for-node.ts';
import { ArgumentError } from '../../src/index.ts';
import { KeptThreads, ThreadPool, findScript, receivedError } from '../../src/threads/index.ts';
import type { PoolOptions, SentError } from '../../src/threads/index.ts';
import { inheritedOptions } from '../../src/threads/script.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = { url: pathToFileURL(join(folder, 'answers.mjs')) };
beforeAll(async () => {
  await bundleForNode(new URL('./answers.ts', import.meta.url), folder);
}, 300_000);

type Pool = ThreadPool<unknown, number>;
const poolOf = (options: Partial<PoolOptions> = {}, start?: string): Pool =>
  new ThreadPool(
    {
      script,
      name: 'test',
      start,
      unpackError: (sent) => receivedError(sent as SentError),
      ended: (what, cause) => new Error(`a thread ${what}`, { cause }),
    },
    { count: 2, depth: 1, holdsWhileAsked: true, ...options },
  );
const both = async (pool: Pool): Promise<number[]> =>
  (await Promise.all([pool.ask(''), pool.ask('')])).sort((a, b) => a - b);

describe('tasks', () => {
  it('go to whoever is free, or wait', async () => {
    const pool = poolOf();
    await both(pool);
    const [first, second] = [pool.ask('wait'), pool.ask('')];
    const quick = await second;
    expect(await Promise.all([pool.ask(''), first])).toEqual([quick, expect.not.toSatisfy((id) => id === quick)]);
    const many = await Promise.all(Array.from({ length: 20 }, () => pool.ask('')));
    expect(new Set(many).size).toBe(2);
    await pool.close();
  });

  it('go to the least busy one, or together to one, where threads may have many', async () => {
    const pool = poolOf({ depth: Infinity });
    await both(pool);
    const apart = await Promise.all([pool.ask('wait'), pool.ask(''), pool.ask('wait'), pool.ask('')]);
    expect(new Set(apart).size).toBe(2);
    const together = await Promise.all([1, 2, 3].map(() => pool.ask('', { together: 3 })));
    expect(new Set(together).size).toBe(1);
    await pool.close();
  });

  it('take memory with them, and bring it', async () => {
    const pool = poolOf({ count: 1 });
    const bytes = new Uint8Array(5);
    expect(await pool.ask(bytes, { transfer: [bytes.buffer] })).toBe(5);
    expect(bytes.byteLength).toBe(0);
    expect(await pool.ask('give')).toEqual(new Uint8Array(8).fill(7));
    expect(await pool.ask('given')).toEqual([0]);
    await pool.close();
  });

  it('are refused where they cannot be sent, and the next ones are answered', async () => {
    const pool = poolOf({ count: 1 });
    const wrong = pool.ask(() => undefined);
    const right = pool.ask('');
    await expect(wrong).rejects.toThrow(/clone/);
    expect(await right).toBeGreaterThan(0);
    await pool.close();
  });

  it('fail with the same error', async () => {
    const pool = poolOf({ count: 1 });
    const failure = pool.ask('throw');
    await expect(failure).rejects.toBeInstanceOf(ArgumentError);
    await expect(failure).rejects.toMatchObject({ code: 'ERR_VALUE', argument: 'task', found: 'a text' });
    expect(await pool.ask('')).toBeGreaterThan(0);
    await pool.close();
  });

  it('fail with the reason where the thread cannot be prepared', async () => {
    const pool = poolOf({ count: 1 }, 'fails');
    await expect(pool.ask('')).rejects.toMatchObject({ name: 'RangeError', message: 'nothing can be prepared' });
    await pool.close();
  });

  it('are taken without a turn of the event loop', async () => {
    const pool = poolOf({ count: 1 });
    await pool.ask('');
    let answer: number | null = null;
    void pool.ask('').then((id) => {
      answer = id;
    });
    for (let turn = 0; turn < 1000 && answer === null; turn++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      pool.poll();
      await Promise.resolve();
    }
    expect(answer).toBeGreaterThan(0);
    await pool.close();
  });
});

it('threads start so many at a time', async () => {
  const pool = poolOf({ count: 3, startingAtOnce: 1, depth: Infinity });
  expect(pool.starting).toBe(true);
  const asked = new Set<number>();
  for (let turn = 0; turn < 1000 && asked.size < 3; turn++) {
    for (const id of await Promise.all([1, 2, 3].map(() => pool.ask('')))) asked.add(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(asked.size).toBe(3);
  expect(pool.starting).toBe(false);
  await pool.close();
});

describe('threads that have answered everything', () => {
  it('are taken again, by one pool at a time', async () => {
    const kept = new KeptThreads({ idleMs: () => 60_000 });
    const first = poolOf({ kept });
    const ids = await both(first);
    expect(new Set(ids).size).toBe(2);
    await first.close();
    await first.close();
    await expect(first.ask('')).rejects.toThrow('closed');
    const second = poolOf({ kept });
    expect(await both(second)).toEqual(ids);
    const beside = poolOf({ kept });
    for (const id of await both(beside)) expect(ids).not.toContain(id);
    await Promise.all([second.close(), beside.close()]);
    await kept.close();
    const last = poolOf({ kept });
    for (const id of await both(last)) expect(ids).not.toContain(id);
    await last.close();
  });

  it('end after a while, and where there are too many', async () => {
    const kept = new KeptThreads({ idleMs: () => 30, most: 1 });
    const first = poolOf({ kept });
    await both(first);
    await first.close();
    const one = kept.take();
    expect([one === null, kept.take()]).toEqual([false, null]);
    if (one !== null) await kept.keep(one);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(kept.take()).toBeNull();
  });

  it('end where the pool is closed for good', async () => {
    const kept = new KeptThreads({ idleMs: () => 60_000 });
    const pool = poolOf({ kept });
    await both(pool);
    await pool.close(false);
    expect(kept.take()).toBeNull();
  });
});

it('a thread that is at work when the pool is closed ends', async () => {
  const kept = new KeptThreads({ idleMs: () => 60_000 });
  const first = poolOf({ kept });
  const ids = await both(first);
  const never = first.ask('never');
  await Promise.all([first.close(), expect(never).rejects.toThrow('closed')]);
  const second = poolOf({ kept });
  expect((await both(second)).filter((id) => ids.includes(id))).toHaveLength(1);
  await second.close();
  await kept.close();
});

describe('a thread that ends by itself', () => {
  it('is an error of what it had, and the others go on', async () => {
    const kept = new KeptThreads({ idleMs: () => 60_000 });
    const pool = poolOf({ kept });
    const ids = await both(pool);
    const [gone, ...rest] = [pool.ask('exit'), pool.ask('wait'), pool.ask(''), pool.ask('')];
    await expect(gone).rejects.toThrow('a thread ended with exit code 3');
    expect(new Set(await Promise.all(rest)).size).toBe(1);
    await pool.close();
    // Beside one that failed nobody is trusted.
    const next = poolOf({ kept });
    for (const id of await both(next)) expect(ids).not.toContain(id);
    await next.close();
    await kept.close();
  });

  it('refuses what is asked of it alone, and what waits for it', async () => {
    const pool = poolOf({ count: 1 });
    const asked = [pool.ask('exit'), pool.ask('')];
    for (const answer of asked) await expect(answer).rejects.toThrow('exit code 3');
    await expect(pool.ask('')).rejects.toThrow('exit code 3');
    await pool.close();
  });
});

it('keep the process alive while they have tasks, or are held, and no longer', async () => {
  await bundleForNode(new URL('./process-of-threads.ts', import.meta.url), folder);
  const run = (how: string): string =>
    spawnSync(process.execPath, [join(folder, 'process-of-threads.mjs'), script.url.href, how], {
      encoding: 'utf8',
      timeout: 50_000,
    }).stdout;
  expect(run('asked')).toBe('answered\n');
  expect(run('held')).toBe('answered\n');
  expect(run('free')).toBe('');
});

describe('scripts', () => {
  it('are found beside who asks, else where the build puts them', () => {
    const from = pathToFileURL(join(folder, 'module.mjs')).href;
    expect(findScript({ from, built: './answers.mjs' })?.url.href).toBe(script.url.href);
    expect(findScript({ from, built: './none.mjs' })).toBeNull();
    expect(findScript({ from, built: './none.mjs', fromSource: './answers.mjs' })).toEqual({ ...script, execArgv: [] });
    expect(findScript({ from: undefined, built: './answers.mjs' })).toBeNull();
    expect(findScript({ from: 'blob:nodedata:1', built: './answers.mjs' })).toBeNull();
  });

  it.each(['js', 'mjs', 'cjs'])('are found by the ending .%s that a bundler gave them', (ending) => {
    const path = join(folder, `of-${ending}.${ending}`);
    writeFileSync(path, '');
    const from = pathToFileURL(join(folder, 'module.mjs')).href;
    expect(findScript({ from, built: `./of-${ending}.js` })?.url.href).toBe(pathToFileURL(path).href);
  });

  it('are found beside the program where a bundler wrote down where the module was', () => {
    const [node = '', program = ''] = process.argv;
    process.argv.splice(0, 2, node, join(folder, 'app.mjs'));
    try {
      expect(findScript({ from: 'file:///nowhere/module.mjs', built: './answers.mjs' })?.url.href).toBe(
        script.url.href,
      );
      expect(findScript({ from: 'file:///nowhere/module.mjs', built: './none.mjs' })).toBeNull();
    } finally {
      process.argv.splice(0, 2, node, program);
    }
  });

  it('inherit what finds modules from a process whose script was given by option', () => {
    expect(inheritedOptions(['--no-warnings'])).toEqual({});
    expect(
      inheritedOptions(['--input-type=module', '--import', 'a.mjs', '--conditions=x', '-C', 'y', '--expose-gc', '-e']),
    ).toEqual({ execArgv: ['--import', 'a.mjs', '--conditions=x', '-C', 'y'] });
  });
});

it('a script that throws is told', async () => {
  const path = join(folder, 'broken.mjs');
  writeFileSync(path, 'throw new TypeError("broken");');
  const pool = new ThreadPool(
    {
      script: { url: pathToFileURL(path) },
      name: 'test',
      unpackError: () => new Error('none'),
      ended: (what, cause) => new Error(`a thread ${what}`, { cause }),
    },
    { count: 1 },
  );
  await expect(pool.ask('')).rejects.toMatchObject({
    message: 'a thread failed: broken',
    cause: { name: 'TypeError' },
  });
  await pool.close();
});
