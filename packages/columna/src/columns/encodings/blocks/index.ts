// BLOCKS: byte strings of which the bytes are compressed in blocks of their own, so that a few strings, or those that
// may be equal to a constant, cost the blocks that hold them.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import { lazyStrings, pickedStrings } from '../../byte-strings.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node } from '../../node.ts';
import { StoredBlocks } from './stored-blocks.ts';
import type { ByteStrings, Fingerprints, Strings } from '../../vector.ts';

export const SMALLEST_BLOCK_LOG2 = 10;
export const LARGEST_BLOCK_LOG2 = 20;
export const MOST_FINGERPRINT_BITS = 8;
export const MOST_HISTORY_BYTES = 1 << 15;

/** Strings [start, end): their lengths; the bytes are inflated when they are looked at. */
function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): ByteStrings {
  return openStrings(node, start, end, decoder, (prints, bits) => ({
    bits,
    values: decoder.numbers(prints, start, end, 2 ** bits, 'a fingerprint'),
  }));
}

/** The strings at `rows`, in any order, without fingerprints: of these, those of other strings are not looked at. */
function stringsAt(node: Node, rows: Uint32Array, decoder: Decoder): Strings {
  const strings = openStrings(node, 0, node.count, decoder, (prints, bits) => {
    decoder.pickNumbers(prints, rows, 2 ** bits, 'a fingerprint');
    return undefined;
  });
  return pickedStrings(strings, rows);
}

function openStrings(
  node: Node,
  start: number,
  end: number,
  decoder: Decoder,
  printsOf: (prints: Node, bits: number) => Fingerprints | undefined,
): ByteStrings {
  const reader = new NodeReader(decoder, node);
  const dataBytes = reader.uint32('a number of bytes');
  const blockLog2 = reader.uint8('the length of a block');
  const bits = reader.uint8('bits of a fingerprint');
  const historyBytes = reader.uint16('the length of a history');
  const historyStored = reader.uint32('the stored bytes of a history');
  reader.take(4, 'ignored bytes');
  if (blockLog2 < SMALLEST_BLOCK_LOG2 || blockLog2 > LARGEST_BLOCK_LOG2)
    throw reader.refuse(`a block_log2 of ${SMALLEST_BLOCK_LOG2} to ${LARGEST_BLOCK_LOG2}`, blockLog2);
  if (bits > MOST_FINGERPRINT_BITS) throw reader.refuse(`at most ${MOST_FINGERPRINT_BITS} bits`, bits);
  const isHistory = historyBytes === 0 ? historyStored === 0 : historyStored > 0 && historyStored <= historyBytes;
  if (historyBytes > MOST_HISTORY_BYTES || !isHistory)
    throw reader.refuse(`a history of at most ${MOST_HISTORY_BYTES} bytes`, `${historyBytes} in ${historyStored}`);
  const most = Math.min(decoder.maxBodyBytes, MAX_DEFLATE_RATIO * (node.end - node.start));
  if (dataBytes > most) throw reader.refuse(`at most ${most} bytes of strings`, dataBytes);
  const lengths = reader.child(node.count);
  const prints = bits === 0 ? null : reader.child(node.count);
  const blockCount = Math.ceil(dataBytes / 2 ** blockLog2);
  const sizes = blockCount === 0 ? null : reader.child(blockCount);

  // All lengths are added up, also where only some strings are asked for: they say where those are.
  const ends = endsOf(decoder.numbers(lengths, 0, node.count, dataBytes + 1, 'the length of a string'), dataBytes);
  if (ends === null) throw reader.refuse(`lengths of ${dataBytes} bytes together`, 'others');
  const fingerprints = prints === null ? undefined : printsOf(prints, bits);
  const history = historyBytes === 0 ? null : reader.take(historyStored, 'a history');
  const storedOf = decoder.bytes;
  const pieces: Uint8Array[] = [];
  const storedSizes = sizes === null ? [] : decoder.numbers(sizes, 0, blockCount, 2 ** blockLog2 + 1, 'a block');
  for (let block = 0; block < blockCount; block++) {
    const size = storedSizes[block] as number;
    const byteLength = Math.min(2 ** blockLog2, dataBytes - block * 2 ** blockLog2);
    if (size === 0 || size > byteLength) throw reader.refuse(`1 to ${byteLength} bytes of a block`, size);
    const at = reader.take(size, 'a block');
    pieces.push(storedOf.subarray(at, at + size));
  }
  reader.end();
  const stored = new StoredBlocks(
    dataBytes,
    blockLog2,
    pieces,
    history === null ? null : { stored: storedOf.subarray(history, history + historyStored), byteLength: historyBytes },
    (expected) => reader.refuse(expected, 'a broken one'),
  );
  return lazyStrings(stored, start === 0 ? 0 : (ends[start - 1] as number), ends.subarray(start, end), fingerprints);
}

/** Where each string ends; null where they are not so many bytes together. */
function endsOf(lengths: Uint32Array, dataBytes: number): Uint32Array | null {
  const ends = new Uint32Array(lengths.length);
  let end = 0;
  for (let i = 0; i < lengths.length; i++) {
    end += lengths[i] as number;
    ends[i] = end;
  }
  return end === dataBytes ? ends : null;
}

export const blocks: EncodingReader = {
  name: 'BLOCKS',
  decodeStrings,
  salvageStrings: stringsAt,
};

export const blocksWriter: EncodingWriter = {};
