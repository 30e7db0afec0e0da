// An epoch of syrah's loader over shards of a server whose answers take a while, beside the same epoch over the files
// themselves: what a training loop sees, that does something for a while with each batch. Every epoch's labels and sums
// are compared with those of the local one before its time counts.
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DataLoader, SyrahDataset, create } from 'syrah';
import type { LoaderOptions, Tensor } from 'syrah';
import { table } from '../src/report/report.ts';
import type { Served } from './server.ts';

export interface RemoteOptions {
  readonly folder: string;
  /** The built server.ts. */
  readonly server: URL;
  readonly delayMs: number;
  /** How long the loop is busy elsewhere with each batch. */
  readonly stepMs: number;
  readonly files: number;
  /** Of each file; each has 16 KiB and a label. */
  readonly items: number;
  readonly rounds: number;
  readonly onProgress: (text: string) => void;
}

interface Arm {
  readonly name: string;
  readonly loader: LoaderOptions;
  /** 'memory': a cache of its own for each epoch; 'kept': one in files, which an epoch before has filled. */
  readonly cache: 'none' | 'memory' | 'kept';
}

export interface RemoteResult {
  readonly arm: string;
  /** Items a second, medians. */
  readonly local: number;
  readonly remote: number;
  /** The median of the ratios of the rounds. */
  readonly ratio: number;
  readonly requests: number;
}

const BATCH = 64;
const ELEMENTS = 4096;
const BLOCKS = { blockItems: BATCH, bufferItems: 16 * BATCH };

const ARMS: readonly Arm[] = [
  { name: 'in order', loader: { prefetch: 16 }, cache: 'none' },
  { name: 'in order, 2 workers', loader: { prefetch: 32, workers: 2 }, cache: 'none' },
  { name: 'blocks, cache in memory', loader: { prefetch: 32, shuffle: BLOCKS }, cache: 'memory' },
  { name: 'blocks, cache of an earlier epoch', loader: { prefetch: 32, shuffle: BLOCKS }, cache: 'kept' },
];

export async function runRemote(options: RemoteOptions): Promise<readonly RemoteResult[]> {
  const { folder, delayMs, onProgress } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  onProgress('remote: files');
  const names = await writeFiles(options);
  const server = new Worker(options.server, { workerData: { folder, delayMs } satisfies Served });
  const [port] = (await once(server, 'message')) as [number];
  try {
    const local = names.map((name) => join(folder, name));
    const urls = names.map((name) => `http://127.0.0.1:${String(port)}/${name}`);
    const results: RemoteResult[] = [];
    for (const arm of ARMS) results.push(await measure(arm, local, urls, server, options));
    return results;
  } finally {
    await server.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeFiles({ folder, files, items }: RemoteOptions): Promise<string[]> {
  const names: string[] = [];
  for (let file = 0; file < files; file += 1) {
    const name = `${String(file)}.syr`;
    const writer = await create(join(folder, name), { durability: 'none' });
    for (let item = 0; item < items; item += 1) {
      const label = file * items + item;
      writer.addItemSync({ label: Int32Array.of(label), data: new Float32Array(ELEMENTS).fill(label % 1000) });
    }
    await writer.close();
    names.push(name);
  }
  return names;
}

/** Rounds of a local and a remote epoch, one after the other. */
async function measure(
  arm: Arm,
  local: readonly string[],
  urls: readonly string[],
  server: Worker,
  options: RemoteOptions,
): Promise<RemoteResult> {
  const kept = { folder: join(options.folder, 'cache'), bytes: 2 ** 24 };
  if (arm.cache === 'kept') await epochOf(urls, { ...arm, loader: { ...arm.loader, seed: 1 } }, options, kept);
  const locals: number[] = [];
  const remotes: number[] = [];
  let requests = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    options.onProgress(`remote: ${arm.name}, round ${String(round + 1)}`);
    const here = await epochOf(local, arm, options, null);
    await requestsOf(server);
    const there = await epochOf(urls, arm, options, arm.cache === 'none' ? null : arm.cache === 'kept' ? kept : {});
    requests = await requestsOf(server);
    if (here.mark !== there.mark) throw new Error(`${arm.name}: the remote epoch is not the local one`);
    locals.push(here.rate);
    remotes.push(there.rate);
  }
  const ratios = remotes.map((rate, round) => rate / (locals[round] ?? Number.NaN));
  return { arm: arm.name, local: medianOf(locals), remote: medianOf(remotes), ratio: medianOf(ratios), requests };
}

async function requestsOf(server: Worker): Promise<number> {
  server.postMessage('requests');
  return ((await once(server, 'message')) as [number])[0];
}

/** From the first batch on: opening, and starting threads, is no part of a rate. */
async function epochOf(
  files: readonly string[],
  { loader: given }: Arm,
  { stepMs }: RemoteOptions,
  cache: { readonly folder?: string; readonly bytes?: number } | null,
): Promise<{ readonly rate: number; readonly mark: string }> {
  using dataset = await SyrahDataset.open(files, ['label', 'data'], cache === null ? {} : { cache });
  await using loader = new DataLoader<[Tensor<Int32Array>, Tensor<Float32Array>]>(dataset, {
    batchSize: BATCH,
    warmStart: false,
    ...given,
  });
  let [start, items, mark] = [0, 0, 0];
  for await (const [label, data] of loader) {
    if (start === 0) start = performance.now();
    else items += label.data.length;
    for (const [k, each] of label.data.entries())
      mark = (Math.imul(mark, 31) + each + (data.data[k * ELEMENTS + (each % ELEMENTS)] ?? Number.NaN)) | 0;
    await new Promise((done) => setTimeout(done, stepMs));
  }
  return { rate: (1000 * items) / (performance.now() - start), mark: String(mark) };
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function remoteReport(results: readonly RemoteResult[], { delayMs, stepMs }: RemoteOptions): string {
  const waits = `${String(delayMs)} ms for each answer, ${String(stepMs)} ms for each batch of ${String(BATCH)}`;
  const rows = results.map(({ arm, local, remote, ratio, requests }) => [
    arm,
    local.toFixed(0),
    remote.toFixed(0),
    ratio.toFixed(2),
    String(requests),
  ]);
  return `Items of 16 KiB a second, ${waits}:\n\n${table(['epoch', 'local', 'remote', 'ratio', 'requests'], rows)}`;
}
