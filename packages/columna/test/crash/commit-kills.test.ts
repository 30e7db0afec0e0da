// Committers that are killed at any moment: each version that was reported is there, with just the rows that were
// committed to it, and the next one can commit.
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderStore } from '@colkit/io/durable';
import { expect, it } from 'vitest';
import { commit, openDataset, writePart } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const KILLS = Number(process.env['COLKIT_KILLS'] ?? 3);
const newFolder = newFolders('commit-kills');

const PROGRAM = `
import { commit, openDataset, writePart } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
const [folder] = process.argv.slice(2);
process.send('ready');
for (;;) {
  const { version } = await openDataset(folder);
  const parts = [];
  for (let k = 0; k < 2; k += 1) parts.push(await writePart(folder, { of: Int32Array.of(version + 1, version + 1) }));
  await commit(folder, parts, { expected: version });
  process.send(version + 1);
}`;

it(`keeps its promises over ${String(KILLS)} kills`, { timeout: 60_000 + KILLS * 4000 }, async () => {
  const { folder } = newFolder();
  const program = join(folder, 'commit.mjs');
  const store = new FolderStore(join(folder, 'rows'));
  writeFileSync(program, PROGRAM);
  await commit(store, [await writePart(store, { of: Int32Array.of(1, 1) })], { expected: 0 });
  for (let kill = 0; kill < KILLS; kill += 1) {
    let reported = 0;
    await new Promise<void>((done) => {
      const child = fork(program, [store.name], { execArgv: [] });
      child.on('message', (message) => {
        if (message === 'ready') setTimeout(() => child.kill('SIGKILL'), 5 + ((kill * 37) % 120));
        else reported = message as number;
      });
      child.once('exit', () => done());
    });
    const dataset = await openDataset(store);
    expect(dataset.version).toBeGreaterThanOrEqual(reported);
    const { n, least, most } = await dataset.agg({ n: 'count', least: { min: 'of' }, most: { max: 'of' } });
    // Version 1 has 2 rows, each later one 4 more.
    expect([n, least, most]).toEqual([4 * dataset.version - 2, 1, dataset.version]);
    dataset.close();
  }
  const { version } = await openDataset(store);
  const next = await commit(store, [await writePart(store, { of: Int32Array.of(0) })], { expected: version });
  expect(next.version).toBe(version + 1);
});
