// However an iteration ends, nothing of it stays: threads and descriptors of a process of its own are counted before
// and after (on Linux, which lists them).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeItems } from './fixture.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');
const COUNT = 40;
const library = JSON.stringify(new URL('../../dist/index.js', import.meta.url).href);

beforeAll(async () => {
  await writeItems(path, COUNT);
});

/** Runs a body in a process of its own; what it prints as JSON in its last line. */
function run(body: string): unknown {
  const script = `import { DataLoader, SyrahDataset } from ${library};
    import { readdirSync } from 'node:fs';
    const dataset = await SyrahDataset.open(${JSON.stringify(path)}, ['x', 'label']);
    const count = () => [readdirSync('/proc/self/task').length, readdirSync('/proc/self/fd').length];
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    // The first workers of a process leave threads of the runtime's own pools behind, which later ones use.
    const warm = new DataLoader(dataset, { batchSize: 4, workers: 2, warmStart: false });
    for await (const batch of warm);
    await warm.close();
    const settled = async (wanted) => {
      let last = '';
      // Threads end when the system finds the time: what is waited for is the wanted count, where one is known.
      for (let quiet = 0, k = 0; (wanted === undefined ? quiet < 3 : last !== String(wanted)) && k < 500; k += 1) {
        globalThis.gc?.();
        await pause(20);
        const now = String(count());
        quiet = now === last ? quiet + 1 : 0;
        last = now;
      }
      return count();
    };
    const before = await settled();
    ${body}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** More than there are workers, of which each look has two; each costs the start of these. */
const LOOKS = 4;
const PEEKS = `const loader = new DataLoader(dataset, { batchSize: 2, workers: 2, warmStart: false });
  const labels = [];
  for (let k = 0; k < ${LOOKS}; k += 1) labels.push((await loader[Symbol.asyncIterator]().next()).value[1].data[1]);
  const during = count();`;

describe.runIf(existsSync('/proc/self/task'))('nothing stays', () => {
  test('after some looks at a first batch, once the loader is closed: close() waits for the workers', () => {
    const [before, during, closed, after, labels] = run(`${PEEKS}
      await loader.close();
      const closed = count();
      console.log(JSON.stringify([before, during, closed, await settled(before), labels]));`) as number[][];
    expect(labels).toEqual(new Array(LOOKS).fill(1));
    expect(during![0]).toBeGreaterThan(before![0]!);
    expect(closed![0]).toBe(before![0]);
    expect(after).toEqual(before);
  });

  test('after some looks, once they are collected, while the loader lives', () => {
    const [before, after, rest] = run(`${PEEKS}
      const after = await settled(before);
      let rest = 0;
      for await (const batch of loader) rest += 1;
      console.log(JSON.stringify([before, after, rest]));`) as [number[], number[], number];
    expect(after).toEqual(before);
    expect(rest).toBe(COUNT / 2);
  });

  const ENDINGS: readonly [string, string][] = [
    ['a break', 'for await (const batch of loader) break;'],
    [
      'a throw in the loop',
      'await (async () => { for await (const batch of loader) throw new Error("mine"); })().catch(() => undefined);',
    ],
    ['return()', 'const it = loader[Symbol.asyncIterator](); await it.next(); await it.return();'],
    [
      'throw()',
      'const it = loader[Symbol.asyncIterator](); await it.next(); await it.throw(new Error("mine")).catch(() => ' +
        'undefined);',
    ],
    ['asyncDispose', 'const it = loader[Symbol.asyncIterator](); await it.next(); await it[Symbol.asyncDispose]();'],
    [
      'return() while a batch is awaited',
      'const it = loader[Symbol.asyncIterator](); const asked = it.next(); await it.return(); await asked;',
    ],
    [
      'an aborted signal between two batches',
      'const it = aborting[Symbol.asyncIterator](); await it.next(); abort.abort(new Error("enough"));',
    ],
    [
      'an aborted signal while one is awaited',
      'const it = aborting[Symbol.asyncIterator](); const asked = it.next().catch(() => undefined); ' +
        'abort.abort(new Error("enough")); await asked;',
    ],
    ['an error in collate', 'for (const batch of [1]) try { for await (const b of failing) ; } catch {}'],
    ['an iteration that was never begun', 'loader[Symbol.asyncIterator]();'],
    [
      'two at once, both ended',
      'const its = [1, 2].map(() => loader[Symbol.asyncIterator]()); await Promise.all(its.map((it) => ' +
        'it.next())); await Promise.all(its.map((it) => it.return()));',
    ],
  ];
  // One process for all: each ending is judged by what there was right before it, and the first that leaves something
  // is the last.
  test(`after ${ENDINGS.map(([name]) => name).join(', ')}`, () => {
    const steps = ENDINGS.map(
      ([name, ending]) =>
        `await ends(${JSON.stringify(name)}, async (loader, aborting, failing, abort) => { ${ending} });`,
    );
    const counts = run(`const counts = {};
      const ends = async (name, ending) => {
        if (Object.values(counts).some(([before, after]) => String(before) !== String(after))) return;
        const before = await settled();
        const abort = new AbortController();
        const loader = new DataLoader(dataset, { batchSize: 2, workers: 2, warmStart: false });
        const aborting = new DataLoader(dataset, { batchSize: 2, workers: 2, warmStart: false, signal: abort.signal });
        const collate = () => { throw new Error('mine'); };
        const failing = new DataLoader(dataset, { batchSize: 2, workers: 2, warmStart: false, collate });
        await ending(loader, aborting, failing, abort);
        globalThis.keep = [loader, aborting, failing];
        counts[name] = [before, await settled(before)];
      };
      ${steps.join('\n')}
      console.log(JSON.stringify(counts));`) as Readonly<Record<string, readonly [unknown, unknown]>>;
    for (const [name, [before, after]] of Object.entries(counts)) expect(after, name).toEqual(before);
    expect(Object.keys(counts)).toEqual(ENDINGS.map(([name]) => name));
  });

  test('an iteration that is held is not taken for a lost one', () => {
    const batches =
      run(`const it = new DataLoader(dataset, { batchSize: 2, workers: 2, warmStart: false })[Symbol.asyncIterator]();
      let batches = 0;
      while (!(await it.next()).done) { batches += 1; if (batches % 5 === 0) await settled(); }
      console.log(batches);`);
    expect(batches).toBe(COUNT / 2);
  });

  // One loader for each request or each run: with its loader a dataset goes, however the iteration ended.
  test('of datasets and loaders that nobody holds any more', () => {
    const left = run(`const endings = {
        whole: async (loader) => { for await (const batch of loader); },
        broken: async (loader) => { for await (const batch of loader) break; },
        failed: async (loader) => { for await (const batch of loader) await loader.close(); },
        late: async (_, own) => {
          const options = { batchSize: 2, workers: 1, warmStart: false, timeoutMs: 1 };
          for await (const batch of new DataLoader(own, options));
        },
        forgotten: async (loader) => { await loader[Symbol.asyncIterator]().next(); },
      };
      const held = [];
      for (const [name, end] of Object.entries(endings))
        for (const workers of [0, 1])
          await (async () => {
            const own = await SyrahDataset.open(${JSON.stringify(path)}, ['x', 'label']);
            const loader = new DataLoader(own, { batchSize: 2, workers, signal: AbortSignal.timeout(100_000) });
            await end(loader, own).catch(() => undefined);
            await loader.close();
            held.push([name + ' ' + workers, new WeakRef(own)]);
          })();
      let left = [];
      for (let k = 0; k < 100 && (k === 0 || left.length > 0); k += 1) {
        await pause(20);
        globalThis.gc();
        left = held.filter(([, own]) => own.deref() !== undefined).map(([name]) => name);
      }
      console.log(JSON.stringify(left));`);
    expect(left).toEqual([]);
  });

  test('a process with forgotten iterations ends by itself', () => {
    expect(run(`${PEEKS} console.log(1);`)).toBe(1);
  });
});
