// Bounded memory, in a process of its own: a writer holds 16 bytes for each array and one buffer; a loader holds as
// many batches as it may make ahead; neither grows with the file.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const MEGABYTE = 1024 * 1024;

/** Runs a script with the built library; it prints one JSON value. */
function measured(body: string): Record<string, number> {
  const library = JSON.stringify(new URL('../../dist/index.js', import.meta.url).href);
  const script =
    `import { DataLoader, SyrahDataset, create } from ${library};\nconst path = ` +
    `${JSON.stringify(folder.path('large.syr'))};\n${body}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as Record<string, number>;
}

test('writing 160 MB and loading them', () => {
  const { grown = Infinity, bytes = 0 } = measured(`
    const features = new Float64Array(20_000);
    const writer = await create(path, { durability: 'none' });
    await writer.addItem({ features });
    gc();
    const before = process.memoryUsage().rss;
    let most = 0;
    for (let i = 1; i < 1000; i += 1) {
      features.fill(i);
      await writer.addItem({ features });
      most = Math.max(most, process.memoryUsage().rss);
    }
    const [{ byteLength }] = [await writer.close()].map(() => ({ byteLength: 1000 * features.byteLength }));
    console.log(JSON.stringify({ grown: most - before, bytes: byteLength }));
  `);
  expect(bytes).toBe(160e6);
  expect(grown).toBeLessThan(48 * MEGABYTE);

  const { held = Infinity, seen = 0 } = measured(`
    const dataset = await SyrahDataset.open(path, ['features']);
    let seen = 0;
    let held = 0;
    const batches = new DataLoader(dataset, { batchSize: 10, shuffle: true, workers: 2, prefetch: 3 });
    for await (const [features] of batches) {
      seen += features.shape[0];
      if (seen % 100 !== 0) continue;
      // Pooled memory returns in a later turn.
      for (let turn = 0; turn < 3; turn += 1) { gc(); await new Promise((resolve) => setTimeout(resolve, 5)); }
      held = Math.max(held, process.memoryUsage().arrayBuffers);
    }
    console.log(JSON.stringify({ held, seen }));
    dataset.close();
  `);
  expect(seen).toBe(1000);
  // Four batches of 1.6 MB are alive at most, one in use and three ahead; the rest is what collectors have not come to.
  // The file is 160 MB.
  expect(held).toBeLessThan(36 * MEGABYTE);
}, 120_000);
