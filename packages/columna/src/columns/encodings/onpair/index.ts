// ONPAIR: byte strings in codes, each of which stands for up to 32 bytes. A string is spelled out alone, so that
// few strings of a page cost their own bytes and no others'.
import { MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { lazyStrings, pickedStrings } from '../../byte-strings.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node } from '../../node.ts';
import type { ByteStrings, Strings } from '../../vector.ts';
import { MOST_SYMBOLS, MOST_SYMBOL_BYTES, SpelledStrings } from './symbols.ts';
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
  const symbolsNode = reader.child(symbolCount);
  const sharedNode = reader.child(symbolCount);
  const codesNode = reader.child(codeCount);
  const symbols = readSymbols(reader, symbolsNode, sharedNode, decoder);
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

/**
 * How long they are and how many bytes each shares with the one before are in children; the other bytes lie back to
 * back behind the last child, and what is behind them is ignored.
 */
function readSymbols(reader: NodeReader, lengthsNode: Node, sharedNode: Node, decoder: Decoder): Symbols {
  const { count } = lengthsNode;
  const numbers = (node: Node, what: string): Uint32Array =>
    decoder.numbers(node, 0, count, MOST_SYMBOL_BYTES + 1, what);
  const lengths = Uint8Array.from(numbers(lengthsNode, 'the length of a symbol'));
  const shared = numbers(sharedNode, 'bytes of the symbol before');
  let [ownBytes, before] = [0, 0];
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[symbol] as number;
    if (length === 0) throw reader.refuse(`symbols of 1 to ${MOST_SYMBOL_BYTES} bytes`, length);
    const same = shared[symbol] as number;
    if (same > length || same > before) throw reader.refuse(`at most ${Math.min(length, before)} shared bytes`, same);
    ownBytes += length - same;
    before = length;
  }
  const bytes = new Uint8Array(MOST_SYMBOL_BYTES * count);
  for (let symbol = 0, at = reader.take(ownBytes, 'symbols'), to = 0; symbol < count; symbol++) {
    const same = shared[symbol] as number;
    bytes.copyWithin(to, to - MOST_SYMBOL_BYTES, to - MOST_SYMBOL_BYTES + same);
    for (let byte = same; byte < (lengths[symbol] as number); byte++) bytes[to + byte] = decoder.bytes[at++] as number;
    to += MOST_SYMBOL_BYTES;
  }
  return { count, bytes, lengths };
}

/** The strings at `rows` alone, in any order. */
function stringsAt(node: Node, rows: Uint32Array, decoder: Decoder): Strings {
  return pickedStrings(decodeStrings(node, 0, node.count, decoder), rows);
}

export const onpair: EncodingReader = {
  name: 'ONPAIR',
  decodeStrings,
  salvageStrings: stringsAt,
};

export const onpairWriter: EncodingWriter = {};
