// Trees of encodings at random, most of them legal: pages that no writer makes, so that every decoder meets every other
// one as its child. See docs/formats/columna.md, section 4.
import { deflateRawSync } from 'node:zlib';
import { alignUp, join, viewOf } from '../run/bytes.ts';
import { chance, hostileNumber } from '../run/random.ts';
import type { Random } from '../run/random.ts';

export interface RandomNode {
  readonly encoding: number;
  readonly parameter: number;
  readonly body: Uint8Array;
}

const PLAIN = 0;
const AFFINE = 6;
const DEEPEST = 9;
/** Low bits and digit planes of packed blocks; the last ones are not legal. */
const PLANS = [
  0, 1, 3, 7, 12, 18, 25, 31, 32, 33, 40, 63, 64, 0x100, 0x102, 0x301, 0x1000, 0x2101, 0x1204, 0x2300, 90, 0x4000,
  0x3001,
];

/** A node of `count` values of a type with items of `itemBytes` (0: byte strings). */
export function randomNode(random: Random, count: number, itemBytes: number, depth = 1): RandomNode {
  if (itemBytes === 0) return stringNode(random, count, depth);
  const encoding = depth > DEEPEST ? AFFINE : random.integer(depth > 3 ? 7 : 11);
  switch (encoding) {
    case PLAIN:
      return plain(random, count, depth === 1 ? Math.log2(itemBytes) : random.integer(4));
    case 1: {
      const log2 = chance(random, 0.9) ? 5 + random.integer(12) : random.integer(40);
      const bases = Math.max(1, Math.ceil(count / 2 ** Math.min(16, log2)));
      return {
        encoding,
        parameter: 0,
        body: join([head(log2), child(random, bases, depth), child(random, count, depth)]),
      };
    }
    case 2:
      return dictionary(random, count, depth, (entries) => child(random, entries, depth));
    case 3:
      return runs(random, count, depth);
    case 4:
      return bitPack(random, count);
    case 5:
      return { encoding, parameter: 0, body: join([head(random.integer(24)), child(random, count, depth)]) };
    case AFFINE:
      return { encoding, parameter: 0, body: words([hostileNumber(random, 64), hostileNumber(random, 64)]) };
    case 7:
      return patched(random, count, depth);
    case 8:
      return entropy(random, count, depth);
    case 9:
      return { encoding, parameter: 0, body: child(random, Math.ceil(count / 8), depth) };
    default:
      return { encoding, parameter: 0, body: wrap(bitPack(random, count, 1 + random.integer(5))) };
  }
}

/** A child node: header, body, padding. */
export function wrap({ encoding, parameter, body }: RandomNode): Uint8Array {
  const bytes = new Uint8Array(8 + alignUp(body.length, 8));
  bytes.set([encoding, parameter]);
  viewOf(bytes).setUint32(4, body.length, true);
  bytes.set(body, 8);
  return bytes;
}

/** The bitmap of a page's rows, about half of them not null, and how many are. */
export function randomValidity(
  random: Random,
  rowCount: number,
): { readonly node: Uint8Array; readonly valueCount: number } {
  const bits = Uint8Array.from({ length: Math.ceil(rowCount / 8) }, () => random.integer(256));
  let valueCount = 0;
  for (let row = 0; row < rowCount; row += 1) valueCount += ((bits[row >>> 3] ?? 0) >> (row & 7)) & 1;
  return { node: wrap({ encoding: PLAIN, parameter: 0, body: bits }), valueCount };
}

function child(random: Random, count: number, depth: number): Uint8Array {
  return wrap(randomNode(random, count, 8, depth + 1));
}

function head(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setUint32(0, value, true);
  return bytes;
}

function words(values: readonly bigint[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values, (value) => BigInt.asUintN(64, value)).buffer);
}

function u32s(values: readonly number[]): RandomNode {
  return { encoding: PLAIN, parameter: 2, body: new Uint8Array(Uint32Array.from(values).buffer) };
}

function plain(random: Random, count: number, parameter: number): RandomNode {
  const body = new Uint8Array(count << parameter);
  const value = chance(random, 0.5);
  for (let i = 0; i < body.length; i += 1) body[i] = value ? random.integer(256) : (i * 37) & 0xff;
  return { encoding: PLAIN, parameter, body };
}

function dictionary(
  random: Random,
  count: number,
  depth: number,
  makeEntries: (entries: number) => Uint8Array,
): RandomNode {
  const log2 = random.integer(5);
  const codes = chance(random, 0.7) ? wrap(bitPack(random, count, log2)) : child(random, count, depth);
  return { encoding: 2, parameter: 0, body: join([head(2 ** log2), makeEntries(2 ** log2), codes]) };
}

function runs(random: Random, count: number, depth: number): RandomNode {
  const number = 1 + random.integer(Math.min(count, 50));
  const lengths = Array.from({ length: number }, (_, run) =>
    run + 1 < number ? Math.floor(count / number) : count - (number - 1) * Math.floor(count / number),
  );
  if (chance(random, 0.15)) lengths[random.integer(number)] = Number(hostileNumber(random, 32));
  const wide = chance(random, 0.1)
    ? wrap({ encoding: PLAIN, parameter: 3, body: words([...lengths.map(BigInt).slice(1), hostileNumber(random, 64)]) })
    : wrap(u32s(lengths));
  return { encoding: 3, parameter: 0, body: join([head(number), child(random, number, depth), wide]) };
}

function patched(random: Random, count: number, depth: number): RandomNode {
  const number = 1 + random.integer(Math.min(count, 9));
  const positions = Array.from({ length: number }, (_, i) => Math.floor(count / number) * i);
  if (chance(random, 0.15)) positions[random.integer(number)] = Number(hostileNumber(random, 32, 0n, [BigInt(count)]));
  return {
    encoding: 7,
    parameter: 0,
    body: join([head(number), child(random, count, depth), wrap(u32s(positions)), child(random, number, depth)]),
  };
}

function bitPack(random: Random, count: number, width = random.pick(PLANS)): RandomNode {
  const log2 = 5 + random.integer(12);
  const blocks = Math.ceil(count / 2 ** log2);
  const parameter = random.integer(2);
  const start = new Uint8Array(24);
  start.set(words([hostileNumber(random, 64), chance(random, 0.5) ? 1n : hostileNumber(random, 64)]));
  start[16] = log2;
  const referenceWidth = chance(random, 0.3) ? random.integer(34) : 0;
  start[17] = referenceWidth;
  const plans = new Uint8Array(alignUp(2 * (parameter === 1 ? 1 : blocks), 4));
  for (let plan = 0; plan < (parameter === 1 ? 1 : blocks); plan += 1) viewOf(plans).setUint16(2 * plan, width, true);
  const parts = [start, plans, noise(random, alignUp(Math.ceil((blocks * referenceWidth) / 8), 4))];
  const low = width & 255;
  for (let block = 0; block < blocks; block += 1) {
    const inBlock = Math.min(count - block * 2 ** log2, 2 ** log2);
    const stream = (bits: number): number => Math.ceil((inBlock * bits) / 32) * 4;
    parts.push(noise(random, low > 32 ? stream(32) + stream(low - 32) : stream(low)));
    for (let plane = 0; plane < ((width >> 8) & 15); plane += 1)
      parts.push(noise(random, alignUp(Math.ceil(inBlock / 5), 4)).map((byte) => byte % 243));
    for (let plane = 0; plane < width >> 12; plane += 1)
      parts.push(new Uint8Array(alignUp(Math.ceil((Math.ceil(inBlock / 3) * 7) / 8), 4)));
  }
  return { encoding: 4, parameter, body: join(parts) };
}

function entropy(random: Random, count: number, depth: number): RandomNode {
  const bins = 2 ** random.integer(5);
  const start = new Uint8Array(40);
  const view = viewOf(start);
  view.setUint32(0, bins, true);
  view.setUint32(4, chance(random, 0.8) ? count : Number(hostileNumber(random, 32)), true);
  view.setBigUint64(8, hostileNumber(random, 64), true);
  view.setBigUint64(16, hostileNumber(random, 64), true);
  for (let lane = 0; lane < 4; lane += 1) view.setUint32(24 + 4 * lane, 65536 + random.integer(2 ** 20), true);
  const frequencies = u32s(new Array<number>(bins).fill(4096 / bins));
  const lows = u32s(Array.from({ length: bins }, () => random.uint32()));
  const widths = chance(random, 0.8) ? wrap(bitPack(random, bins, 5)) : child(random, bins, depth);
  return {
    encoding: 8,
    parameter: 0,
    body: join([
      start,
      wrap(frequencies),
      wrap(lows),
      widths,
      noise(random, alignUp(2 * count, 4) + 4 * random.integer(count + 1)),
    ]),
  };
}

function stringNode(random: Random, count: number, depth: number): RandomNode {
  if (depth < 3 && chance(random, 0.4))
    return dictionary(random, count, depth, (entries) => wrap(stringNode(random, entries, depth + 1)));
  if (chance(random, 0.4)) return blocks(random, count, depth);
  if (chance(random, 0.4)) return symbols(random, count);
  if (chance(random, 0.5)) return matches(random, count, depth);
  const lengths = Array.from({ length: count }, () => random.integer(9));
  let end = 0;
  const ends = lengths.map((length) => (end += length));
  if (chance(random, 0.1)) ends[random.integer(count)] = Number(hostileNumber(random, 32, 0n, [BigInt(end)]));
  const start = new Uint8Array(8);
  viewOf(start).setUint32(0, chance(random, 0.95) ? end : Number(hostileNumber(random, 32)), true);
  const isText = chance(random, 0.9);
  const data = Uint8Array.from({ length: end }, () => (isText ? 97 + random.integer(4) : random.integer(256)));
  return { encoding: PLAIN, parameter: 0, body: join([start, wrap(u32s(ends)), data]) };
}

/** Byte strings as literals and matches, most of which reach back to what is there. */
function matches(random: Random, count: number, depth: number): RandomNode {
  const parts = Array.from({ length: random.integer(40) }, () => ({
    run: random.integer(12),
    length: 2 + random.integer(chance(random, 0.1) ? 400 : 20),
    code: random.integer(chance(random, 0.9) ? 14 : 108),
  }));
  const literalCount = parts.reduce((sum, { run }) => sum + run, random.integer(count + 9));
  const bytes = parts.reduce((sum, { length }) => sum + length, literalCount);
  // Cut anywhere.
  const cuts = Array.from({ length: count - 1 }, () => random.integer(bytes + 1)).sort((a, b) => a - b);
  const lengths = [...cuts, bytes].map((end, i) => end - (cuts[i - 1] ?? 0));
  const of = (numbers: readonly number[]): Uint8Array[] => {
    const changed = [...numbers];
    if (changed.length > 0 && chance(random, 0.03))
      changed[random.integer(changed.length)] = Number(hostileNumber(random, 32));
    if (changed.length === 0) return [];
    return [chance(random, 0.95) ? wrap(u32s(changed)) : child(random, changed.length, depth)];
  };
  const start = new Uint8Array(16);
  const view = viewOf(start);
  for (const [i, number] of [bytes, literalCount, parts.length].entries())
    view.setUint32(4 * i, chance(random, 0.98) ? number : Number(hostileNumber(random, 32)), true);
  return {
    encoding: 13,
    parameter: 0,
    body: join([
      start,
      ...of(lengths),
      ...of(Array.from({ length: literalCount }, () => 97 + random.integer(4))),
      ...of(parts.map(({ run }) => run)),
      ...of(parts.map(({ length }) => length)),
      ...of(parts.map(({ code }) => code)),
      Uint8Array.from({ length: 4 * random.integer(40) }, () => random.integer(256)),
    ]),
  };
}

/** Byte strings in blocks of 1 KiB, stored or deflated, with the right fingerprints or others. */
function blocks(random: Random, count: number, depth: number): RandomNode {
  const lengths = Array.from({ length: count }, () => random.integer(30));
  const end = lengths.reduce((sum, length) => sum + length, 0);
  const data = Uint8Array.from({ length: end }, () => 97 + random.integer(4));
  const history = Uint8Array.from({ length: chance(random, 0.5) ? 0 : 64 }, () => 97 + random.integer(4));
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < end; at += 1024) {
    const piece = data.subarray(at, at + 1024);
    const deflated = deflateRawSync(piece, history.length > 0 ? { dictionary: history } : {});
    pieces.push(chance(random, 0.6) && deflated.length < piece.length ? deflated : piece);
  }
  const bits = random.integer(4);
  const start = new Uint8Array(16);
  const view = viewOf(start);
  view.setUint32(0, chance(random, 0.95) ? end : Number(hostileNumber(random, 32)), true);
  start.set([chance(random, 0.95) ? 10 : random.integer(256), chance(random, 0.95) ? bits : random.integer(256)], 4);
  view.setUint16(6, chance(random, 0.95) ? history.length : random.integer(65536), true);
  view.setUint32(8, chance(random, 0.95) ? history.length : Number(hostileNumber(random, 32)), true);
  const sizes = pieces.map(({ length }) => length);
  if (sizes.length > 0 && chance(random, 0.1)) sizes[random.integer(sizes.length)] = Number(hostileNumber(random, 32));
  return {
    encoding: 11,
    parameter: 0,
    body: join([
      start,
      wrap(u32s(lengths)),
      ...(bits > 0 ? [chance(random, 0.8) ? wrap(bitPack(random, count, bits)) : child(random, count, depth)] : []),
      ...(sizes.length > 0 ? [wrap(u32s(sizes))] : []),
      history,
      ...pieces,
    ]),
  };
}

/** Byte strings in codes of symbols, mostly with the lengths that they spell. */
function symbols(random: Random, count: number): RandomNode {
  const symbolCount = chance(random, 0.2) ? 255 : random.integer(20);
  const symbolLengths = Array.from({ length: symbolCount }, () => 1 + random.integer(8));
  const table = Uint8Array.from({ length: symbolLengths.reduce((sum, length) => sum + length, 0) }, () =>
    chance(random, 0.98) ? 97 + random.integer(4) : random.integer(256),
  );
  const codes: number[] = [];
  const lengths: number[] = [];
  const codeLengths: number[] = [];
  const isSound = chance(random, 0.7);
  for (let i = 0; i < count; i += 1) {
    const before = codes.length;
    let length = 0;
    for (let code = random.integer(12); code > 0; code -= 1) {
      if (symbolCount === 0 || chance(random, 0.2)) {
        codes.push(255, 97 + random.integer(4));
        length += 1;
      } else {
        const symbol = isSound || chance(random, 0.99) ? random.integer(symbolCount) : random.integer(256);
        codes.push(symbol);
        length += symbolLengths[symbol] ?? random.integer(9);
      }
    }
    lengths.push(isSound || chance(random, 0.99) ? length : random.integer(90));
    codeLengths.push(codes.length - before);
  }
  const start = new Uint8Array(16);
  const view = viewOf(start);
  const end = lengths.reduce((sum, length) => sum + length, 0);
  view.setUint32(0, chance(random, 0.97) ? end : Number(hostileNumber(random, 32)), true);
  view.setUint32(4, chance(random, 0.97) ? codes.length : Number(hostileNumber(random, 32)), true);
  view.setUint8(8, chance(random, 0.97) ? symbolCount : random.integer(256));
  if (chance(random, 0.05)) symbolLengths[0] = random.integer(256);
  if (chance(random, 0.05)) codeLengths[random.integer(count)] = Number(hostileNumber(random, 32));
  return {
    encoding: 12,
    parameter: 0,
    body: join([
      start,
      wrap(u32s(lengths)),
      wrap(u32s(codeLengths)),
      Uint8Array.from(symbolLengths),
      table,
      Uint8Array.from(codes),
    ]),
  };
}

function noise(random: Random, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const view = viewOf(bytes);
  let at = 0;
  for (; at + 8 <= length; at += 8) view.setBigInt64(at, random.int64(), true);
  for (; at < length; at += 1) bytes[at] = random.integer(256);
  return bytes;
}
