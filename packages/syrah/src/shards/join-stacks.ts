// The stacks of items of several files -> one, in the order in which the items were asked for.
import { ArgumentError, allocateOutputs, bytesOfArray, dtypeOfArray } from '@colkit/io';
import { arrayOver, outputBytes } from '../items/array-values.ts';
import type { Tensor } from '../items/gather/gather-items.ts';
import type { SyrahArray, SyrahDType } from '../layout/dtype.ts';
import type { Shard } from './shard.ts';

/** Items of one file, and where each stands among all that were asked for. */
export interface Share {
  readonly shard: Shard;
  readonly items: number[];
  readonly places: number[];
}

/**
 * @param stacks of each share, one a key.
 * @throws ArgumentError ERR_VALUE where lengths differ between files, naming item, key and file.
 */
export function joinStacks(
  shares: readonly Share[],
  stacks: readonly (readonly Tensor[])[],
  keys: readonly string[],
  transferable: boolean,
): Tensor[] {
  const count = shares.reduce((sum, { items }) => sum + items.length, 0);
  const lengths = keys.map((key, k) => lengthOf(shares, stacks, key, k));
  const outputs = allocateOutputs(
    lengths.map(({ eachBytes }) => eachBytes * count),
    { transferable },
  );
  return lengths.map(({ first, each, eachBytes }, k) => {
    const bytes = outputs[k] ?? new Uint8Array(eachBytes * count);
    for (const [s, { places }] of shares.entries()) {
      const from = bytesOfArray((stacks[s]?.[k] as Tensor).data);
      for (const [at, place] of places.entries())
        bytes.set(from.subarray(at * eachBytes, (at + 1) * eachBytes), place * eachBytes);
    }
    const dtype = dtypeOfArray(first) as Exclude<SyrahDType, 'str'>;
    return { data: arrayOver(dtype, bytes.buffer, bytes.byteOffset, bytes.byteLength), shape: [count, each] };
  });
}

/** The result in the caller's array, where one was given. @throws ArgumentError ERR_OUT_BUFFER. */
export function outOf(joined: Tensor, out: SyrahArray | undefined): Tensor {
  if (out === undefined) return joined;
  const dtype = dtypeOfArray(joined.data) as SyrahDType;
  outputBytes(out, dtype, joined.data.byteLength).set(bytesOfArray(joined.data));
  return { data: out, shape: joined.shape };
}

interface EqualLength {
  readonly first: SyrahArray;
  /** Elements of an item. */
  readonly each: number;
  readonly eachBytes: number;
}

function lengthOf(
  shares: readonly Share[],
  stacks: readonly (readonly Tensor[])[],
  key: string,
  k: number,
): EqualLength {
  const first = stacks[0]?.[k] as Tensor;
  const each = first.shape[1] ?? 0;
  for (const [s, { shard, items }] of shares.entries()) {
    const found = stacks[s]?.[k]?.shape[1] ?? 0;
    if (found === each) continue;
    const { shard: other, items: others } = shares[0] as Share;
    throw new ArgumentError(
      'ERR_VALUE',
      `key ${JSON.stringify(key)} of item ${String(items[0])} of ${shard.path}`,
      `${String(each)} elements, as in item ${String(others[0])} of ${other.path}`,
      String(found),
    );
  }
  return { first: first.data, each, eachBytes: first.data.byteLength / Math.max(1, first.shape[0] ?? 1) };
}
