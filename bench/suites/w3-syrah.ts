// W3's tasks through the public face of this repository's syrah: items and batches in both forms, and the loader.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DataLoader, SyrahDataset, create, createSync, open, openSync } from 'syrah';
import type { SyrahFile } from 'syrah';
import { asyncTask, syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, PeerSuite, SuiteContext, Task, Workload } from '../src/checkouts/peer.ts';
import { BATCH, SETS, newArray, readW3, sumOf } from './w3-data.ts';
import type { Item, W3Inputs } from './w3-data.ts';

export interface Use {
  readonly backend: 'native' | 'js';
  readonly kind: 'sync' | 'async' | 'loader' | 'resident';
  readonly workers?: number;
}

const COMPUTE_MS = 5;

export function w3Syrah(uses: Readonly<Record<string, Use>>): Record<'w3a' | 'w3b' | 'w3m', PeerSuite> {
  const items = (set: 'a' | 'b'): PeerSuite => ({
    variants: Object.keys(uses).filter((name) => set === 'a' || uses[name]?.kind !== 'resident'),
    build(context) {
      const inputs = readW3(set, context);
      writeAll(itemsPath(context), inputs);
    },
    prepare: (variant, context) => prepareItems(set, uses[variant] as Use, context),
  });
  const opening: PeerSuite = {
    variants: Object.keys(uses).filter((name) => uses[name]?.kind === 'sync' || uses[name]?.kind === 'async'),
    build: buildMany,
    prepare: (variant, context) => prepareMany(uses[variant] as Use, context),
  };
  return { w3a: items('a'), w3b: items('b'), w3m: opening };
}

function writeAll(path: string, inputs: W3Inputs): void {
  const writer = createSync(path, { overwrite: true, durability: 'none' });
  for (let i = 0; i < inputs.itemCount; i++) writer.addItemSync(inputs.item(i));
  writer.closeSync();
}

function prepareItems(set: 'a' | 'b', use: Use, context: SuiteContext): Workload {
  const inputs = readW3(set, context);
  const path = itemsPath(context);
  const options = { backend: use.backend };
  let opened: SyrahFile | undefined;
  const file = (): SyrahFile => opened as SyrahFile;
  const loading = use.kind === 'loader' ? new Loading(file, inputs, use) : null;
  return {
    files: [path],
    load: async () => {
      opened = use.kind === 'async' ? await open(path, options) : openSync(path, options);
    },
    tasks:
      use.kind === 'sync'
        ? syncTasks(file, inputs, path, options, context)
        : use.kind === 'async'
          ? asyncTasks(file, inputs, path, options, context)
          : (loading?.tasks() ?? residentTasks(inputs)),
    release: () => inputs.release(),
    close: async () => {
      await loading?.close();
      opened?.close();
    },
  };
}

function syncTasks(
  file: () => SyrahFile,
  inputs: W3Inputs,
  path: string,
  options: { backend: 'native' | 'js' },
  context: SuiteContext,
): Record<string, Task> {
  const { order, itemCount, stacked } = inputs;
  const at = (iteration: number): number => order[iteration % itemCount] as number;
  const out = newArray(stacked.dtype, BATCH * (stacked.length ?? 0));
  const views = options.backend === 'native';
  const cheapest = (iteration: number): Item =>
    (views ? file().viewItem(at(iteration)) : file().getItemSync(at(iteration))) as Item;
  return {
    ...(views ? { view: syncTask((i) => file().viewItem(at(i)), item) } : {}),
    get: syncTask((i) => file().getItemSync(at(i)), item),
    sum: syncTask(
      (i) => sumOf(cheapest(i)[stacked.name] as Float64Array),
      (sum) => ({ sum }),
    ),
    label: syncTask(
      (i) => file().getArraySync(at(i), 'label'),
      (label) => ({ label: label as Int32Array }),
    ),
    'batch-new': syncTask(
      (i) => file().gatherItemsSync(inputs.batch(i), stacked.name),
      ({ data }) => ({ data: data as Float64Array }),
    ),
    'batch-into': syncTask(
      (i) => file().gatherItemsSync(inputs.batch(i), stacked.name, { out }),
      ({ data }) => ({ data: data as Float64Array }),
    ),
    open: syncTask(() => count(openSync(path, options)), counted),
    write: syncTask(
      () => {
        const target = join(context.ownDirectory, `written-${String(process.pid)}-${randomUUID()}.syr`);
        const writer = createSync(target, { durability: 'none' });
        for (let k = 0; k < itemCount; k++) writer.addItemSync(inputs.item(k));
        writer.closeSync();
        return removedLater(target);
      },
      written(inputs),
      inputs.ready,
    ),
    epoch: syncTask(() => {
      const tally = new Tally();
      for (let start = 0; start < itemCount; start += BATCH) {
        const batch = order.subarray(start, start + BATCH);
        const labels = file().gatherItemsSync(batch, 'label');
        tally.add(file().gatherItemsSync(batch, stacked.name).data as Float64Array, labels.data as Int32Array);
      }
      return tally;
    }, outcome),
  };
}

function asyncTasks(
  file: () => SyrahFile,
  inputs: W3Inputs,
  path: string,
  options: { backend: 'native' | 'js' },
  context: SuiteContext,
): Record<string, Task> {
  const { order, itemCount, stacked } = inputs;
  const at = (iteration: number): number => order[iteration % itemCount] as number;
  const out = newArray(stacked.dtype, BATCH * (stacked.length ?? 0));
  return {
    get: asyncTask((i) => file().getItem(at(i)), item),
    label: asyncTask(
      (i) => file().getArray(at(i), 'label'),
      (label) => ({ label: label as Int32Array }),
    ),
    'batch-new': asyncTask(
      (i) => file().gatherItems(inputs.batch(i), stacked.name),
      ({ data }) => ({ data: data as Float64Array }),
    ),
    'batch-into': asyncTask(
      (i) => file().gatherItems(inputs.batch(i), stacked.name, { out }),
      ({ data }) => ({ data: data as Float64Array }),
    ),
    open: asyncTask(async () => count(await open(path, options)), counted),
    write: asyncTask(
      async () => {
        const target = join(context.ownDirectory, `written-${String(process.pid)}-${randomUUID()}.syr`);
        const writer = await create(target, { durability: 'none' });
        for (let k = 0; k < itemCount; k++) await writer.addItem(inputs.item(k));
        await writer.close();
        return removedLater(target);
      },
      written(inputs),
      inputs.ready,
    ),
  };
}

const compute = (): void => {
  for (const end = performance.now() + COMPUTE_MS; performance.now() < end; );
};

/** Epochs of one loader, as a training run has them: its workers start in the first, which is not measured. */
class Loading {
  readonly #file: () => SyrahFile;
  readonly #inputs: W3Inputs;
  readonly #workers: number;
  #loader: DataLoader<LoaderBatch> | null = null;

  constructor(file: () => SyrahFile, inputs: W3Inputs, { workers = 0 }: Use) {
    this.#file = file;
    this.#inputs = inputs;
    this.#workers = workers;
  }

  tasks(): Record<string, Task> {
    const withCompute = this.#inputs.set === 'a' ? { 'epoch-5ms': asyncTask(() => this.#epoch(compute), outcome) } : {};
    return { epoch: asyncTask(() => this.#epoch(() => undefined), outcome), ...withCompute };
  }

  async close(): Promise<void> {
    await this.#loader?.close();
  }

  async #epoch(onBatch: () => void): Promise<Tally> {
    const tally = new Tally();
    this.#loader ??= new DataLoader<LoaderBatch>(new SyrahDataset(this.#file(), [this.#inputs.stacked.name, 'label']), {
      batchSize: BATCH,
      shuffle: true,
      seed: 1,
      workers: this.#workers,
    });
    for await (const [features, labels] of this.#loader) {
      tally.add(features.data, labels.data);
      onBatch();
    }
    return tally;
  }
}

/** The consumer's own time: items that are in memory. */
function residentTasks({ itemCount, item: itemAt, stacked, ready }: W3Inputs): Record<string, Task> {
  return {
    'epoch-5ms': asyncTask(
      () => {
        const tally = new Tally();
        for (let start = 0; start < itemCount; start += BATCH) {
          for (let i = start; i < Math.min(start + BATCH, itemCount); i++)
            tally.add(itemAt(i)[stacked.name] as Float64Array, itemAt(i)['label'] as BigInt64Array);
          compute();
        }
        return Promise.resolve(tally);
      },
      outcome,
      ready,
    ),
  };
}

type LoaderBatch = readonly [{ readonly data: Float64Array }, { readonly data: Int32Array | BigInt64Array }];

/** What an epoch saw, whatever its order was. */
export class Tally {
  numbers = 0;
  labels = 0;

  add(features: Float64Array | Float32Array, labels: Int32Array | BigInt64Array): void {
    this.numbers += features.length;
    for (const label of labels) this.labels += Number(label);
  }
}

export function outcome({ numbers, labels }: Tally): Outputs {
  return { numbers: Float64Array.of(numbers), labels: Float64Array.of(labels) };
}

export function counted(items: number): Outputs {
  return { items: Int32Array.of(items) };
}

function buildMany({ ownDirectory, parameters }: SuiteContext): void {
  const writer = createSync(join(ownDirectory, 'items.syr'), { durability: 'none', overwrite: true });
  const one = new Int32Array(1);
  const made: Item = Object.fromEntries(SETS.m.map(({ name }) => [name, one]));
  for (let i = 0; i < (parameters['items'] ?? 0); i++) {
    one[0] = i;
    writer.addItemSync(made);
  }
  writer.closeSync();
}

function prepareMany({ backend, kind }: Use, context: SuiteContext): Workload {
  const path = itemsPath(context);
  const items = context.parameters['items'] ?? 0;
  const number = (i: number): number => (i * 7919) % items;
  const first = async (i: number): Promise<Item> => {
    await using file = await open(path, { backend });
    return (await file.getItem(number(i))) as Item;
  };
  return {
    files: [path],
    load: () => undefined,
    tasks:
      kind === 'async'
        ? { open: asyncTask(async () => count(await open(path, { backend })), counted), first: asyncTask(first, item) }
        : {
            open: syncTask(() => count(openSync(path, { backend })), counted),
            first: syncTask((i) => {
              using file = openSync(path, { backend });
              return file.getItemSync(number(i));
            }, item),
          },
    close: () => undefined,
  };
}

function item(found: object): Outputs {
  return { ...found } as Outputs;
}

function count(file: SyrahFile): number {
  const { itemCount } = file;
  file.close();
  return itemCount;
}

/** The written file, as a check sees it. */
function written(inputs: W3Inputs): (path: string) => Outputs {
  return (path) => {
    using file = openSync(path);
    const last = inputs.itemCount - 1;
    return {
      items: Int32Array.of(file.itemCount),
      features: (file.getItemSync(last) as Item)[inputs.stacked.name] as Float64Array,
    };
  };
}

/** The same path, removed after the clock has stopped. */
export function removedLater(path: string): string {
  setImmediate(() => rmSync(path, { force: true }));
  return path;
}

function itemsPath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'items.syr');
}
