// ONPAIR: byte strings in codes, each of which stands for up to 32 bytes. A string is spelled out alone, so that
// few strings of a page cost their own bytes and no others'.
import { MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { lazyStrings, pickedBy } from '../../byte-strings.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node } from '../../node.ts';
import type { ByteStrings } from '../../vector.ts';
import { MOST_SYMBOLS, MOST_SYMBOL_BYTES, SpelledStrings, WORDS_PER_SYMBOL } from './symbols.ts';
import type { Symbols } from './symbols.ts';

/** Strings [start, end): where they end; their bytes are spelled out when they are looked at. */
function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): ByteStrings {
  const reader = new NodeReader(decoder, node);
  const dataBytes = reader.uint32('a number of bytes');
  const codeCount = reader.uint32('a number of codes');
  const symbolCount = reader.uint32('a number of symbols');
  reader.take(4, 'ignored bytes');
  if (symbolCount < 1 || symbolCount > MOST_SYMBOLS) throw reader.refuse(`1 to ${MOST_SYMBOLS} symbols`, symbolCount);
  const most = Math.min(
    decoder.maxBodyBytes,
    MOST_SYMBOL_BYTES * codeCount,
    MAX_DEFLATE_RATIO * (node.end - node.start),
  );
  if (dataBytes > most) throw reader.refuse(`at most ${most} bytes of strings`, dataBytes);
  if (codeCount > dataBytes) throw reader.refuse(`at most ${dataBytes} codes`, codeCount);
  const lengthsNode = reader.child(node.count);
  const countsNode = reader.child(node.count);
  const sharedNode = reader.child(symbolCount);
  const ownNode = reader.child(symbolCount);
  const codesNode = reader.child(codeCount);
  const symbols = readSymbols(reader, sharedNode, ownNode, decoder);
  const lengths = decoder.numbers(lengthsNode, 0, node.count, dataBytes + 1, 'the length of a string');
  const codeCounts = decoder.numbers(countsNode, 0, node.count, codeCount + 1, 'codes of a string');
  const ends = new Uint32Array(node.count);
  const codeEnds = new Uint32Array(node.count);
  let [dataEnd, codeEnd] = [0, 0];
  for (let i = 0; i < node.count; i++) {
    const [length, codes] = [lengths[i] as number, codeCounts[i] as number];
    if (length > MOST_SYMBOL_BYTES * codes || codes > length) throw reader.refuse(`codes of ${length} bytes`, codes);
    dataEnd += length;
    codeEnd += codes;
    ends[i] = dataEnd;
    codeEnds[i] = codeEnd;
  }
  if (dataEnd !== dataBytes || codeEnd !== codeCount)
    throw reader.refuse(`strings of ${dataBytes} bytes in ${codeCount} codes together`, `${dataEnd} in ${codeEnd}`);
  const spelled = new SpelledStrings(
    {
      symbols,
      codes: (from, to) => decoder.numbers(codesNode, from, to, symbolCount, 'a code of a symbol'),
      codeEnds,
      ends,
    },
    () => reader.refuse('codes that spell as many bytes as their string has', 'others'),
  );
  return lazyStrings(spelled, start === 0 ? 0 : (ends[start - 1] as number), ends.subarray(start, end), undefined);
}

/** Each begins with so many bytes of the one before, and has so many of its own: those are in the last child. */
function readSymbols(reader: NodeReader, sharedNode: Node, ownNode: Node, decoder: Decoder): Symbols {
  const { count } = sharedNode;
  const numbers = (node: Node, below: number): Uint32Array =>
    decoder.numbers(node, 0, node.count, below, 'bytes of a symbol');
  const shared = numbers(sharedNode, MOST_SYMBOL_BYTES + 1);
  const own = numbers(ownNode, MOST_SYMBOL_BYTES + 1);
  const lengths = new Uint8Array(count);
  let [byteCount, before] = [0, 0];
  for (let symbol = 0; symbol < count; symbol++) {
    const [same, more] = [shared[symbol] as number, own[symbol] as number];
    const length = same + more;
    if (same > before || length < 1 || length > MOST_SYMBOL_BYTES)
      throw reader.refuse(`1 to ${MOST_SYMBOL_BYTES} bytes of a symbol`, length);
    lengths[symbol] = length;
    byteCount += more;
    before = length;
  }
  const words = new Int32Array(WORDS_PER_SYMBOL * count);
  const bytes = new Uint8Array(words.buffer);
  const ownBytes = numbers(reader.child(byteCount), 256);
  for (let symbol = 0, at = 0, to = 0; symbol < count; symbol++, to += MOST_SYMBOL_BYTES) {
    const same = shared[symbol] as number;
    for (let word = 0; 4 * word < same; word++)
      words[to / 4 + word] = words[to / 4 + word - WORDS_PER_SYMBOL] as number;
    for (let byte = same; byte < (lengths[symbol] as number); byte++) bytes[to + byte] = ownBytes[at++] as number;
  }
  return { count, bytes, lengths };
}

export const onpair: EncodingReader = {
  name: 'ONPAIR',
  decodeStrings,
  salvageStrings: pickedBy(decodeStrings),
};

export const onpairWriter: EncodingWriter = {};
