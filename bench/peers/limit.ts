// No file at all: the same items in the process's memory, as plain JavaScript gives them: views, copies into new arrays
// and into old ones. A format can be below it only by tricks with memory (slabs for several items, arrays that nobody
// has zeroed), and not by much.
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, Peer, PeerSuite, SuiteContext, Workload } from '../src/checkouts/peer.ts';
import { BATCH, arrayOver, itemBytes, newArray, readW3, sumOf } from '../suites/w3-data.ts';
import type { Item, ItemArray, W3Inputs } from '../suites/w3-data.ts';
import { Tally, counted, outcome, removedLater } from '../suites/w3-syrah.ts';

const items = (set: 'a' | 'b'): PeerSuite => ({
  variants: ['memory'],
  prepare: (_variant, context) => prepare(set, context),
});

export const peer: Peer = {
  name: 'limit',
  load: () => Promise.resolve({ node: process.versions.node }),
  suites: { w3a: items('a'), w3b: items('b') },
};

/** Bytes that one system call writes: larger pieces are no faster. */
const PIECE_BYTES = 1 << 20;

function prepare(set: 'a' | 'b', context: SuiteContext): Workload {
  const inputs = readW3(set, context);
  const { order, itemCount, stacked, keys } = inputs;
  const { bytes, offsets } = packed(inputs);
  const at = (iteration: number): number => (order[iteration % itemCount] as number) * keys.length;
  const itemAt = (first: number, from: ArrayBufferLike, shift: number): Item => {
    const found: Item = {};
    for (let k = 0; k < keys.length; k++) {
      const { name, dtype } = keys[k] as (typeof keys)[number];
      const [start, end] = [offsets[2 * (first + k)] as number, offsets[2 * (first + k) + 1] as number];
      found[name] = arrayOver(dtype, from, start - shift, (end - start) / itemBytes(dtype));
    }
    return found;
  };
  const copied = (first: number): Item => {
    const [start, end] = [offsets[2 * first] as number, offsets[2 * (first + keys.length) - 1] as number];
    const memory = new Uint8Array(end - start);
    memory.set(bytes.subarray(start, end));
    return itemAt(first, memory.buffer, start);
  };
  const [label, largest] = ['label', stacked.name].map((name) => keys.findIndex((key) => key.name === name)) as [
    number,
    number,
  ];
  const one = (slot: number, { dtype }: { dtype: (typeof keys)[number]['dtype'] }): ItemArray => {
    const [start, end] = [offsets[2 * slot] as number, offsets[2 * slot + 1] as number];
    return arrayOver(dtype, bytes.buffer, start, (end - start) / itemBytes(dtype));
  };
  const stack = (batch: Int32Array, k: number, data: ItemArray): ItemArray => {
    const into = new Uint8Array(data.buffer);
    let end = 0;
    for (let i = 0; i < batch.length; i++) {
      const slot = 2 * ((batch[i] as number) * keys.length + k);
      const part = bytes.subarray(offsets[slot] as number, offsets[slot + 1] as number);
      into.set(part, end);
      end += part.length;
    }
    return data;
  };
  const each = stacked.length ?? 0;
  const labelKey = keys[label] as (typeof keys)[number];
  const out = newArray(stacked.dtype, BATCH * each);
  const same = (item: Item): Outputs => item;
  return {
    files: [],
    load: () => undefined,
    tasks: {
      view: syncTask((i) => itemAt(at(i), bytes.buffer, 0), same),
      get: syncTask((i) => copied(at(i)), same),
      sum: syncTask(
        (i) => sumOf(one(at(i) + largest, stacked) as Float64Array),
        (sum) => ({ sum }),
      ),
      label: syncTask((i) => ({ label: one(at(i) + label, labelKey).slice() }), same),
      'batch-new': syncTask(
        (i) => stack(inputs.batch(i), largest, newArray(stacked.dtype, BATCH * each)),
        (data) => ({ data }),
      ),
      'batch-into': syncTask(
        (i) => stack(inputs.batch(i), largest, out),
        (data) => ({ data }),
      ),
      // The bytes alone, in large pieces, from memory where they lie as the file has them.
      write: syncTask(
        (i) => {
          const target = join(context.ownDirectory, `written-${String(process.pid)}-${String(i)}.bin`);
          const fd = openSync(target, 'w');
          for (let start = 0; start < bytes.length; start += PIECE_BYTES)
            writeSync(fd, bytes, start, Math.min(PIECE_BYTES, bytes.length - start));
          closeSync(fd);
          return removedLater(target);
        },
        (target) => {
          const start = offsets[2 * ((itemCount - 1) * keys.length + largest)] as number;
          const features = newArray(stacked.dtype, each);
          const fd = openSync(target, 'r');
          readSync(fd, features, 0, features.byteLength, start);
          closeSync(fd);
          return { ...counted(statSync(target).size === bytes.length ? itemCount : 0), features };
        },
      ),
      epoch: syncTask(() => {
        const tally = new Tally();
        for (let start = 0; start < itemCount; start += BATCH) {
          const batch = order.subarray(start, start + BATCH);
          const labels = stack(batch, label, newArray(labelKey.dtype, batch.length));
          tally.add(
            stack(batch, largest, newArray(stacked.dtype, batch.length * each)) as Float64Array,
            labels as Int32Array,
          );
        }
        return tally;
      }, outcome),
    },
    close: () => undefined,
  };
}

/**
 * All items behind each other in one piece of memory, each array where its element type wants it; first and last byte
 * of each array.
 */
function packed({ keys, itemCount, item }: W3Inputs): { bytes: Uint8Array; offsets: Float64Array } {
  const offsets = new Float64Array(2 * itemCount * keys.length);
  const widest = keys.reduce((widest, { dtype }) => Math.max(widest, itemBytes(dtype)), 1);
  let end = 0;
  for (let number = 0, slot = 0; number < itemCount; number++) {
    end = Math.ceil(end / widest) * widest;
    for (const array of Object.values(item(number))) {
      offsets[slot++] = end;
      offsets[slot++] = end += array.byteLength;
    }
  }
  const bytes = new Uint8Array(end);
  for (let number = 0, offset = 0; number < itemCount; number++) {
    for (const { buffer, byteOffset, byteLength } of Object.values(item(number))) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offsets[offset]);
      offset += 2;
    }
  }
  return { bytes, offsets };
}
