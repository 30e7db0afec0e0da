// Numbers -> the distinct ones among them and the code of each; and what a sample says of how many there are.
import type { EncodeKernels } from '@colkit/io';
import type { Source } from '../../chooser.ts';
import { giveBack, lentWords } from '../../kernels/lent-words.ts';
import { foundAtMost, writeKernels } from '../../kernels/write-kernels.ts';
import { narrowSource } from '../../source.ts';
import type { Narrow } from '../../vector.ts';

/** Distinct numbers, ascending, and the index of each value among them. */
export interface Distinct {
  readonly entries: Source;
  /** Their values are in memory that can be given back. */
  readonly codes: Narrow;
}

/** Null where there are more than `most` distinct values. */
export function distinctOf(source: Source, most: number): Distinct | null {
  return source.kind === 'narrow' ? distinctNarrow(source, most) : distinctWide(source.words, most);
}

/** Ranges up to this are looked up in a table, not hashed. */
const TABLE_BELOW = 1 << 16;

function distinctNarrow(source: Narrow, most: number): Distinct | null {
  const kernels = writeKernels(source.count);
  if (kernels !== null) return distinctInAddon(source, most, kernels);
  return source.below <= TABLE_BELOW ? distinctByTable(source, most) : distinctByHash(source, most);
}

function distinctInAddon({ values, count, base, step }: Narrow, most: number, kernels: EncodeKernels): Distinct | null {
  const codes = lentWords(count);
  const entries = foundAtMost(most, (room) => kernels.distinctNumbers(values, room, codes));
  if (entries === null) {
    giveBack(codes);
    return null;
  }
  // Every index occurs, so the codes are in normal form.
  return {
    entries: narrowSource(entries, base, step),
    codes: { kind: 'narrow', count, base: 0n, step: 1n, values: codes, below: entries.length },
  };
}

function distinctByTable({ values, count, base, step, below }: Narrow, most: number): Distinct | null {
  const ranks = new Uint32Array(below);
  for (let i = 0; i < count; i++) ranks[values[i] as number] = 1;
  let size = 0;
  for (let value = 0; value < below; value++) size += ranks[value] as number;
  if (size > most) return null;
  const entries = new Uint32Array(size);
  for (let value = 0, rank = 0; value < below; value++) {
    if (ranks[value] === 0) continue;
    entries[rank] = value;
    ranks[value] = rank++;
  }
  const codes = new Uint32Array(count);
  for (let i = 0; i < count; i++) codes[i] = ranks[values[i] as number] as number;
  // Every rank occurs, so the codes are in normal form.
  return {
    entries: narrowSource(entries, base, step),
    codes: { kind: 'narrow', count, base: 0n, step: 1n, values: codes, below: size },
  };
}

/** What a sample says of a dictionary of the values. */
interface SampleLook {
  /** There are at least about so many distinct values. */
  readonly entries: number;
  /** Entropy of a code, or less. */
  readonly bitsPerValue: number;
}

/** Null where there are too few values to look at a part of them. */
export function sampleOf({ values, count }: Narrow): SampleLook | null {
  if (count <= 2 * SAMPLE_VALUES) return null;
  const stride = count / SAMPLE_VALUES;
  const sample = new Uint32Array(SAMPLE_VALUES);
  for (let i = 0; i < SAMPLE_VALUES; i++) sample[i] = values[Math.floor(i * stride)] as number;
  sample.sort();
  let distinct = 0;
  let bits = 0;
  for (let i = 0, from = 0; i < SAMPLE_VALUES; i++) {
    if (i + 1 < SAMPLE_VALUES && sample[i + 1] === sample[i]) continue;
    const times = i + 1 - from;
    bits += times * Math.log2(SAMPLE_VALUES / times);
    distinct++;
    from = i + 1;
  }
  // Of n equally frequent values, a sample of s shows n (1 - e^(-s/n)); of unequal ones fewer, so that there are rather
  // more than this says.
  let [low, high] = [distinct, 2 ** 32];
  while (high > low * 1.01) {
    const middle = Math.sqrt(low * high);
    if (middle * -Math.expm1(-SAMPLE_VALUES / middle) < distinct) low = middle;
    else high = middle;
  }
  return { entries: low, bitsPerValue: bits / SAMPLE_VALUES };
}

const SAMPLE_VALUES = 1024;

function distinctByHash(source: Narrow, most: number): Distinct | null {
  const { values, count } = source;
  const mask = 2 ** Math.ceil(Math.log2(4 * (most + 1))) - 1;
  // Open addressing: slots hold an index in `found` plus one.
  const slots = new Uint32Array(mask + 1);
  const found = new Uint32Array(most);
  const indices = new Uint32Array(count);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    let slot = (Math.imul(value, 0x9e3779b1) >>> 7) & mask;
    let entry = slots[slot] as number;
    while (entry !== 0 && found[entry - 1] !== value) {
      slot = (slot + 1) & mask;
      entry = slots[slot] as number;
    }
    if (entry === 0) {
      if (size === most) return null;
      found[size++] = value;
      entry = size;
      slots[slot] = entry;
    }
    indices[i] = entry - 1;
  }
  const entries = found.slice(0, size).sort();
  return {
    entries: narrowSource(entries, source.base, source.step),
    codes: narrowSource(ranked(found.subarray(0, size), entries, indices)),
  };
}

/** Indices in order of appearance -> indices in ascending order, in the same memory. */
function ranked(found: Uint32Array, ascending: Uint32Array, indices: Uint32Array): Uint32Array {
  const rankOf = new Map<number, number>();
  for (let rank = 0; rank < ascending.length; rank++) rankOf.set(ascending[rank] as number, rank);
  const ranks = found.map((value) => rankOf.get(value) ?? 0);
  for (let i = 0; i < indices.length; i++) indices[i] = ranks[indices[i] as number] as number;
  return indices;
}

function distinctWide(words: Uint32Array, most: number): Distinct | null {
  const kernels = writeKernels(words.length / 2);
  if (kernels !== null) {
    const codes = new Uint32Array(words.length / 2);
    let count = 0;
    const entries = foundAtMost(2 * most, (room) => (count = kernels.distinctWords(words, room, codes)) * 2);
    return entries === null ? null : { entries: { kind: 'wide', count, words: entries }, codes: narrowSource(codes) };
  }
  const mask = 2 ** Math.ceil(Math.log2(4 * (most + 1))) - 1;
  const slots = new Uint32Array(mask + 1);
  const found = new Uint32Array(2 * most);
  const codes = new Uint32Array(words.length / 2);
  let size = 0;
  for (let i = 0; i < codes.length; i++) {
    const low = words[2 * i] as number;
    const high = words[2 * i + 1] as number;
    let slot = ((Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 7) & mask;
    let entry = slots[slot] as number;
    while (entry !== 0 && (found[2 * entry - 2] !== low || found[2 * entry - 1] !== high)) {
      slot = (slot + 1) & mask;
      entry = slots[slot] as number;
    }
    if (entry === 0) {
      if (size === most) return null;
      found[2 * size] = low;
      found[2 * size + 1] = high;
      entry = ++size;
      slots[slot] = entry;
    }
    codes[i] = entry - 1;
  }
  return { entries: { kind: 'wide', count: size, words: found.slice(0, 2 * size) }, codes: narrowSource(codes) };
}
