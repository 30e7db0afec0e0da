// One `fs.readSync` for each array, at offsets that were read at the start: what a reader without mapping does, and how
// Python's syrah reads.
import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, Peer, PeerSuite, SuiteContext, Workload } from '../src/checkouts/peer.ts';
import { BATCH, arrayOver, itemBytes, newArray, readW3, sumOf } from '../suites/w3-data.ts';
import type { Item, W3Inputs, W3Key } from '../suites/w3-data.ts';
import { Tally, counted, outcome, removedLater } from '../suites/w3-syrah.ts';

const items = (set: 'a' | 'b'): PeerSuite => ({
  variants: ['array'],
  build: (context) => writeAll(dataPath(context), readW3(set, context)),
  prepare: (_variant, context) => prepare(set, context),
});

export const peer: Peer = {
  name: 'read-sync',
  load: () => Promise.resolve({ node: process.versions.node }),
  suites: { w3a: items('a'), w3b: items('b') },
};

function prepare(set: 'a' | 'b', context: SuiteContext): Workload {
  const inputs = readW3(set, context);
  const { order, itemCount, stacked, keys } = inputs;
  const path = dataPath(context);
  let opened: Opened | undefined;
  const file = (): Opened => opened as Opened;
  const at = (iteration: number): number => order[iteration % itemCount] as number;
  const [label, largest] = ['label', stacked.name].map((name) => keys.findIndex((key) => key.name === name)) as [
    number,
    number,
  ];
  const read = (item: number, k: number): Item[string] => {
    const { fd, offsets } = file();
    const [start, end] = [offsets[item * keys.length + k] as number, offsets[item * keys.length + k + 1] as number];
    const array = arrayOver((keys[k] as W3Key).dtype, new ArrayBuffer(end - start));
    readSync(fd, array, 0, end - start, start);
    return array;
  };
  const readItem = (item: number): Item => {
    const found: Item = {};
    for (let k = 0; k < keys.length; k++) found[(keys[k] as W3Key).name] = read(item, k);
    return found;
  };
  const out = newArray(stacked.dtype, BATCH * (stacked.length ?? 0));
  const stack = (batch: Int32Array, k: number, given?: Item[string]): Item[string] => {
    const { dtype, length } = keys[k] as W3Key;
    const each = (length ?? 0) * itemBytes(dtype);
    const array = given ?? newArray(dtype, batch.length * (length ?? 0));
    const bytes = new Uint8Array(array.buffer);
    for (let i = 0; i < batch.length; i++)
      readSync(file().fd, bytes, i * each, each, file().offsets[(batch[i] as number) * keys.length + k] as number);
    return array;
  };
  const same = (item: Item): Outputs => item;
  return {
    files: [path],
    load: () => {
      opened = openFile(path);
    },
    tasks: {
      view: syncTask((i) => readItem(at(i)), same),
      get: syncTask((i) => readItem(at(i)), same),
      sum: syncTask(
        (i) => sumOf(read(at(i), largest) as Float64Array),
        (sum) => ({ sum }),
      ),
      label: syncTask((i) => ({ label: read(at(i), label) }), same),
      'batch-new': syncTask(
        (i) => stack(inputs.batch(i), largest),
        (data) => ({ data }),
      ),
      'batch-into': syncTask(
        (i) => stack(inputs.batch(i), largest, out),
        (data) => ({ data }),
      ),
      open: syncTask(() => {
        const { fd, offsets } = openFile(path);
        closeSync(fd);
        return (offsets.length - 1) / keys.length;
      }, counted),
      write: syncTask(
        (i) => {
          const target = join(context.ownDirectory, `written-${String(process.pid)}-${String(i)}.bin`);
          writeAll(target, inputs);
          removedLater(offsetsPath(target));
          return removedLater(target);
        },
        (target) => {
          const { fd, offsets } = openFile(target);
          const last = (itemCount - 1) * keys.length + largest;
          const features = newArray(stacked.dtype, stacked.length ?? 0);
          readSync(fd, features, 0, features.byteLength, offsets[last] as number);
          closeSync(fd);
          return { items: Int32Array.of((offsets.length - 1) / keys.length), features };
        },
        inputs.ready,
      ),
      epoch: syncTask(() => {
        const tally = new Tally();
        for (let start = 0; start < itemCount; start += BATCH) {
          const batch = order.subarray(start, start + BATCH);
          tally.add(stack(batch, largest) as Float64Array, stack(batch, label) as Int32Array);
        }
        return tally;
      }, outcome),
    },
    release: () => inputs.release(),
    close: () => {
      if (opened !== undefined) closeSync(opened.fd);
    },
  };
}

interface Opened {
  readonly fd: number;
  /** First byte of each array, item by item, and the end of the last. */
  readonly offsets: Float64Array;
}

function openFile(path: string): Opened {
  const bytes = readFileSync(offsetsPath(path));
  const offsets = new Float64Array(bytes.length / 8);
  new Uint8Array(offsets.buffer).set(bytes);
  return { fd: openSync(path, 'r'), offsets };
}

function writeAll(path: string, { itemCount, keys, item }: W3Inputs): void {
  const offsets = new Float64Array(itemCount * keys.length + 1);
  const fd = openSync(path, 'w');
  let [end, entry] = [0, 0];
  for (let i = 0; i < itemCount; i++) {
    const arrays = item(i);
    for (const { name } of keys) {
      const array = arrays[name] as Item[string];
      writeSync(fd, array);
      end += array.byteLength;
      offsets[++entry] = end;
    }
  }
  closeSync(fd);
  writeFileSync(offsetsPath(path), offsets);
}

function offsetsPath(path: string): string {
  return `${path}.offsets`;
}

function dataPath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'items.bin');
}
