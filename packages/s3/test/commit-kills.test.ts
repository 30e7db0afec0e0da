// Two committers to a bucket, of which one or both are killed at any moment, while the server loses answers: each
// version that was reported is there, with just the rows that were committed to it. Short here;
// `pnpm --filter @colkit/s3 run test:crash` kills 500 times in some minutes, and prints what was found.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commit, history, openDataset, writePart } from 'columna';
import { expect, it, onTestFinished } from 'vitest';
import { storeOf, strictServer } from './support.ts';

const KILLS = Number(process.env['COLKIT_KILLS'] ?? 4);
/** Versions become many, and each names all parts before it. */
const OF_ONE_DATASET = 20;
const moduleAt = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

const PROGRAM = `
import { commit, openDataset, writePart } from ${moduleAt('../../columna/dist/index.js')};
import { s3Store } from ${moduleAt('../dist/index.js')};
const store = s3Store(JSON.parse(process.argv[2]));
process.send('ready');
for (;;) {
  const { version } = await openDataset(store);
  const parts = [];
  for (let k = 0; k < 2; k += 1) parts.push(await writePart(store, { of: Int32Array.of(version + 1, version + 1) }));
  try {
    await commit(store, parts, { expected: version });
    process.send(version + 1);
  } catch (error) {
    if (error.code !== 'ERR_CONFLICT') throw error;
    process.send('conflict');
  }
}`;

it(`keeps its promises over ${String(KILLS)} kills`, { timeout: 60_000 + KILLS * 4000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-s3-kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'commit.mjs');
  writeFileSync(program, PROGRAM);
  const server = await strictServer();
  const { endpoint, bucketName: bucket, keys: credentials } = server;
  // One of seven requests is done, and its answer is lost.
  let requests = 0;
  server.misbehave = () => ((requests += 1) % 7 === 0 ? { kind: 'lose' } : null);
  const found = { uncommitted: 0, untold: 0, conflicts: 0, versions: 0 };
  let before = { lost: 0, version: 0 };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const prefix = `dataset-${String(Math.floor(kill / OF_ONE_DATASET))}`;
    const options = { endpoint, bucket, credentials, prefix, retry: { baseMs: 1 } };
    const store = storeOf(server, options);
    if (kill % OF_ONE_DATASET === 0) {
      server.bucket.objects.clear();
      await commit(store, [await writePart(store, { of: Int32Array.of(1, 1) })], { expected: 0 });
      before = { lost: 0, version: 1 };
    }
    let reported = 0;
    // A commit takes a hundred milliseconds and more: some die before the first one, most in a later one.
    const delayMs = 20 + ((kill * 137) % 700);
    const ends = Array.from({ length: 1 + (kill % 2) }, () => {
      const child = fork(program, [JSON.stringify(options)], { execArgv: [] });
      child.on('message', (message) => {
        if (message === 'ready') setTimeout(() => child.kill('SIGKILL'), delayMs);
        else if (message === 'conflict') found.conflicts += 1;
        else reported = Math.max(reported, message as number);
      });
      return new Promise<string | null>((done) => child.once('close', (_, signal) => done(signal)));
    });
    expect(await Promise.all(ends)).toEqual(ends.map(() => 'SIGKILL'));
    const dataset = await openDataset(store);
    const { version, files } = dataset;
    expect(version).toBeGreaterThanOrEqual(reported);
    const { n, least, most } = await dataset.agg({ n: 'count', least: { min: 'of' }, most: { max: 'of' } });
    // Version 1 has 2 rows, each later one 4 more.
    expect([n, least, most]).toEqual([4 * version - 2, 1, version]);
    dataset.close();
    const rows = (await history(store)).map((entry) => [entry.version, entry.rowCount]);
    expect(rows).toEqual(Array.from({ length: version }, (_, at) => [at + 1, 4 * at + 2]));
    const lost = [...server.bucket.objects.keys()].filter((key) => key.endsWith('.cna')).length - files.length;
    if (version > Math.max(before.version, reported)) found.untold += 1;
    if (lost > before.lost) found.uncommitted += 1;
    found.versions += version - before.version;
    before = { lost, version };
  }
  if (KILLS < 100) return;
  console.log(`${String(KILLS)} kills: ${JSON.stringify(found)}`);
  expect(Math.min(found.uncommitted, found.conflicts, found.versions - KILLS / OF_ONE_DATASET)).toBeGreaterThan(0);
});
