// The decoder that walks a tree of nodes, by the table of encodings.
import { corrupt } from '../layout/location.ts';
import { pickedStrings } from './byte-strings.ts';
import { encodingOf } from './encodings/readers.ts';
import { unknownEncoding, unlessRefused } from './node.ts';
import type { Body, Decoder, Node } from './node.ts';
import { pickVector, toPatterns } from './pick.ts';
import { wordAt } from './vector.ts';
import type { Integers, Strings, Vector } from './vector.ts';

/**
 * A decoder over one page body. Everything it returns lies in the body or in scratch memory: valid until the scratch
 * memory is reset.
 */
export function decoderOf(body: Body): Decoder {
  const decoder: Decoder = {
    ...body,
    vector: (node, start, end) => decodeVector(node, start, end, decoder),
    integers: (node, start, end) => toPatterns(decodeVector(node, start, end, decoder), node.domain, body.scratch),
    strings: (node, start, end) => decodeStrings(node, start, end, decoder),
    pick: (node, rows) => pickRows(node, rows, decoder),
    pickStrings: (node, rows) => pickStrings(node, rows, decoder),
    pickNumbers: (node, rows, limit, what) => numbersBelow(pickRows(node, rows, decoder), limit, what, node, decoder),
    numbers: (node, start, end, limit, what) =>
      numbersBelow(decodeVector(node, start, end, decoder), limit, what, node, decoder),
  };
  return decoder;
}

function decodeVector(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const slice = encodingOf(node.encoding);
  if (slice?.decode === undefined) throw unknownEncoding(node, decoder.location);
  return slice.decode(node, start, end, decoder);
}

function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): Strings {
  const slice = encodingOf(node.encoding);
  if (slice?.decodeStrings === undefined) throw unknownEncoding(node, decoder.location);
  return slice.decodeStrings(node, start, end, decoder);
}

/**
 * Where more of the rows between the first and the last are wanted than one in so many, decoding all of them costs
 * less.
 */
const DENSE = 8;

function pickRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  const { start, end } = rangeOf(rows);
  const slice = encodingOf(node.encoding);
  const isSparse = rows.length * DENSE < end - start;
  return (
    (isSparse ? slice?.pick?.(node, rows, decoder) : null) ??
    unlessRefused(
      () =>
        pickVector(
          decodeVector(node, start, end, decoder),
          lessened(rows, start, decoder),
          node.domain,
          decoder.scratch,
        ),
      () => (slice?.salvage ?? slice?.pick)?.(node, rows, decoder) ?? null,
    )
  );
}

function pickStrings(node: Node, rows: Uint32Array, decoder: Decoder): Strings {
  const { start, end } = rangeOf(rows);
  const slice = encodingOf(node.encoding);
  const isSparse = rows.length * DENSE < end - start;
  return (
    (isSparse ? slice?.pickStrings?.(node, rows, decoder) : null) ??
    unlessRefused(
      () => stringsAmong(node, rows, decoder),
      () => (slice?.salvageStrings ?? slice?.pickStrings)?.(node, rows, decoder) ?? null,
    )
  );
}

/** The strings at `rows`, by decoding all between the first and the last of them. */
function stringsAmong(node: Node, rows: Uint32Array, decoder: Decoder): Strings {
  const { start, end } = rangeOf(rows);
  const strings = decodeStrings(node, start, end, decoder);
  const indices = lessened(rows, start, decoder);
  if (strings.kind === 'strings') return pickedStrings(strings, indices);
  for (let i = 0; i < indices.length; i++) indices[i] = strings.codes[indices[i] as number] as number;
  return { kind: 'coded', count: indices.length, codes: indices, entries: strings.entries };
}

function rangeOf(rows: Uint32Array): { readonly start: number; readonly end: number } {
  let start = 2 ** 32;
  let end = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < start) start = row;
    if (row >= end) end = row + 1;
  }
  return { start: Math.min(start, end), end };
}

/** Scratch memory. */
function lessened(rows: Uint32Array, start: number, { scratch }: Decoder): Uint32Array {
  const indices = scratch.uint32(rows.length);
  for (let i = 0; i < rows.length; i++) indices[i] = (rows[i] as number) - start;
  return indices;
}

/** Integers as numbers below `limit`. */
function numbersBelow(vector: Vector, limit: number, what: string, node: Node, decoder: Decoder): Uint32Array {
  const integers: Integers = toPatterns(vector, node.domain, decoder.scratch);
  const { count } = integers;
  const refuse = (index: number, found: bigint | number) =>
    corrupt('ERR_LAYOUT', decoder.location, node.start, `${what} below ${limit}`, `${found} at position ${index}`);
  if (integers.kind === 'narrow' && integers.base === 0n && integers.step === 1n) {
    const { values, below } = integers;
    if (below > limit)
      for (let i = 0; i < count; i++) if ((values[i] as number) >= limit) throw refuse(i, values[i] as number);
    return values;
  }
  const numbers = decoder.scratch.uint32(count);
  if (integers.kind === 'wide') {
    const { words } = integers;
    for (let i = 0; i < count; i++) {
      const low = words[2 * i] as number;
      if (words[2 * i + 1] !== 0 || low >= limit) throw refuse(i, wordAt(integers, i));
      numbers[i] = low;
    }
    return numbers;
  }
  const line = integers.kind === 'narrow' ? smallLine(integers.base, integers.step, integers.below, limit) : null;
  if (integers.kind === 'narrow' && line !== null) {
    for (let i = 0; i < count; i++) numbers[i] = line.base + line.step * (integers.values[i] as number);
    return numbers;
  }
  for (let i = 0; i < count; i++) {
    const word = wordAt(integers, i);
    if (word >= BigInt(limit)) throw refuse(i, word);
    numbers[i] = Number(word);
  }
  return numbers;
}

/** Base and step as doubles where all values are known to be below the limit. */
function smallLine(base: bigint, step: bigint, below: number, limit: number): { base: number; step: number } | null {
  const small = base >= 0n && step >= 0n && base + step * BigInt(below - 1) < BigInt(limit);
  return small ? { base: Number(base), step: Number(step) } : null;
}
