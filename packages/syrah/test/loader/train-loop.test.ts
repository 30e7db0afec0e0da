// Real training loops: three epochs, a checkpoint before the first batch, after every batch and after every epoch; the
// run ends at any of them and goes on in a new process. What both saw together is what one run sees, in its order.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { DataLoader, SyrahDataset } from '../../src/index.ts';
import type { LoaderOptions, LoaderState, Tensor } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeItems } from './fixture.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');
const COUNT = 11;
const EPOCHS = 3;
const script = fileURLToPath(new URL('./train-loop.mjs', import.meta.url));

beforeAll(async () => {
  await writeItems(path, COUNT);
});

interface Seen {
  readonly epoch: number;
  readonly batch: readonly number[];
}
type Line = Seen | { readonly state: LoaderState };

const seenOf = (lines: readonly Line[]): Seen[] => lines.filter((line) => 'batch' in line);
const statesOf = (lines: readonly Line[]): LoaderState[] =>
  lines.flatMap((line) => ('state' in line ? [line.state] : []));

function runProcess(options: LoaderOptions, state: LoaderState | null, stopAfter = 0): Line[] {
  const argument = JSON.stringify({ path, options, epochs: EPOCHS, state, stopAfter });
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, argument], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** The same loop in this process. */
async function runHere(options: LoaderOptions, state: LoaderState | null): Promise<Line[]> {
  const dataset = await SyrahDataset.open(path, ['label']);
  type Batch = [Tensor<Int32Array>];
  const loader =
    state === null
      ? new DataLoader<Batch>(dataset, options)
      : DataLoader.resume<Batch>(dataset, JSON.parse(JSON.stringify(state)), options);
  const lines: Line[] = [{ state: loader.state() }];
  for (let epoch = loader.epoch; epoch < EPOCHS; epoch += 1) {
    for await (const [label] of loader)
      lines.push({ epoch: loader.epoch, batch: [...label.data] }, { state: loader.state() });
    lines.push({ state: loader.state() });
  }
  await loader.close();
  dataset.close();
  return lines;
}

const ORDERS: readonly LoaderOptions[] = [
  { batchSize: 4 },
  { batchSize: 4, shuffle: true, seed: 3 },
  { batchSize: 4, shuffle: true, seed: 3, dropLast: true },
  { batchSize: 2, shuffle: true, rank: 1, worldSize: 3, tail: 'pad' },
  { batchSize: 2, shuffle: true, rank: 2, worldSize: 3, tail: 'uneven', dropLast: true },
  { batchSize: 2, rank: 0, worldSize: 3, tail: 'drop' },
  { batchSize: COUNT, shuffle: true },
  { batchSize: 5, sampler: [10, 0, 0, 3, 7, 1] },
];

// Orders and states are the same with the addon, which reads items on this thread in other tests.
const WORKERS = process.env['COLKIT_BACKEND'] === 'native' ? [2] : [0, 2];

describe.each(ORDERS)('%j', (options) => {
  test.each(WORKERS)('goes on from every checkpoint, with %i workers', async (workers) => {
    const whole = await runHere({ ...options, workers }, null);
    const batches = seenOf(whole);
    expect(batches.length).toBe(EPOCHS * new DataLoader({ length: COUNT, get: () => 0 }, options).length);
    let done = 0;
    for (const line of whole) {
      if ('batch' in line) done += 1;
      else
        expect(
          seenOf(
            await runHere(
              {
                ...(options.sampler === undefined ? {} : { sampler: options.sampler }),
                workers: done % 4 === 1 ? workers : 0,
              },
              line.state,
            ),
          ),
          `after ${String(done)} batches`,
        ).toEqual(batches.slice(done));
    }
    expect(done).toBe(batches.length);
  });
});

test.each(WORKERS)('in new processes, which end at any checkpoint, with %i workers', async (workers) => {
  const options = { batchSize: 4, shuffle: true, seed: 5, workers };
  const whole = seenOf(await runHere({ ...options, workers: 0 }, null));
  const together: Seen[] = [];
  let state: LoaderState | null = null;
  // Before the first batch; within an epoch; at its last batch; right after it; within the last one; the rest.
  for (const stopAfter of [1, 3, 3, 1, 4, 0]) {
    const lines: Line[] = runProcess(options, state, stopAfter);
    together.push(...seenOf(lines));
    state = statesOf(lines).at(-1)!;
  }
  expect(together).toEqual(whole);
  expect(state).toMatchObject({ epoch: EPOCHS, batchesDone: 0 });
  expect(seenOf(runProcess(options, state))).toEqual([]);
});

test('a state of a whole epoch, as older versions wrote it, goes on with the next', async () => {
  const options = { batchSize: 4, shuffle: true };
  const whole = await runHere(options, null);
  const [state] = statesOf(whole);
  expect(seenOf(await runHere(options, { ...state!, epoch: 1, batchesDone: 3 }))).toEqual(seenOf(whole).slice(6));
});

test('a loader without batches counts its epochs, too', async () => {
  const dataset = { length: 3, get: () => 0 };
  const loader = new DataLoader(dataset, { batchSize: 4, dropLast: true });
  const epochs: number[] = [loader.state().epoch];
  for (let k = 0; k < 3; k += 1) {
    for await (const batch of loader) expect.unreachable(String(batch));
    epochs.push(loader.state().epoch);
  }
  expect(epochs).toEqual([0, 1, 2, 3]);
  expect(DataLoader.resume(dataset, { ...loader.state(), epoch: 1 }).epoch).toBe(1);
});
