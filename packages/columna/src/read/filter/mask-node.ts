// A node of a page -> which of its values lie in intervals, without making the values: run by run, entry by entry, and
// through patches; packed numbers are compared as they are.
import type { Decoder, Node } from '../../columns/node.ts';
import { openDictionaryNode } from '../../columns/encodings/dictionary.ts';
import { openPatches } from '../../columns/encodings/patched.ts';
import { openRuns } from '../../columns/encodings/run-length.ts';
import type { Scratch } from '../../columns/scratch.ts';
import { Encoding } from '../../layout/constants.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { Intervals } from './intervals.ts';
import { markVector } from './mask-vector.ts';

/** One byte a value: 1 where it lies in one of the intervals. Scratch memory. */
export function maskNode(node: Node, decoder: Decoder, intervals: Intervals, type: ColumnType): Uint8Array {
  switch (node.encoding) {
    case Encoding.RLE: {
      const { runCount, values, lengths } = openRuns(node, decoder);
      return expandRuns(
        maskNode({ ...values, count: runCount }, decoder, intervals, type),
        lengths,
        decoder.scratch.zeros(node.count),
      );
    }
    case Encoding.DICTIONARY: {
      const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
      return maskByCodes(
        maskNode(entries, decoder, intervals, type),
        decoder.numbers(codes, 0, node.count, entryCount, 'a code'),
        decoder.scratch,
      );
    }
    case Encoding.PATCHED: {
      const { values, positions, replacements } = openPatches(node, decoder);
      const mask = maskNode(values, decoder, intervals, type);
      const patches = new Uint8Array(positions.length);
      markVector(replacements, intervals, type, patches);
      for (let i = 0; i < positions.length; i++) mask[positions[i] as number] = patches[i] as number;
      return mask;
    }
    default: {
      const mask = decoder.scratch.zeros(node.count);
      markVector(decoder.vector(node, 0, node.count), intervals, type, mask);
      return mask;
    }
  }
}

function expandRuns(ofRuns: Uint8Array, lengths: Uint32Array, mask: Uint8Array): Uint8Array {
  for (let run = 0, at = 0; run < ofRuns.length; run++) {
    const end = at + (lengths[run] as number);
    if (ofRuns[run] === 1) mask.fill(1, at, end);
    at = end;
  }
  return mask;
}

/** What is true of entries, for values by code. Scratch memory. */
export function maskByCodes(ofEntries: Uint8Array, codes: Uint32Array, scratch: Scratch): Uint8Array {
  const mask = scratch.zeros(codes.length);
  for (let i = 0; i < mask.length; i++) mask[i] = ofEntries[codes[i] as number] as number;
  return mask;
}
