// FRONT: byte strings of which each begins with bytes of the one before it, as sorted ones do: how many these are, and
// the bytes behind them. Some strings, at equal distances, share nothing: what is asked for is decoded from there on.
import { MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { lazyStrings, pickedBy } from '../../byte-strings.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node } from '../../node.ts';
import type { ByteStrings } from '../../vector.ts';
import { JoinedStrings } from './joined-strings.ts';

/** The parameter is that of how many strings there are from one that shares nothing to the next. */
export const MOST_INTERVAL_LOG2 = 16;

/** Strings [start, end): where they end; their bytes are put together when they are looked at. */
function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): ByteStrings {
  const reader = new NodeReader(decoder, node, MOST_INTERVAL_LOG2);
  const dataBytes = reader.uint32('a number of bytes');
  reader.take(4, 'ignored bytes');
  const most = Math.min(decoder.maxBodyBytes, MAX_DEFLATE_RATIO * (node.end - node.start));
  if (dataBytes > most) throw reader.refuse(`at most ${most} bytes of strings`, dataBytes);
  const sharedNode = reader.child(node.count);
  const ownNode = reader.child(node.count, node.domain);
  const shared = decoder.numbers(sharedNode, 0, node.count, dataBytes + 1, 'the length of a string');
  const own = decoder.strings(ownNode, 0, node.count);
  const ends = new Uint32Array(node.count);
  const interval = 2 ** node.parameter;
  let [dataEnd, before, ownEnd] = [0, 0, 0];
  if (own.kind === 'coded') throw reader.refuse('strings', 'codes');
  for (let i = 0; i < node.count; i++) {
    const same = shared[i] as number;
    if (same > (i % interval === 0 ? 0 : before)) dataEnd = NaN;
    before = same - ownEnd + (ownEnd = own.ends[i] as number);
    ends[i] = dataEnd += before;
  }
  if (dataEnd !== dataBytes) throw reader.refuse(`lengths of ${dataBytes} bytes together`, 'others');
  const joined = new JoinedStrings(own, ends, node.parameter);
  return lazyStrings(joined, start === 0 ? 0 : (ends[start - 1] as number), ends.subarray(start, end), undefined);
}

export const front: EncodingReader = {
  name: 'FRONT',
  decodeStrings,
  salvageStrings: pickedBy(decodeStrings),
};

export const frontWriter: EncodingWriter = {
  mostParameter: MOST_INTERVAL_LOG2,
  label: (reader, child) => {
    reader.take(8, 'a number of bytes');
    child();
    return `FRONT(${child()})`;
  },
};
