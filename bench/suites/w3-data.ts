// W3's raw files: training items, each a few small arrays, and the order in which its tasks ask for them. Seeded; the
// peers write their own files from these.
//   set A: 10,000 items of { features f64[1000], label i64[1] }                        80 MB
//          (the parameter `features` is another length)
//   set B: 200,000 items of { label i32[1], fixed f32[100], var i32[10..100] }        125 MB
//   set M: 1,000,000 items of six i32[1]: 100 MB of ranges, for opening. No raw file: the values are the item numbers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteContext } from '../src/checkouts/peer.ts';
import type { Progress } from '../src/run/progress.ts';
import { uniform } from './uniform.ts';

export type ItemArray = Float64Array | Float32Array | Int32Array | BigInt64Array;
export type Item = Record<string, ItemArray>;
export type ArrayName = 'float64' | 'float32' | 'int32' | 'int64';

export interface W3Key {
  readonly name: string;
  readonly dtype: ArrayName;
  /** Elements of every item's array, or null where they differ. */
  readonly length: number | null;
}

/** Numbers in `features` of set A, unless the data say otherwise. */
const FEATURES = 1000;

export const SETS: Readonly<Record<'a' | 'b' | 'm', readonly W3Key[]>> = {
  a: [
    { name: 'features', dtype: 'float64', length: FEATURES },
    { name: 'label', dtype: 'int64', length: 1 },
  ],
  b: [
    { name: 'label', dtype: 'int32', length: 1 },
    { name: 'fixed', dtype: 'float32', length: 100 },
    { name: 'var', dtype: 'int32', length: null },
  ],
  m: ['k0', 'k1', 'k2', 'k3', 'k4', 'k5'].map((name) => ({ name, dtype: 'int32', length: 1 })),
};

export const BATCH = 32;
const VAR_SHORTEST = 10;
const VAR_LONGEST = 100;

/** The items in memory, and the questions. */
export interface W3Inputs {
  readonly set: 'a' | 'b';
  readonly keys: readonly W3Key[];
  readonly itemCount: number;
  /** All item numbers, shuffled. */
  readonly order: Int32Array;
  /** The key that batches stack. */
  readonly stacked: W3Key;
  /** Arrays that share the memory of the whole set. `ready` makes them once for all items, before the clock starts. */
  item(number: number): Item;
  readonly ready: () => void;
  /**
   * Forgets what `ready` made: hundreds of thousands of objects, which collections during other tasks would have to
   * look at.
   */
  release(): void;
  /** `order` in groups of 32: batch `iteration` of an endless sequence. */
  batch(iteration: number): Int32Array;
}

export function generateW3(
  set: 'a' | 'b',
  { items, features = FEATURES }: SuiteContext['parameters'],
  directory: string,
  progress: Progress,
): void {
  const count = items ?? 0;
  progress.update(`w3${set}: writing items`);
  const value = uniform(11);
  const write = (name: string, array: NodeJS.ArrayBufferView): void =>
    writeFileSync(join(directory, `${name}.bin`), array);
  if (set === 'a') {
    write(
      'features',
      new Float64Array(count * features).map(() => value() * 2 - 1),
    );
    write(
      'label',
      new BigInt64Array(count).map(() => BigInt(Math.floor(value() * 10))),
    );
  } else {
    const lengths = new Int32Array(count).map(
      () => VAR_SHORTEST + Math.floor(value() * (VAR_LONGEST - VAR_SHORTEST + 1)),
    );
    write(
      'label',
      new Int32Array(count).map(() => Math.floor(value() * 10)),
    );
    write(
      'fixed',
      new Float32Array(count * 100).map(() => value() * 2 - 1),
    );
    write('lengths', lengths);
    write(
      'var',
      new Int32Array(lengths.reduce((sum, length) => sum + length, 0)).map(() => Math.floor(value() * 50_000)),
    );
  }
  write('order', shuffled(count, uniform(12)));
}

export function readW3(set: 'a' | 'b', { directory, parameters: { features = FEATURES } }: SuiteContext): W3Inputs {
  const read = (name: string): ArrayBuffer => {
    const bytes = readFileSync(join(directory, `${name}.bin`));
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  };
  const order = new Int32Array(read('order'));
  const keys = SETS[set].map((key) => (key.name === 'features' ? { ...key, length: features } : key));
  const columns = keys.map((key) => ({ ...key, values: arrayOver(key.dtype, read(key.name)) }));
  const lengths = set === 'b' ? new Int32Array(read('lengths')) : new Int32Array(order.length);
  const starts = new Int32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] ?? 0) + (lengths[i] ?? 0);
  let items: Item[] = [];
  return {
    set,
    keys,
    order,
    itemCount: order.length,
    stacked: keys.find(({ length }) => length !== null && length > 1) as W3Key,
    item: (number) => items[number] ?? make(number),
    ready: () => {
      for (let number = items.length; number < order.length; number++) items.push(make(number));
    },
    release: () => {
      items = [];
    },
    batch: (iteration) => {
      const start = (iteration * BATCH) % (order.length - BATCH + 1);
      return order.subarray(start, start + BATCH);
    },
  };

  function make(number: number): Item {
    return Object.fromEntries(
      columns.map(({ name, length, values }) => {
        const [start, end] =
          length === null ? [starts[number], starts[number + 1]] : [number * length, (number + 1) * length];
        return [name, values.subarray(start, end)];
      }),
    );
  }
}

export function arrayOver(dtype: ArrayName, buffer: ArrayBufferLike, byteOffset = 0, length?: number): ItemArray {
  switch (dtype) {
    case 'float64':
      return new Float64Array(buffer, byteOffset, length);
    case 'float32':
      return new Float32Array(buffer, byteOffset, length);
    case 'int32':
      return new Int32Array(buffer, byteOffset, length);
    case 'int64':
      return new BigInt64Array(buffer, byteOffset, length);
  }
}

export function itemBytes(dtype: ArrayName): 4 | 8 {
  return dtype === 'float64' || dtype === 'int64' ? 8 : 4;
}

/** An array of zeros. */
export function newArray(dtype: ArrayName, length: number): ItemArray {
  return arrayOver(dtype, new ArrayBuffer(length * itemBytes(dtype)));
}

/** The sum of all numbers of the stacked key, in order: what "and read every value" computes. */
export function sumOf(values: Float64Array | Float32Array): Float64Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return Float64Array.of(sum);
}

function shuffled(count: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other] as number, order[i] as number];
  }
  return order;
}
