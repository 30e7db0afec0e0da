// Byte strings -> a MATCHES node. What it takes is known when the matches are chosen, so sizing is all of the work.
import { Encoding, MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import type { Chooser } from '../../chooser.ts';
import { childBytes } from '../../node.ts';
import type { SizedNode } from '../../node.ts';
import { narrowSource } from '../../source.ts';
import type { ByteStrings } from '../../vector.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { MOST_PARTS_PER_BYTE } from './index.ts';
import { OFFSET_LIMIT, leastOffset, offsetBits } from './offsets.ts';
import { parseMatches } from './parse.ts';

const HEAD_BYTES = 16;

/** All strings, of one byte and more together; null where they are too many bytes. */
export function size(strings: ByteStrings, chooser: Chooser): SizedNode | null {
  const { count, start, ends } = strings;
  const data = strings.bytes.subarray(start, ends[count - 1]);
  if (data.length >= OFFSET_LIMIT) return null;
  const { literals, runs, lengths, offsets, codes } = parseMatches(data);
  const sizes = new Uint32Array(count);
  for (let i = 0, from = start; i < count; i++) {
    sizes[i] = (ends[i] as number) - from;
    from = ends[i] as number;
  }
  const children = [chooser.integers(narrowSource(sizes), 'lengths')];
  if (literals.length > 0) children.push(chooser.integers(narrowSource(Uint32Array.from(literals)), 'octets'));
  if (runs.length > 0)
    children.push(
      chooser.integers(narrowSource(runs), 'lengths'),
      chooser.integers(narrowSource(lengths), 'lengths'),
      chooser.integers(narrowSource(codes), 'codes'),
    );
  let restBits = 0;
  for (let i = 0; i < codes.length; i++) restBits += offsetBits(codes[i] as number);
  const childrenBytes = children.reduce((sum, child) => sum + childBytes(child), 0);
  // A reader refuses what stands for too much: of very regular bytes the rest is longer than it need be.
  const least = Math.max(
    Math.ceil(data.length / MAX_DEFLATE_RATIO),
    Math.ceil((literals.length + runs.length) / MOST_PARTS_PER_BYTE),
  );
  const restBytes = 4 * Math.ceil(Math.max(restBits / 32, (least - HEAD_BYTES - childrenBytes) / 4));
  return {
    encoding: Encoding.MATCHES,
    parameter: 0,
    byteLength: HEAD_BYTES + childrenBytes + restBytes,
    label: 'MATCHES',
    time:
      children.reduce((sum, child) => sum + child.time, 0) +
      runs.length * DECODING_RATES.match +
      data.length * DECODING_RATES.matched,
    isCompressed: true,
    encode: (out) => {
      out.uint32(data.length);
      out.uint32(literals.length);
      out.uint32(runs.length);
      out.uint32(0);
      for (const child of children) out.child(child);
      packRest(offsets, codes, out.words.subarray(out.skip(restBytes) / 4));
    },
  };
}

/** What codes leave open of offsets, to zeroed words. */
function packRest(offsets: Uint32Array, codes: Uint32Array, words: Uint32Array): void {
  let bit = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    const width = offsetBits(code);
    if (width === 0) continue;
    const rest = (offsets[i] as number) - leastOffset(code);
    const word = Math.floor(bit / 32);
    const shift = bit % 32;
    words[word] = (words[word] as number) | (rest << shift);
    if (shift + width > 32) words[word + 1] = rest >>> (32 - shift);
    bit += width;
  }
}
