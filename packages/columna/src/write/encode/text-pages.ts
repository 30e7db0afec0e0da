// Byte strings of a page that are no codes of the row group: as they are, or the distinct ones and codes; their bytes
// back to back, in blocks that are compressed one by one, in symbols, or as matches; without those that each string
// shares with the one before it.
import * as blocks from '../../columns/encodings/blocks/size.ts';
import * as front from '../../columns/encodings/front/size.ts';
import * as onpair from '../../columns/encodings/onpair/size.ts';
import * as matches from '../../columns/encodings/matches/size.ts';
import * as dictionary from '../../columns/encodings/dictionary/index.ts';
import * as plain from '../../columns/encodings/plain/index.ts';
import * as strings from '../../columns/encodings/plain/strings.ts';
import { costOf } from '../../columns/chooser.ts';
import type { SizedNode } from '../../columns/node.ts';
import { narrowSource } from '../../columns/source.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import { byteLengthOf, endsAt, pickStrings, stringAt } from '../../columns/byte-strings.ts';
import type { Choice, EncodingChooser } from './choose-encoding.ts';
import { distinctTexts, sizeFirstCodes } from './distinct-texts.ts';

/** Fewer bytes of strings are inflated whole as fast. */
const LEAST_BLOCK_BYTES = 1 << 15;
/** Where more of the values than this are distinct, codes say little. */
const MOST_DISTINCT = 0.9;

/** Strings one after another; `distinct`: the same or those that differ. */
export function sizeTexts(
  values: ByteStrings,
  chooser: EncodingChooser,
): { readonly choice: Choice; readonly distinct: ByteStrings } {
  const { forced, plainOnly } = chooser;
  const bytes = byteLengthOf(values);
  const isCompressed = isForced(chooser) || (forced === null && !plainOnly && bytes >= LEAST_BLOCK_BYTES);
  const isShared = forced === 'DICTIONARY' || (isCompressed && forced === null);
  const most = forced === 'DICTIONARY' ? values.count : Math.floor(values.count * MOST_DISTINCT);
  const found = isShared ? distinctTexts(values, most) : null;
  const distinct = found?.entries ?? values;
  const entries = (found !== null || isCompressed) && bytes > 0 ? sizeEntries(distinct, chooser) : null;
  const node =
    entries === null
      ? null
      : found === null
        ? entries
        : dictionary.size(entries, distinct.count, sizeFirstCodes(found.codes, chooser), values.count);
  // Compressed as a whole they take somewhat less, and as much time for one string as for all.
  const isAll = node !== null && node.byteLength < bytes && chooser.rules.bytesPerNanosecond > 0 && forced === null;
  const choice = isAll
    ? chooser.choose([node], [{ encoding: 'PLAIN', bytes, estimated: true }])
    : chooser.choose(node === null ? [sizePlain(values, null, chooser)] : [node, sizePlain(values, null, chooser)], []);
  return { choice, distinct };
}

/**
 * The entries at some indexes with a code for each value, in the order in which they first occur, as blocks; null where
 * they are too few bytes.
 */
export function sizeCodedTexts(entries: ByteStrings, codes: Uint32Array, chooser: EncodingChooser): SizedNode | null {
  const { indexes, own } = firstOrder(codes, entries.count);
  if ((endsAt(entries, indexes).at(-1) ?? 0) < LEAST_BLOCK_BYTES) return null;
  return dictionary.size(
    sizeCompressed(pickStrings(entries, indexes), chooser),
    indexes.length,
    sizeFirstCodes(own, chooser),
    codes.length,
  );
}

/** Codes that occur, by their first occurrence, and the codes as indexes among them. */
function firstOrder(
  codes: Uint32Array,
  entryCount: number,
): { readonly indexes: Uint32Array; readonly own: Uint32Array } {
  const order = new Uint32Array(Math.min(entryCount, codes.length));
  const rank = new Uint32Array(entryCount);
  const own = new Uint32Array(codes.length);
  let size = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (rank[code] === 0) {
      order[size++] = code;
      rank[code] = size;
    }
    own[i] = (rank[code] as number) - 1;
  }
  return { indexes: order.subarray(0, size), own };
}

/** Entries of a dictionary page, or of one in a page. */
export function sizeEntries(entries: ByteStrings, chooser: EncodingChooser): SizedNode {
  const bytes = byteLengthOf(entries);
  const isWorthwhile = chooser.forced === null && !chooser.plainOnly && bytes >= LEAST_BLOCK_BYTES;
  return (isWorthwhile || isForced(chooser)) && bytes > 0
    ? sizeCompressed(entries, chooser)
    : sizePlain(entries, null, chooser);
}

function isForced({ forced }: EncodingChooser): boolean {
  return forced === 'BLOCKS' || forced === 'ONPAIR' || forced === 'MATCHES' || forced === 'FRONT';
}

/** Of fewer bytes all are compressed in both ways. */
const LEAST_ESTIMATED_BYTES = 1 << 18;
/** What is so many times cheaper by an estimate is cheaper. */
const CLEARLY = 1.1;
/**
 * What is so many times cheaper is taken for the next pages too, as long as they cost about the same a byte: a share of
 * this, either way.
 */
const VERY_CLEARLY = 1.25;
const OTHERWISE = 1.2;
const SAMPLED_STRINGS = 1 << 11;

/** Numbers of some strings, at equal distances. */
function evenly(count: number): Uint32Array {
  const length = Math.min(count, SAMPLED_STRINGS);
  return Uint32Array.from({ length }, (_, i) => Math.floor((i * count) / length));
}

/** Where strings share less of their bytes than this with the ones before them, little is gained for the time. */
const LEAST_SHARED = 2 / 5;
/** Where time does not count. */
const LEAST_SHARED_OF_SMALLEST = 1 / 4;
/** Where they share more, nothing else is cheaper. */
const MOSTLY_SHARED = 1 / 2;

/** Of more bytes no matches are looked for: that takes ten times their memory, and the addon would not decode them. */
const MOST_MATCHED_BYTES = 1 << 23;

/** Strings such that few can be read alone. */
function sizeCompressed(strings: ByteStrings, chooser: EncodingChooser): SizedNode {
  const { forced, rules } = chooser;
  const shared = forced === null || forced === 'FRONT' ? front.sharedBytes(strings, rules.sharingLog2) : null;
  const bytes = byteLengthOf(strings);
  const least = rules.bytesPerNanosecond === 0 ? LEAST_SHARED_OF_SMALLEST : LEAST_SHARED;
  if (shared === null || (forced === null && shared.byteLength < least * bytes))
    return sizeWhole(strings, chooser, true);
  const own = front.ownStrings(strings, shared);
  const ownNode =
    byteLengthOf(own) < LEAST_BLOCK_BYTES ? sizePlain(own, null, chooser) : sizeWhole(own, chooser.ofOwn, false);
  const node = front.size(strings, shared, rules.sharingLog2, ownNode, chooser);
  const isClear = rules.bytesPerNanosecond > 0 && shared.byteLength >= MOSTLY_SHARED * bytes;
  if (forced !== null || isClear) return node;
  const whole = sizeWhole(strings, chooser, true);
  return costOf(whole, rules) < costOf(node, rules) ? whole : node;
}

/**
 * Strings in symbols or blocks; where nothing but bytes counts, also as matches, read as a whole.
 * @param areLookedFor whether somebody may look for one of them.
 */
function sizeWhole(strings: ByteStrings, chooser: EncodingChooser, areLookedFor: boolean): SizedNode {
  const { forced, rules } = chooser;
  const bytes = byteLengthOf(strings);
  const isTried =
    forced === 'MATCHES' || (forced === null && rules.bytesPerNanosecond === 0 && bytes <= MOST_MATCHED_BYTES);
  const inMatches = isTried ? matches.size(strings, chooser) : null;
  if (forced === 'MATCHES' && inMatches !== null) return inMatches;
  const inPieces = sizePieces(strings, chooser, areLookedFor);
  return inMatches !== null && inMatches.byteLength < inPieces.byteLength ? inMatches : inPieces;
}

/** Strings in symbols, or in blocks that are deflated: whichever is cheaper. */
function sizePieces(strings: ByteStrings, chooser: EncodingChooser, areLookedFor: boolean): SizedNode {
  const { forced, rules, clearTexts } = chooser;
  const sizeBlocks = (): SizedNode => blocks.size(strings, chooser, areLookedFor);
  if (forced !== null) return forced === 'ONPAIR' ? onpair.size(strings, chooser) : sizeBlocks();
  const bytes = byteLengthOf(strings);
  const isLong = bytes >= LEAST_ESTIMATED_BYTES;
  if (isLong && clearTexts !== null) {
    const node = clearTexts.encoding === 'ONPAIR' ? onpair.size(strings, chooser) : sizeBlocks();
    const share = costOf(node, rules) / bytes / clearTexts.cost;
    if (share <= OTHERWISE && share >= 1 / OTHERWISE) return node;
  }
  const symbols = onpair.trainSymbols(strings, rules.symbolRounds);
  let estimated: number | null = null;
  if (isLong) {
    const some = pickStrings(strings, evenly(strings.count));
    estimated =
      costOf(onpair.estimate(strings, some, symbols), rules) / costOf(blocks.estimate(strings, chooser), rules);
    // What both took before says how right an estimate is: it is worth less to have them both again. Where nothing but
    // bytes counts, the fewest are found.
    const known = rules.bytesPerNanosecond > 0 ? chooser.symbolsByEstimate : null;
    const share = estimated * (known ?? 1);
    const clearly = known === null ? CLEARLY : 1;
    const encoding = share * clearly < 1 ? 'ONPAIR' : share >= clearly ? 'BLOCKS' : null;
    if (encoding !== null) {
      const node = encoding === 'ONPAIR' ? onpair.size(strings, chooser, symbols) : sizeBlocks();
      const isVeryClear = Math.max(share, 1 / share) > VERY_CLEARLY;
      chooser.clearTexts = isVeryClear ? { encoding, cost: costOf(node, rules) / bytes } : null;
      return node;
    }
  }
  const [inSymbols, inBlocks] = [onpair.size(strings, chooser, symbols), sizeBlocks()];
  const share = costOf(inSymbols, rules) / costOf(inBlocks, rules);
  if (estimated !== null) chooser.symbolsByEstimate = share / estimated;
  return share < 1 ? inSymbols : inBlocks;
}

/**
 * PLAIN byte strings: all of `strings`, or those at `positions`. In plain mode the ends are 32-bit integers, an array
 * in the file.
 */
export function sizePlain(from: ByteStrings, positions: Uint32Array | null, chooser: EncodingChooser): SizedNode {
  const ends = positions === null ? endsOf(from) : endsAt(from, positions);
  const writeBytes = (to: Uint8Array) => {
    if (positions === null) to.set(from.bytes.subarray(from.start, from.start + to.length));
    else
      for (let i = 0; i < positions.length; i++)
        to.set(stringAt(from, positions[i] as number), i === 0 ? 0 : ends[i - 1]);
  };
  return strings.size({ ends, writeBytes }, chooser, chooser.plainOnly ? plain.size(narrowSource(ends), 4) : null);
}

function endsOf({ ends, start }: ByteStrings): Uint32Array {
  return start === 0 ? ends : ends.map((end) => end - start);
}
