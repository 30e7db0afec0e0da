// FSST: byte strings in codes of one byte, each of which stands for up to eight bytes. A string is spelled out alone,
// so that few strings of a page cost their own bytes and no others'.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { lazyStrings, pickedStrings } from '../../byte-strings.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node } from '../../node.ts';
import type { ByteStrings, Strings } from '../../vector.ts';
import { MOST_SYMBOLS, MOST_SYMBOL_BYTES, SpelledStrings, symbolTable } from './symbol-table.ts';

/** Strings [start, end): where they end; their bytes are spelled out when they are looked at. */
function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): ByteStrings {
  const reader = new NodeReader(decoder, node);
  const dataBytes = reader.uint32('a number of bytes');
  const codeBytes = reader.uint32('a number of codes');
  const symbolCount = reader.uint8('a number of symbols');
  reader.take(7, 'ignored bytes');
  if (symbolCount > MOST_SYMBOLS) throw reader.refuse(`at most ${MOST_SYMBOLS} symbols`, symbolCount);
  const most = Math.min(decoder.maxBodyBytes, MOST_SYMBOL_BYTES * codeBytes);
  if (dataBytes > most) throw reader.refuse(`at most ${most} bytes of strings`, dataBytes);
  const lengthsNode = reader.child(node.count);
  const codesNode = reader.child(node.count);
  const { bytes } = decoder;
  const lengthsAt = reader.take(symbolCount, 'lengths of symbols');
  const symbolLengths = bytes.subarray(lengthsAt, lengthsAt + symbolCount);
  let symbolBytes = 0;
  for (const length of symbolLengths) {
    if (length < 1 || length > MOST_SYMBOL_BYTES)
      throw reader.refuse(`symbols of 1 to ${MOST_SYMBOL_BYTES} bytes`, length);
    symbolBytes += length;
  }
  const symbolsAt = reader.take(symbolBytes, 'symbols');
  const codesAt = reader.take(codeBytes, 'codes');
  reader.end();
  const lengths = decoder.numbers(lengthsNode, 0, node.count, dataBytes + 1, 'the length of a string');
  const codeCounts = decoder.numbers(codesNode, 0, node.count, codeBytes + 1, 'codes of a string');
  const ends = new Uint32Array(node.count);
  const codeEnds = new Uint32Array(node.count);
  let [dataEnd, codeEnd] = [0, 0];
  for (let i = 0; i < node.count; i++) {
    const [length, codeCount] = [lengths[i] as number, codeCounts[i] as number];
    if (length > MOST_SYMBOL_BYTES * codeCount || codeCount > 2 * length)
      throw reader.refuse(`codes of ${length} bytes`, codeCount);
    dataEnd += length;
    codeEnd += codeCount;
    ends[i] = dataEnd;
    codeEnds[i] = codeEnd;
  }
  if (dataEnd !== dataBytes || codeEnd !== codeBytes)
    throw reader.refuse(`strings of ${dataBytes} bytes in ${codeBytes} together`, `${dataEnd} in ${codeEnd}`);
  const spelled = new SpelledStrings(
    {
      table: symbolTable(symbolLengths, bytes.subarray(symbolsAt, symbolsAt + symbolBytes)),
      codes: bytes.subarray(codesAt, codesAt + codeBytes),
      codeEnds,
      ends,
    },
    () => reader.refuse('codes that spell as many bytes as their string has', 'others'),
  );
  return lazyStrings(spelled, start === 0 ? 0 : (ends[start - 1] as number), ends.subarray(start, end), undefined);
}

/** The strings at `rows` alone, in any order. */
function stringsAt(node: Node, rows: Uint32Array, decoder: Decoder): Strings {
  return pickedStrings(decodeStrings(node, 0, node.count, decoder), rows);
}

export const fsst: EncodingReader = {
  name: 'FSST',
  decodeStrings,
  salvageStrings: stringsAt,
};

export const fsstWriter: EncodingWriter = {};
