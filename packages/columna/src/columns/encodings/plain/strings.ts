// PLAIN of byte strings: where each ends, and the bytes back to back. The ends are integers like any others: an
// arithmetic sequence where all strings have one length.
import { Encoding } from '../../../layout/constants.ts';
import type { Chooser } from '../../chooser.ts';
import { NodeReader, childBytes } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { narrowSource } from '../../source.ts';
import type { ByteStrings } from '../../vector.ts';

/** What PLAIN stores, without the bytes yet: they are asked for when it has won. */
interface PlainStrings {
  /** Where each string ends, the first starting at 0. */
  readonly ends: Uint32Array;
  readonly writeBytes: (to: Uint8Array) => void;
}

/** `ends`: the node of the ends; null: the smallest. */
export function size({ ends, writeBytes }: PlainStrings, chooser: Chooser, endsNode: SizedNode | null): SizedNode {
  const dataBytes = ends.at(-1) ?? 0;
  const child = endsNode ?? chooser.integers(narrowSource(ends), 'values');
  return {
    encoding: Encoding.PLAIN,
    parameter: 0,
    byteLength: 8 + childBytes(child) + dataBytes,
    label: 'PLAIN',
    time: child.time,
    encode: (out) => {
      out.uint32(dataBytes);
      out.uint32(0);
      out.child(child);
      const at = out.skip(dataBytes);
      writeBytes(out.bytes.subarray(at, at + dataBytes));
    },
  };
}

/** The bytes are not copied. */
export function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): ByteStrings {
  const reader = new NodeReader(decoder, node);
  const dataBytes = reader.uint32('a number of bytes');
  reader.take(4, 'ignored bytes');
  const child = reader.child(node.count);
  const data = reader.take(dataBytes, 'strings');
  reader.end();
  // All ends are checked, also where only some are asked for: one that falls makes every string behind it wrong.
  const ends = decoder.numbers(child, 0, node.count, dataBytes + 1, 'the end of a string');
  for (let i = 1; i < node.count; i++) {
    if ((ends[i] as number) < (ends[i - 1] as number))
      throw reader.refuse('ends that never fall', `${ends[i] as number} after ${ends[i - 1] as number}`);
  }
  if (ends[node.count - 1] !== dataBytes)
    throw reader.refuse(`a last end of ${dataBytes}`, ends[node.count - 1] as number);
  return {
    kind: 'strings',
    count: end - start,
    bytes: decoder.bytes.subarray(data, data + dataBytes),
    start: start === 0 ? 0 : (ends[start - 1] as number),
    ends: ends.subarray(start, end),
  };
}
