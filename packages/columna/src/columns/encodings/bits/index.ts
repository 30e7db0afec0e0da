// BITS: zeros and ones, eight to a byte; the bytes are a node of their own, so that long runs or a skew cost less than
// a bit each.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { Encoding } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import type { Chooser } from '../../chooser.ts';
import { NodeReader, childBytes } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { narrowSource } from '../../source.ts';
import { toPatterns } from '../../pick.ts';
import type { Integers, Vector } from '../../vector.ts';

/** `octets`: the bitmap, least significant bit first. */
export function size(octets: Uint8Array, chooser: Chooser): SizedNode {
  const child = chooser.integers(narrowSource(Uint32Array.from(octets)), 'octets');
  return {
    encoding: Encoding.BITS,
    parameter: 0,
    byteLength: childBytes(child),
    label: `BITS(${child.label})`,
    time: child.time + 8 * octets.length * DECODING_RATES.bits,
    encode: (out) => out.child(child),
  };
}

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const reader = new NodeReader(decoder, node);
  const child = reader.child(Math.ceil(node.count / 8));
  reader.end();
  const firstOctet = start >>> 3;
  const octets = decodeOctets(child, firstOctet, ((end - 1) >>> 3) + 1, decoder);
  const count = end - start;
  const values = decoder.scratch.uint32(count);
  for (let i = 0, bit = start - 8 * firstOctet; i < count; i++, bit++)
    values[i] = ((octets[bit >>> 3] as number) >>> (bit & 7)) & 1;
  return { kind: 'narrow', count, base: 0n, step: 1n, values, below: 2 };
}

/** The values at `rows` alone, in any order. */
function decodeRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  const reader = new NodeReader(decoder, node);
  const child = reader.child(Math.ceil(node.count / 8));
  reader.end();
  const values = decoder.scratch.uint32(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = (rows[i] as number) >>> 3;
  const octets = octetsOf(toPatterns(decoder.pick(child, values), child.domain, decoder.scratch));
  for (let i = 0; i < rows.length; i++) values[i] = ((octets[i] as number) >>> ((rows[i] as number) & 7)) & 1;
  return { kind: 'narrow', count: rows.length, base: 0n, step: 1n, values, below: 2 };
}

/** Integers of which only the lowest eight bits count. */
export function decodeOctets(node: Node, start: number, end: number, decoder: Decoder): Uint8Array {
  return octetsOf(decoder.integers(node, start, end));
}

function octetsOf(integers: Integers): Uint8Array {
  const octets = new Uint8Array(integers.count);
  if (integers.kind === 'narrow') {
    const base = Number(BigInt.asUintN(8, integers.base));
    const step = Number(BigInt.asUintN(8, integers.step));
    for (let i = 0; i < octets.length; i++) octets[i] = base + Math.imul(step, integers.values[i] as number);
  } else if (integers.kind === 'safe') {
    for (let i = 0; i < octets.length; i++) octets[i] = integers.values[i] as number;
  } else {
    for (let i = 0; i < octets.length; i++) octets[i] = integers.words[2 * i] as number;
  }
  return octets;
}

export const bits: EncodingReader = {
  name: 'BITS',
  decode: decodeRange,
  salvage: decodeRows,
};

export const bitsWriter: EncodingWriter = {
  label: (_, child) => `BITS(${child()})`,
};
