// Byte strings -> a FRONT node, of a node of what they do not share, which the caller has sized.
import { Encoding, MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import { byteLengthOf } from '../../byte-strings.ts';
import type { Chooser } from '../../chooser.ts';
import { childBytes } from '../../node.ts';
import type { SizedNode } from '../../node.ts';
import { narrowSource } from '../../source.ts';
import type { ByteStrings } from '../../vector.ts';
import { DECODING_RATES } from '../decoding-rates.ts';

const HEAD_BYTES = 8;

/** How many bytes each string shares with the one before it, and how many these are together. */
export interface Shared {
  readonly counts: Uint32Array;
  readonly byteLength: number;
}

/** Of strings from one that shares nothing to the next there are 2^`intervalLog2`. */
export function sharedBytes({ bytes, start, ends, count }: ByteStrings, intervalLog2: number): Shared {
  const counts = new Uint32Array(count);
  const mask = 2 ** intervalLog2 - 1;
  let [byteLength, before, from] = [0, start, start];
  for (let i = 0; i < count; i++) {
    const end = ends[i] as number;
    if ((i & mask) !== 0) {
      const most = Math.min(end - from, from - before);
      let same = 0;
      while (same < most && bytes[from + same] === bytes[before + same]) same++;
      counts[i] = same;
      byteLength += same;
    }
    before = from;
    from = end;
  }
  return { counts, byteLength };
}

/** What each string has behind the bytes that it shares, as a copy. */
export function ownStrings({ bytes, start, ends, count }: ByteStrings, { counts, byteLength }: Shared): ByteStrings {
  const own = new Uint8Array((ends[count - 1] as number) - start - byteLength);
  const ownEnds = new Uint32Array(count);
  let to = 0;
  for (let i = 0, from = start; i < count; i++) {
    const end = ends[i] as number;
    for (let at = from + (counts[i] as number); at < end; ) own[to++] = bytes[at++] as number;
    ownEnds[i] = to;
    from = end;
  }
  return { kind: 'strings', count, bytes: own, start: 0, ends: ownEnds };
}

/** @param own the node of `ownStrings`. */
export function size(
  strings: ByteStrings,
  { counts }: Shared,
  intervalLog2: number,
  own: SizedNode,
  chooser: Chooser,
): SizedNode {
  const sharedNode = chooser.integers(narrowSource(counts), 'lengths');
  const dataBytes = byteLengthOf(strings);
  const ownBytes = HEAD_BYTES + childBytes(sharedNode) + childBytes(own);
  // A reader refuses what stands for too much: behind very regular strings there are bytes that nobody looks at.
  const byteLength = Math.max(ownBytes, Math.ceil(dataBytes / MAX_DEFLATE_RATIO));
  return {
    encoding: Encoding.FRONT,
    parameter: intervalLog2,
    byteLength,
    label: `FRONT(${own.label})`,
    time: sharedNode.time + own.time + strings.count * DECODING_RATES.joinedString,
    isCompressed: own.isCompressed === true,
    encode: (out) => {
      out.uint32(dataBytes);
      out.uint32(0);
      out.child(sharedNode);
      out.child(own);
      out.skip(byteLength - ownBytes);
    },
  };
}
