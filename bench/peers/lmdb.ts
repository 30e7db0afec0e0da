// LMDB through `lmdb`, the fastest store of the Node ecosystem for values by number: one value an item, its arrays'
// bytes back to back, the widest first. `binary` keeps what it reads (getBinary); `binary-fast` reads into LMDB's one
// reused buffer, so that an item is gone with the next read: no match for a view, shown beside it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type * as Lmdb from 'lmdb';
import { versionOf } from '../src/checkouts/package-version.ts';
import { asyncTask, syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, Peer, PeerSuite, SuiteContext, Workload } from '../src/checkouts/peer.ts';
import { BATCH, SETS, arrayOver, itemBytes, newArray, readW3, sumOf } from '../suites/w3-data.ts';
import type { Item, W3Inputs, W3Key } from '../suites/w3-data.ts';
import { Tally, counted, outcome } from '../suites/w3-syrah.ts';

type Library = typeof Lmdb;
type Store = Lmdb.RootDatabase<Buffer, number>;

const items = (set: 'a' | 'b'): PeerSuite => ({
  variants: ['binary', 'binary-fast'],
  async build(context) {
    const inputs = readW3(set, context);
    await writeAll(await import('lmdb'), storePath(context), inputs);
  },
  prepare: async (variant, context) => prepareItems(await import('lmdb'), set, variant === 'binary-fast', context),
});

export const peer: Peer = {
  name: 'lmdb',
  load: async () => {
    await import('lmdb');
    return { lmdb: versionOf('lmdb') };
  },
  suites: {
    w3a: items('a'),
    w3b: items('b'),
    w3m: {
      variants: ['binary'],
      async build(context) {
        const store = openStore(await import('lmdb'), storePath(context));
        const value = Buffer.alloc(4 * SETS.m.length);
        store.transactionSync(() => {
          for (let i = 0; i < (context.parameters['items'] ?? 0); i++) {
            new Int32Array(value.buffer, value.byteOffset, SETS.m.length).fill(i);
            store.putSync(i, value);
          }
        });
        await store.close();
      },
      prepare: async (_variant, context) => prepareMany(await import('lmdb'), context),
    },
  },
};

/** Where each key's bytes are in a value: the widest elements first, an array of unknown length last. */
function planOf(keys: readonly W3Key[]): { key: W3Key; at: number }[] {
  const sorted = [...keys].sort(
    (a, b) =>
      Number(a.length === null) - Number(b.length === null) ||
      (b.length ?? 0) * itemBytes(b.dtype) - (a.length ?? 0) * itemBytes(a.dtype),
  );
  let at = 0;
  return sorted.map((key) => {
    const array = { key, at };
    at += (key.length ?? 0) * itemBytes(key.dtype);
    return array;
  });
}

function prepareItems(library: Library, set: 'a' | 'b', fast: boolean, context: SuiteContext): Workload {
  const inputs = readW3(set, context);
  const { order, itemCount, stacked } = inputs;
  const path = storePath(context);
  const plan = planOf(inputs.keys);
  let opened: Store | undefined;
  let written = 0;
  const read = (number: number): Buffer => (fast ? opened?.getBinaryFast(number) : opened?.getBinary(number)) as Buffer;
  const at = (iteration: number): number => order[iteration % itemCount] as number;
  const arrayAt = (value: Buffer, { key, at: start }: { key: W3Key; at: number }): Item[string] => {
    const length = key.length ?? (value.length - start) / itemBytes(key.dtype);
    const byteOffset = value.byteOffset + start;
    if (byteOffset % itemBytes(key.dtype) === 0) return arrayOver(key.dtype, value.buffer, byteOffset, length);
    return arrayOver(key.dtype, value.buffer.slice(byteOffset, byteOffset + length * itemBytes(key.dtype)));
  };
  const itemOf = (value: Buffer): Item => {
    const item: Item = {};
    for (const array of plan) item[array.key.name] = arrayAt(value, array);
    return item;
  };
  const [label, largest] = ['label', stacked.name].map(
    (name) => plan.find(({ key }) => key.name === name) as (typeof plan)[number],
  );
  const each = (stacked.length ?? 0) * itemBytes(stacked.dtype);
  const out = newArray(stacked.dtype, BATCH * (stacked.length ?? 0));
  const stack = (batch: Int32Array, data: Item[string], onValue?: (value: Buffer) => void): Item[string] => {
    const bytes = new Uint8Array(data.buffer);
    for (let k = 0; k < batch.length; k++) {
      const value = read(batch[k] as number);
      bytes.set(value.subarray(largest?.at, (largest?.at ?? 0) + each), k * each);
      onValue?.(value);
    }
    return data;
  };
  const same = (item: Item): Outputs => item;
  const reading = {
    view: syncTask((i) => itemOf(read(at(i))), same),
    sum: syncTask(
      (i) => sumOf(arrayAt(read(at(i)), largest as (typeof plan)[number]) as Float64Array),
      (sum) => ({ sum }),
    ),
    'batch-new': syncTask(
      (i) => stack(inputs.batch(i), newArray(stacked.dtype, BATCH * (stacked.length ?? 0))),
      (data) => ({ data }),
    ),
    'batch-into': syncTask(
      (i) => stack(inputs.batch(i), out),
      (data) => ({ data }),
    ),
    epoch: syncTask(() => {
      const tally = new Tally();
      for (let start = 0; start < itemCount; start += BATCH) {
        const batch = order.subarray(start, start + BATCH);
        const labels = newArray(label?.key.dtype ?? 'int32', batch.length) as Int32Array;
        let k = 0;
        tally.add(
          stack(batch, newArray(stacked.dtype, batch.length * (stacked.length ?? 0)), (value) => {
            labels[k++] = (arrayAt(value, label as (typeof plan)[number]) as Int32Array)[0] as number;
          }) as Float64Array,
          labels,
        );
      }
      return tally;
    }, outcome),
  };
  return {
    files: [path],
    load: () => {
      opened = openStore(library, path);
    },
    tasks: fast
      ? reading
      : {
          ...reading,
          get: syncTask((i) => itemOf(read(at(i))), same),
          label: syncTask((i) => ({ label: arrayAt(read(at(i)), label as (typeof plan)[number]) }), same),
          open: asyncTask(() => countOf(library, path), counted),
          write: asyncTask(
            async () => {
              const target = join(context.ownDirectory, `written-${String(process.pid)}-${String(++written)}.mdb`);
              await writeAll(library, target, inputs);
              setImmediate(() => remove(target));
              return target;
            },
            (target) => {
              const store = openStore(library, target);
              const found = {
                items: Int32Array.of(store.getCount()),
                features: arrayAt(store.getBinary(itemCount - 1) as Buffer, largest as (typeof plan)[number]),
              };
              void store.close().then(() => remove(target));
              return found;
            },
            inputs.ready,
          ),
        },
    release: () => inputs.release(),
    close: () => opened?.close(),
  };
}

function prepareMany(library: Library, context: SuiteContext): Workload {
  const path = storePath(context);
  const items = context.parameters['items'] ?? 0;
  return {
    files: [path],
    load: () => undefined,
    tasks: {
      open: asyncTask(() => countOf(library, path), counted),
      first: asyncTask(
        async (i) => {
          const store = openStore(library, path);
          const value = store.getBinary((i * 7919) % items) as Buffer;
          await store.close();
          const copy = new Int32Array(value.buffer.slice(value.byteOffset, value.byteOffset + value.length));
          return Object.fromEntries(SETS.m.map(({ name }, k) => [name, copy.subarray(k, k + 1)]));
        },
        (item) => item,
      ),
    },
    close: () => undefined,
  };
}

function openStore(library: Library, path: string): Store {
  // noSync: as the others, it leaves it to the system when bytes reach the disk.
  return library.open<Buffer, number>({
    path,
    encoding: 'binary',
    keyEncoding: 'uint32',
    noSync: true,
    noSubdir: true,
    mapSize: 2 ** 30,
  });
}

async function countOf(library: Library, path: string): Promise<number> {
  const store = openStore(library, path);
  const count = store.getCount();
  await store.close();
  return count;
}

async function writeAll(library: Library, path: string, inputs: W3Inputs): Promise<void> {
  const plan = planOf(inputs.keys);
  const store = openStore(library, path);
  store.transactionSync(() => {
    for (let i = 0; i < inputs.itemCount; i++) {
      const item = inputs.item(i);
      const arrays = plan.map(({ key }) => item[key.name] as Item[string]);
      const value = Buffer.allocUnsafe(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
      for (const [k, array] of arrays.entries())
        value.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), plan[k]?.at);
      store.putSync(i, value);
    }
  });
  await store.close();
}

function remove(path: string): void {
  for (const name of [path, `${path}-lock`]) rmSync(name, { force: true });
}

function storePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'items.mdb');
}
