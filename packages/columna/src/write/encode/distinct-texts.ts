// The values of a page -> the distinct ones in the order in which they first occur, and codes. A value that occurs for
// the first time has the code after the largest before, so that most codes say nothing but that.
import { costOf } from '../../columns/chooser.ts';
import type { Chooser } from '../../columns/chooser.ts';
import * as delta from '../../columns/encodings/delta/index.ts';
import * as patched from '../../columns/encodings/patched/index.ts';
import { pickStrings } from '../../columns/byte-strings.ts';
import { hashOf } from '../../columns/encodings/blocks/fingerprint.ts';
import { foundAtMost, writeKernels } from '../../columns/kernels/write-kernels.ts';
import type { SizedNode } from '../../columns/node.ts';
import { narrowSource } from '../../columns/source.ts';
import type { ByteStrings } from '../../columns/vector.ts';

interface DistinctTexts {
  readonly entries: ByteStrings;
  readonly codes: Uint32Array;
}

/** Null where they are more than `most`. */
export function distinctTexts(values: ByteStrings, most: number): DistinctTexts | null {
  const { bytes, start, ends, count } = values;
  const kernels = writeKernels(count);
  if (kernels !== null) {
    const codes = new Uint32Array(count);
    const firsts = foundAtMost(most, (room) => kernels.codeTexts(bytes, start, ends, null, codes, room));
    return firsts === null ? null : { entries: pickStrings(values, firsts), codes };
  }
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 2)) - 1;
  // Open addressing: slots hold the index of an entry plus one.
  const slots = new Uint32Array(mask + 1);
  const hashes = new Uint32Array(count);
  const codes = new Uint32Array(count);
  const starts = new Uint32Array(count);
  const entryEnds = new Uint32Array(count);
  let size = 0;
  let dataBytes = 0;
  for (let i = 0, from = start; i < count; i++) {
    const end = ends[i] as number;
    const hash = hashOf(bytes, from, end);
    let slot = (hash ^ (hash >>> 15)) & mask;
    let entry = slots[slot] as number;
    while (
      entry !== 0 &&
      (hashes[entry - 1] !== hash ||
        !isSame(bytes, starts[entry - 1] as number, entryEnds[entry - 1] as number, from, end))
    ) {
      slot = (slot + 1) & mask;
      entry = slots[slot] as number;
    }
    if (entry === 0) {
      if (size === most) return null;
      hashes[size] = hash;
      starts[size] = from;
      entryEnds[size] = end;
      dataBytes += end - from;
      entry = ++size;
      slots[slot] = entry;
    }
    codes[i] = entry - 1;
    from = end;
  }
  const data = new Uint8Array(dataBytes);
  const joined = new Uint32Array(size);
  for (let entry = 0, at = 0; entry < size; entry++) {
    data.set(bytes.subarray(starts[entry], entryEnds[entry]), at);
    at += (entryEnds[entry] as number) - (starts[entry] as number);
    joined[entry] = at;
  }
  return { entries: { kind: 'strings', count: size, bytes: data, start: 0, ends: joined }, codes };
}

function isSame(bytes: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - otherStart) return false;
  for (let i = start, other = otherStart; i < end; i++, other++) if (bytes[i] !== bytes[other]) return false;
  return true;
}

/** Codes in the order of their first occurrence as a node: counted on, and patched where a value was met before. */
export function sizeFirstCodes(codes: Uint32Array, chooser: Chooser): SizedNode {
  const largest = new Uint32Array(codes.length);
  const repeated = new Uint32Array(codes.length);
  let repeats = 0;
  let most = -1;
  for (let i = 0; i < codes.length; i++) {
    if ((codes[i] as number) > most) most = codes[i] as number;
    else repeated[repeats++] = i;
    largest[i] = most;
  }
  const counted = delta.size(narrowSource(largest), chooser);
  if (repeats === 0) return counted;
  const positions = repeated.slice(0, repeats);
  const replacements = narrowSource(positions.map((i) => codes[i] as number));
  const node = patched.size(counted, codes.length, positions, replacements, chooser, {
    positions: 'values',
    replacements: 'codes',
  });
  const flat = chooser.integers(narrowSource(codes), 'codes');
  return costOf(node, chooser.rules) < costOf(flat, chooser.rules) ? node : flat;
}
