// MATCHES: byte strings as literals and copies of what stands before them in the page, at any distance. Where the same
// long texts come again far apart nothing takes fewer bytes; a page of it is decoded from the front, all of it.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node } from '../../node.ts';
import type { ByteStrings } from '../../vector.ts';
import { MOST_OFFSET_CODE, SAME_OFFSET, leastOffset, offsetBits } from './offsets.ts';

export const SHORTEST_MATCH = 2;
/** A byte of a node stands for no more literals and matches than this, so that hostile ones take little memory. */
export const MOST_PARTS_PER_BYTE = 8;

const NOTHING = new Uint32Array(0);

function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): ByteStrings {
  const reader = new NodeReader(decoder, node);
  const dataBytes = reader.uint32('a number of bytes');
  const literalBytes = reader.uint32('a number of bytes');
  const matchCount = reader.uint32('a number of bytes');
  reader.take(4, 'ignored bytes');
  const nodeBytes = node.end - node.start;
  if (
    dataBytes > Math.min(decoder.maxBodyBytes, MAX_DEFLATE_RATIO * nodeBytes) ||
    literalBytes + SHORTEST_MATCH * matchCount > dataBytes ||
    literalBytes + matchCount > MOST_PARTS_PER_BYTE * nodeBytes
  )
    throw reader.refuse(`what ${nodeBytes} bytes may stand for`, 'more');
  const numbers = (count: number, limit: number, what: string): Uint32Array =>
    count === 0 ? NOTHING : decoder.numbers(reader.child(count), 0, count, limit, what);
  const sizes = numbers(node.count, dataBytes + 1, 'a length');
  const literals = numbers(literalBytes, 256, 'a literal');
  const runs = numbers(matchCount, literalBytes + 1, 'a run');
  const lengths = numbers(matchCount, dataBytes + 1, 'a length');
  const codes = numbers(matchCount, MOST_OFFSET_CODE + 1, 'a code');
  const rest = decoder.words.subarray(reader.position / 4, node.end >>> 2);

  const ends = new Uint32Array(node.count);
  let dataEnd = 0;
  for (let i = 0; i < node.count; i++) ends[i] = dataEnd += sizes[i] as number;
  const bytes = new Uint8Array(dataBytes);
  if (dataEnd !== dataBytes || !copyParts(literals, runs, lengths, codes, rest, bytes))
    throw reader.refuse(`parts of ${dataBytes} bytes`, 'others');
  return {
    kind: 'strings',
    count: end - start,
    bytes,
    start: start === 0 ? 0 : (ends[start - 1] as number),
    ends: ends.subarray(start, end),
  };
}

/**
 * Fills `out`, and nothing beyond it: of each match how many literals stand before it, how long it is, and the code of
 * how far it reaches back, of which `rest` has the bits. False where they give other bytes than it has.
 */
function copyParts(
  literals: Uint32Array,
  runs: Uint32Array,
  lengths: Uint32Array,
  codes: Uint32Array,
  rest: Uint32Array,
  out: Uint8Array,
): boolean {
  let [at, literal, bit, offset] = [0, 0, 0, 1];
  for (let i = 0; i < runs.length; i++) {
    const code = codes[i] as number;
    if (code !== SAME_OFFSET) {
      const width = offsetBits(code);
      const word = bit >>> 5;
      // Behind the last word there are zeros, until what was read is counted.
      const low = (rest[word] as number) >>> bit;
      const high = ((rest[word + 1] as number) << 1) << (31 - (bit & 31));
      offset = leastOffset(code) + ((low | high) & ((1 << width) - 1));
      bit += width;
    }
    const length = lengths[i] as number;
    const runEnd = literal + (runs[i] as number);
    const from = at + (runs[i] as number);
    const matchEnd = from + length;
    if (runEnd > literals.length || matchEnd > out.length || offset > from || length < SHORTEST_MATCH) return false;
    while (literal < runEnd) out[at++] = literals[literal++] as number;
    for (; at < matchEnd; at++) out[at] = out[at - offset] as number;
  }
  if (literals.length - literal !== out.length - at || bit > 32 * rest.length) return false;
  out.set(literals.subarray(literal), at);
  return true;
}

export const matches: EncodingReader = {
  name: 'MATCHES',
  decodeStrings,
};

export const matchesWriter: EncodingWriter = {};
