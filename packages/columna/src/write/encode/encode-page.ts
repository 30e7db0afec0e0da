// A chosen node and a validity bitmap -> the bytes of a page: body, DEFLATE where it pays, header with CRC.
import type { ColumnType } from '../../layout/column-type.ts';
import { Encoding } from '../../layout/constants.ts';
import type { CodecName } from '../../layout/constants.ts';
import { encodePageBytes, pageBytes } from '../../layout/page-header.ts';
import type { PageHeader } from '../../layout/page-header.ts';
import { costOf } from '../../columns/chooser.ts';
import type { Candidate, Rules } from '../../columns/chooser.ts';
import { deflate } from '../../columns/deflating/deflating.ts';
import { DECODING_RATES } from '../../columns/encodings/decoding-rates.ts';
import { giveBack, lentWords } from '../../columns/kernels/lent-words.ts';
import { NodeWriter, childBytes } from '../../columns/node.ts';
import type { SizedNode } from '../../columns/node.ts';
import { narrowSource } from '../../columns/source.ts';
import type { Choice, EncodingChooser } from './choose-encoding.ts';

/** A page's body before and after DEFLATE. */
export interface PageBody {
  readonly node: SizedNode;
  readonly codec: CodecName;
  readonly bodyBytes: number;
  readonly stored: Uint8Array;
  /** Nanoseconds that it takes to decode, about. */
  readonly time: number;
}

/** What the writer did with one page, and what else it looked at. */
export interface PageReport {
  readonly encoding: string;
  readonly codec: CodecName;
  readonly rowCount: number;
  readonly valueCount: number;
  /** Bytes of the body before DEFLATE, and of the page in the file. */
  readonly bodyBytes: number;
  readonly pageBytes: number;
  /** Sizes of all encodings of the values, the fewest bytes first. */
  readonly candidates: readonly Candidate[];
}

export interface EncodedPage {
  readonly bytes: Uint8Array;
  readonly rootEncoding: number;
  /** Nanoseconds that it takes to decode, about. */
  readonly time: number;
  readonly report: PageReport;
}

/** Packed bodies below this stay: inflating a page costs as much as reading a few bytes more. */
const LEAST_BYTES = 128;
/** Bodies below this are deflated without a look at a sample first. */
const SAMPLED_ABOVE = 1 << 17;
const SAMPLE_BYTES = 1 << 13;
/** Where a deflated page costs so many times another form of it, DEFLATE is not tried on the column's next pages. */
const CLEARLY_LOST = 1.03;

/** The body of a node with its validity, compressed where that pays. */
export function encodeBody(node: SizedNode, validity: Uint8Array | null, chooser: EncodingChooser): PageBody {
  const validityNode = validity === null ? null : chooser.integers(narrowSource(new Uint32Array(validity)), 'octets');
  const bodyBytes = (validityNode === null ? 0 : childBytes(validityNode)) + node.byteLength;
  const out = new NodeWriter(bodyBytes);
  if (validityNode !== null) out.child(validityNode);
  node.encode(out);
  if (out.position !== bodyBytes) throw new Error(`${node.label}: sized ${bodyBytes} bytes, wrote ${out.position}`);
  const deflated = compress(out.bytes, node, chooser);
  const time = node.time + (validityNode?.time ?? 0);
  return deflated === null
    ? { node, codec: 'NONE', bodyBytes, stored: out.bytes, time }
    : {
        node,
        codec: 'DEFLATE',
        bodyBytes,
        stored: deflated,
        time: time + inflatingTime(bodyBytes, deflated.length),
      };
}

/** The deflated body where that is cheaper by the price of the mode, else null. */
function compress(body: Uint8Array, { label, isCompressed }: SizedNode, chooser: EncodingChooser): Uint8Array | null {
  const { rules } = chooser;
  if (chooser.plainOnly || isCompressed === true || chooser.notDeflated.has(label)) return null;
  const gain = leastGain(rules);
  if (gain > 0 && body.length < LEAST_BYTES) return null;
  const deflated = gain === 0 || isPromising(body, gain, rules) ? deflate(body, rules.deflateLevel) : null;
  const share = deflated === null ? Infinity : shareOf(deflated, body, rules);
  if (share > CLEARLY_LOST) passOver(label, body.length, chooser);
  return share < 1 ? deflated : null;
}

function passOver(label: string, bodyBytes: number, { rules, notDeflated }: EncodingChooser): void {
  if (rules.bytesPerNanosecond > 0 && bodyBytes >= SAMPLE_BYTES) notDeflated.add(label);
}

/** DEFLATE can turn the order round where one of the nodes holds plain bytes, so each contender is tried. */
export function cheapestBody(
  contenders: readonly SizedNode[],
  validity: Uint8Array | null,
  chooser: EncodingChooser,
): PageBody {
  const costs = ({ stored, time }: PageBody): number => costOf({ byteLength: stored.length, time }, chooser.rules);
  // Behind the first one stand those that nothing but DEFLATE would bring in front.
  const [first, ...others] = contenders;
  let best = encodeBody(first as SizedNode, validity, chooser);
  for (const node of others) {
    if (chooser.notDeflated.has(node.label)) continue;
    const body = encodeBody(node, validity, chooser);
    if (costs(body) > CLEARLY_LOST * costs(best)) passOver(node.label, body.bodyBytes, chooser);
    if (costs(body) < costs(best)) best = body;
  }
  return best;
}

/** What a deflated page costs beside one that is not. */
function shareOf(deflated: Uint8Array, body: Uint8Array, rules: Rules): number {
  const stored = { byteLength: pageBytes(deflated.length), time: inflatingTime(body.length, deflated.length) };
  return costOf(stored, rules) / pageBytes(body.length);
}

/** Nanoseconds of inflating so many bytes out of so many. */
function inflatingTime(bodyBytes: number, storedBytes: number): number {
  return bodyBytes * DECODING_RATES.inflated + storedBytes * DECODING_RATES.deflated;
}

/** The share of a body that DEFLATE must save to pay for its time, where the bytes that are left cost as they do. */
function leastGain({ bytesPerNanosecond }: Rules): number {
  const [each, left] = [bytesPerNanosecond * DECODING_RATES.inflated, bytesPerNanosecond * DECODING_RATES.deflated];
  return Math.min(1, (each + left) / (1 + left));
}

/**
 * Packed numbers are hardly ever made smaller by DEFLATE, and it takes thirty times longer than they did to find that
 * out: a look first, then samples of what is long.
 */
function isPromising(body: Uint8Array, gain: number, rules: Rules): boolean {
  const { repeats, skew } = patternsOf(body);
  if (repeats < gain / 2 && skew < gain / 2) return false;
  // What repeats after more than a sample's length is not in the samples.
  if (repeats > gain || body.length <= SAMPLED_ABOVE) return true;
  let [before, after] = [0, 0];
  for (const start of [0, (body.length - SAMPLE_BYTES) >>> 1, body.length - SAMPLE_BYTES]) {
    before += SAMPLE_BYTES;
    after += deflate(body.subarray(start, start + SAMPLE_BYTES), rules.deflateLevel).length;
  }
  return after < before * (1 - gain / 2);
}

/** What DEFLATE lives on, as shares of the bytes. */
interface Patterns {
  /** Bytes of which the last four stood somewhere before. */
  readonly repeats: number;
  /** What is saved where bytes take their entropy. */
  readonly skew: number;
}

function patternsOf(body: Uint8Array): Patterns {
  const length = Math.min(body.length, LOOK_BYTES);
  const from = (body.length - length) >>> 1;
  const times = new Uint32Array(256);
  const seen = lentWords(1 << HASH_BITS).fill(0);
  let repeats = 0;
  let before = 0;
  for (let i = 0; i < length; i++) {
    const byte = body[from + i] as number;
    times[byte] = (times[byte] as number) + 1;
    before = (before << 8) | byte;
    if (i < 3) continue;
    // Four bytes are never 0 here but for zeros, which the frequencies tell.
    const slot = Math.imul(before, 0x9e3779b1) >>> (32 - HASH_BITS);
    if (seen[slot] === before >>> 0) repeats++;
    seen[slot] = before;
  }
  giveBack(seen);
  let bits = 0;
  for (const count of times) if (count > 0) bits += count * Math.log2(length / count);
  // The entropy of so few bytes falls short of eight bits by the bias of a sample alone.
  const bias = 255 / (2 * Math.LN2);
  return { repeats: repeats / length, skew: 1 - (bits + bias) / (8 * length) };
}

const LOOK_BYTES = 1 << 14;
const HASH_BITS = 14;

export interface PageFacts {
  readonly kind: PageHeader['kind'];
  readonly type: ColumnType;
  readonly columnNumber: number;
  readonly rowCount: number;
  readonly valueCount: number;
}

/** A page of values that were chosen for. */
export function encodePage(facts: PageFacts, choice: Choice, body: PageBody): EncodedPage {
  const { encoding, parameter, label } = body.node;
  const { kind, rowCount, valueCount } = facts;
  const { codec, bodyBytes } = body;
  const bytes = encodePageBytes(
    { kind, codec, encoding, parameter, bodyBytes, rowCount, valueCount },
    body.stored,
    facts.type,
    facts.columnNumber,
  );
  return {
    bytes,
    rootEncoding: encoding,
    time: body.time,
    report: {
      encoding: label,
      codec,
      rowCount,
      valueCount,
      bodyBytes,
      pageBytes: bytes.length,
      candidates: choice.candidates,
    },
  };
}

/** A page of nulls only: a header. */
export function encodeNullPage(facts: PageFacts): EncodedPage {
  const { kind, rowCount, valueCount } = facts;
  const bytes = encodePageBytes(
    { kind, codec: 'NONE', encoding: Encoding.PLAIN, parameter: 0, bodyBytes: 0, rowCount, valueCount },
    new Uint8Array(0),
    facts.type,
    facts.columnNumber,
  );
  return {
    bytes,
    rootEncoding: Encoding.PLAIN,
    time: 0,
    report: {
      encoding: 'nulls',
      codec: 'NONE',
      rowCount,
      valueCount,
      bodyBytes: 0,
      pageBytes: bytes.length,
      candidates: [],
    },
  };
}
