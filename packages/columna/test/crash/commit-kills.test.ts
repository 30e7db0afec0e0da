// Two committers of one dataset, of which one or both are killed at any moment: each version that was reported is
// there, with just the rows that were committed to it, and the next one can commit. Short here;
// `pnpm --filter columna run test:crash` kills 500 times, and prints what was found.
import { fork } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderStore } from '@colkit/io/durable';
import { expect, it } from 'vitest';
import { commit, history, openDataset, writePart } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const KILLS = Number(process.env['COLKIT_KILLS'] ?? 3);
/** Versions become many, and each names all parts before it. */
const OF_ONE_DATASET = 20;
const newFolder = newFolders('commit-kills');

const PROGRAM = `
import { commit, openDataset, writePart } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
const [folder] = process.argv.slice(2);
process.send('ready');
for (;;) {
  const { version } = await openDataset(folder);
  const parts = [];
  for (let k = 0; k < 2; k += 1) parts.push(await writePart(folder, { of: Int32Array.of(version + 1, version + 1) }));
  try {
    await commit(folder, parts, { expected: version });
    process.send(version + 1);
  } catch (error) {
    if (error.code !== 'ERR_CONFLICT') throw error;
    process.send('conflict');
  }
}`;

interface Found {
  /** Deaths after which nothing of the writer's was to be seen, although parts of it lie there. */
  uncommitted: number;
  /** Deaths behind a commit, of which nobody was told. */
  untold: number;
  /** Commits that were refused, because the other one was faster. */
  conflicts: number;
  versions: number;
}

it(`keeps its promises over ${String(KILLS)} kills`, { timeout: 60_000 + KILLS * 4000 }, async () => {
  const { folder } = newFolder();
  const program = join(folder, 'commit.mjs');
  writeFileSync(program, PROGRAM);
  const found: Found = { uncommitted: 0, untold: 0, conflicts: 0, versions: 0 };
  for (let kill = 0; kill < KILLS; kill += OF_ONE_DATASET)
    await killsOf(program, join(folder, String(kill)), kill, Math.min(KILLS, kill + OF_ONE_DATASET), found);
  if (KILLS < 100) return;
  console.log(`${String(KILLS)} kills: ${JSON.stringify(found)}`);
  expect(Math.min(found.uncommitted, found.untold, found.conflicts)).toBeGreaterThan(0);
});

async function killsOf(program: string, folder: string, from: number, to: number, found: Found): Promise<void> {
  const store = new FolderStore(folder);
  await commit(store, [await writePart(store, { of: Int32Array.of(1, 1) })], { expected: 0 });
  let before = { lost: 0, version: 1 };
  for (let kill = from; kill < to; kill += 1) {
    const reported = { version: 0 };
    const delayMs = 5 + ((kill * 37) % 120);
    // Every other time two of them.
    await Promise.all(
      Array.from({ length: 1 + (kill % 2) }, () => killed(program, store.name, delayMs, reported, found)),
    );
    const dataset = await openDataset(store);
    const { version, files } = dataset;
    expect(version).toBeGreaterThanOrEqual(reported.version);
    const { n, least, most } = await dataset.agg({ n: 'count', least: { min: 'of' }, most: { max: 'of' } });
    // Version 1 has 2 rows, each later one 4 more.
    expect([n, least, most]).toEqual([4 * version - 2, 1, version]);
    dataset.close();
    const lost = (await partCount(store)) - files.length;
    if (version > Math.max(before.version, reported.version)) found.untold += 1;
    if (lost > before.lost) found.uncommitted += 1;
    before = { lost, version };
  }
  const all = await history(store);
  expect(all.map(({ version, rowCount }) => [version, rowCount])).toEqual(
    Array.from({ length: before.version }, (_, at) => [at + 1, 4 * (at + 1) - 2]),
  );
  const next = await commit(store, [await writePart(store, { of: Int32Array.of(0) })], { expected: before.version });
  expect(next.version).toBe(before.version + 1);
  found.versions += next.version;
  // Thousands of files, which would take longer together than a test has for its end.
  rmSync(folder, { recursive: true });
}

async function killed(
  program: string,
  folder: string,
  delayMs: number,
  reported: { version: number },
  found: Found,
): Promise<void> {
  const signal = await new Promise<string | null>((done) => {
    const child = fork(program, [folder], { execArgv: [] });
    child.on('message', (message) => {
      if (message === 'ready') setTimeout(() => child.kill('SIGKILL'), delayMs);
      else if (message === 'conflict') found.conflicts += 1;
      else reported.version = Math.max(reported.version, message as number);
    });
    child.once('close', (_, by) => done(by));
  });
  expect(signal).toBe('SIGKILL');
}

/** Those that lie there, whether a version names them or not. */
async function partCount(store: FolderStore): Promise<number> {
  let count = 0;
  for await (const { key } of store.list('')) if (key.endsWith('.cna')) count += 1;
  return count;
}
