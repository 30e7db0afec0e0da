#!/usr/bin/env node
// `npm run test:torch`: the examples of docs/examples/training under PyTorch's launcher. Ranks of torchrun and ranks of
// syrah's loader are given the same shards, the same state and other numbers of ranks: every batch has to be the same,
// over a stop, and every sample has to come once. PyTorch comes from PyPI into an environment of its own (gigabytes),
// by COLKIT_PYTHON or python3; COLKIT_TORCH names a Python that has torch, numpy and pymongo.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../published.mjs';

const PACKAGES = ['torch==2.15.0', 'numpy==2.4.6', 'pymongo==4.20.0'];
const LENGTHS = [37, 1, 50, 23];
const TIMEOUT_MS = 300_000;
const BATCH = 4;
const STOP = 5;

const cache = join(ROOT, 'packages', 'tooling', '.cache', 'torch');
const python = process.env.COLKIT_TORCH ?? installed();
const work = join(cache, 'work');
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
for (const name of ['train.py', 'order.py', 'syr.py'])
  copyFileSync(join(ROOT, 'docs', 'examples', 'training', name), join(work, name));
copyFileSync(join(ROOT, 'docs', 'formats', 'loader_order.py'), join(work, 'loader_order.py'));
const { create, DataLoader, SyrahDataset } = await import(
  pathToFileURL(join(ROOT, 'packages', 'syrah', 'dist', 'index.js')).href
);
const KEYS = ['index', 'features', 'label'];
const shards = await writeShards();
const dataset = await SyrahDataset.open(shards, KEYS);

for (const shuffle of [true, { blockItems: 8, bufferItems: 24 }])
  for (const then of [3, 1, 2]) await compare(shuffle, 2, then);

/** Ranks stop after some batches; others go on to the end of the next epoch: torch's and ours. */
async function compare(shuffle, first, then) {
  const name = `${JSON.stringify(shuffle)}: ${first} ranks, then ${then}`;
  const options = { batchSize: BATCH, shuffle, seed: 7 };
  const state = join(work, 'state.json');
  rmSync(`${state}.pt`, { force: true });
  // It begins with us, goes on under torchrun, and the state that torch wrote is ours again.
  writeFileSync(state, JSON.stringify(new DataLoader(dataset, options).state()));
  const began = torchrun(first, ['--batches', String(STOP)]);
  const ofTorch = JSON.parse(readFileSync(state, 'utf8'));
  const wentOn = torchrun(then, []);
  const [ours, oursAfter] = [[], []];
  let saved;
  for (let rank = 0; rank < first; rank += 1) {
    const loader = new DataLoader(dataset, { ...options, rank, worldSize: first });
    ours.push(await taken(loader, 0, STOP));
    saved = loader.state();
    await loader.close();
  }
  for (const from of [saved, ofTorch])
    oursAfter.push(
      await Promise.all(
        Array.from({ length: then }, async (_, rank) => {
          const loader = DataLoader.resume(dataset, from, { ...options, rank, worldSize: then });
          const batches = [...(await taken(loader, 0)), ...(await taken(loader, 1))];
          await loader.close();
          return batches;
        }),
      ),
    );
  same(`${name}: first batches`, began, ours);
  same(`${name}: batches after our state`, wentOn, oursAfter[0]);
  same(`${name}: batches after torch's state`, wentOn, oursAfter[1]);
  // Over the stop, each sample of epoch 0 came, and twice only where the rest is padded.
  const epoch = [...began, ...wentOn]
    .flat()
    .filter(([each]) => each === 0)
    .flatMap(([, indices]) => indices);
  const count = LENGTHS.reduce((sum, each) => sum + each, 0);
  const padded = (then - ((count - STOP * BATCH * first) % then)) % then;
  same(`${name}: each sample once`, [new Set(epoch).size, epoch.length], [count, count + padded]);
  console.log(`${name}: the same ${wentOn.flat().length + began.flat().length} batches`);
}

async function taken(loader, epoch, most = Infinity) {
  const batches = [];
  for await (const [index] of loader) {
    batches.push([epoch, Array.from(index.data, Number)]);
    if (batches.length === most) break;
  }
  return batches;
}

function torchrun(ranks, more) {
  const log = join(work, 'given');
  const parameters = ['-m', 'torch.distributed.run', '--standalone', '--nproc-per-node', String(ranks)];
  const { status, stdout, stderr } = spawnSync(
    python,
    [...parameters, 'train.py', 'state.json', ...shards, '--given', log, ...more],
    { cwd: work, encoding: 'utf8', timeout: TIMEOUT_MS, env: { ...process.env, OMP_NUM_THREADS: '1' } },
  );
  if (status !== 0) throw new Error(`torchrun ended with ${status}:\n${stdout}${stderr}`);
  const given = Array.from({ length: ranks }, (_, rank) => JSON.parse(readFileSync(`${log}-${rank}.json`, 'utf8')));
  same('weights of all ranks', new Set(given.map(({ weights }) => weights.join())).size, 1);
  return given.map(({ batches }) => batches);
}

function same(what, found, expected) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what}:\n${one}\nbut expected\n${other}`);
}

/** Items whose index is their running number; arrays at odd bytes. */
async function writeShards() {
  const paths = [];
  let index = 0;
  for (const [shard, length] of LENGTHS.entries()) {
    const path = join(work, `train-${shard}.syr`);
    const writer = await create(path);
    for (let item = 0; item < length; item += 1, index += 1)
      await writer.addItem({
        odd: new Uint8Array(item % 3),
        index: BigInt64Array.of(BigInt(index)),
        features: Float32Array.of(index % 5, index % 3, 1),
        label: Float32Array.of((index % 5) - 2 * (index % 3)),
      });
    await writer.close();
    paths.push(path);
  }
  return paths;
}

function installed() {
  const own = join(cache, 'env', process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  if (existsSync(own)) return own;
  mkdirSync(cache, { recursive: true });
  for (const [command, ...parameters] of [
    [process.env.COLKIT_PYTHON ?? 'python3', '-m', 'venv', join(cache, 'env')],
    [own, '-m', 'pip', 'install', '--quiet', ...PACKAGES],
  ]) {
    const { status } = spawnSync(command, parameters, { stdio: 'inherit' });
    if (status === 0) continue;
    rmSync(join(cache, 'env'), { recursive: true, force: true });
    throw new Error(`${command} ${parameters.join(' ')} failed`);
  }
  return own;
}
