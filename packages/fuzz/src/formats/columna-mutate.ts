// A good .cna file -> one that lies: in the footer's numbers, the schema's JSON, the headers and bodies of pages
// (compressed ones are inflated, changed and deflated again), with every checksum made
// right, so that what decodes meets it.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { alignUp, join, mutateBlindly, mutateNumber, viewOf } from '../run/bytes.ts';
import type { Width } from '../run/bytes.ts';
import { chance, hostileNumber } from '../run/random.ts';
import type { Random } from '../run/random.ts';
import { mutateJson } from './json.ts';
import { PAGE_HEADER_BYTES, buildCna, checkedPage, parseCna, withBody } from './columna-file.ts';
import type { Chunk, CnaFile, FooterParts } from './columna-file.ts';
import { randomNode, wrap } from './columna-node.ts';
import { fillPage } from './columna-page.ts';
import type { Seed } from './format.ts';

const DEFLATE = 1;

type Fields = readonly (readonly [at: number, width: Width])[];
const TAIL_FIELDS: Fields = [
  [0, 2],
  [2, 2],
  [4, 4],
  [8, 4],
  [12, 4],
  [16, 8],
  [24, 8],
  [32, 8],
];
const GROUP_FIELDS: Fields = [
  [0, 8],
  [8, 4],
  [12, 4],
];
const DIRECTORY_FIELDS: Fields = [
  [0, 4],
  [4, 4],
];
const CHUNK_FIELDS: Fields = [
  [0, 8],
  [8, 8],
  [16, 4],
  [20, 4],
  [24, 4],
  [28, 4],
  [32, 4],
  [36, 1],
  [37, 1],
  [40, 8],
  [48, 8],
  [40, 4],
  [44, 4],
  [56, 4],
];
const PAGE_ENTRY_FIELDS: Fields = [
  [0, 4],
  [4, 4],
  [8, 4],
  [12, 1],
  [16, 8],
  [24, 8],
  [16, 4],
  [20, 4],
];
const PAGE_HEADER_FIELDS: Fields = [
  [4, 4],
  [8, 4],
  [12, 4],
  [16, 4],
  [20, 1],
  [21, 1],
  [22, 1],
  [23, 1],
  [24, 1],
  [26, 2],
];

export function mutateColumna(random: Random, { bytes }: Seed, seeds: readonly Seed[]): Uint8Array {
  if (chance(random, 0.12))
    return mutateBlindly(
      random,
      bytes,
      seeds.map((seed) => seed.bytes),
    );
  const file = parseCna(bytes);
  const chunks = file.chunks.map((chunk) => ({ ...chunk, pages: [...chunk.pages] }));
  const times = 1 + (chance(random, 0.3) ? random.integer(3) : 0);
  let schema = file.schema;
  const lies: ((parts: FooterParts) => void)[] = [];
  for (let time = 0; time < times; time += 1) {
    const choice = random.number();
    if (choice < 0.62 && chunks.length > 0) mutatePage(random, random.pick(chunks), chunks);
    else if (choice < 0.7) schema = mutateJson(random, schema);
    else lies.push((parts) => mutateFooter(random, parts, file));
  }
  const built = buildCna(
    { ...file, schema, chunks },
    (parts) => lies.forEach((lie) => lie(parts)),
    chance(random, 0.97),
  );
  return chance(random, 0.05) ? mutateBlindly(random, built, [bytes]) : built;
}

function mutateFooter(
  random: Random,
  { bytes, blockStarts, groupsAt, directoryAt, tailAt }: FooterParts,
  file: CnaFile,
): void {
  const near = [BigInt(bytes.length), BigInt(tailAt), BigInt(groupsAt), BigInt(viewOf(file.tail).getUint32(16, true))];
  const groupCount = file.groups.length / 16;
  const mutateField = (start: number, fields: Fields): void => {
    const [at, width] = random.pick(fields);
    mutateNumber(random, bytes, start + at, width, near);
  };
  const block = random.integer(Math.max(1, file.blocks.length));
  const blockAt = blockStarts[block] ?? 0;
  const blockBytes = file.blocks[block]?.length ?? 0;
  switch (random.integer(6)) {
    case 0:
      return mutateField(tailAt, TAIL_FIELDS);
    case 1:
      return groupCount > 0 ? mutateField(groupsAt + 16 * random.integer(groupCount), GROUP_FIELDS) : undefined;
    case 2:
      return file.blocks.length > 0 ? mutateField(directoryAt + 16 * block, DIRECTORY_FIELDS) : undefined;
    case 3:
      return groupCount > 0 ? mutateField(blockAt + 64 * random.integer(groupCount), CHUNK_FIELDS) : undefined;
    case 4: {
      const entriesAt = 64 * groupCount;
      const entries = Math.floor((blockBytes - entriesAt) / 32);
      return entries > 0
        ? mutateField(blockAt + entriesAt + 32 * random.integer(entries), PAGE_ENTRY_FIELDS)
        : mutateField(blockAt, CHUNK_FIELDS);
    }
    default:
      if (blockBytes > 0) mutateNumber(random, bytes, blockAt + random.integer(blockBytes), 1);
  }
}

function mutatePage(random: Random, chunk: Chunk, chunks: readonly Chunk[]): void {
  const number = random.integer(chunk.pages.length);
  const page = chunk.pages[number];
  if (page === undefined || page.length < PAGE_HEADER_BYTES) return;
  chunk.pages[number] = mutatedPage(random, page, chunks);
}

function mutatedPage(random: Random, page: Uint8Array, chunks: readonly Chunk[]): Uint8Array {
  const header = viewOf(page);
  const stored = page.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + header.getUint32(4, true));
  const isDeflated = page[24] === DEFLATE;
  const rowCount = header.getUint32(12, true);
  switch (random.integer(9)) {
    case 0: {
      const bytes = page.slice();
      const [at, width] = random.pick(PAGE_HEADER_FIELDS);
      mutateNumber(random, bytes, at, width, [BigInt(stored.length), BigInt(rowCount)]);
      return checkedPage(bytes);
    }
    case 1:
      return withRandomTree(random, page, rowCount);
    case 2: {
      // What another page holds, as this one's: other types, encodings and counts.
      const other = random.pick(random.pick(chunks).pages);
      if (other.length < PAGE_HEADER_BYTES) return page;
      const bytes = page.slice(0, PAGE_HEADER_BYTES);
      bytes.set(other.subarray(22, 25), 22);
      if (chance(random, 0.5)) bytes.set(other.subarray(16, 20), 16);
      return withBody(
        bytes,
        other.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + viewOf(other).getUint32(4, true)),
        viewOf(other).getUint32(8, true),
      );
    }
    case 3:
      return withRandomTree(random, page, rowCount);
    case 4: {
      if (!isDeflated) return deflated(random, page, stored);
      const bytes = page.slice();
      bytes.set(mutateBlindly(random, stored, [stored]).subarray(0, stored.length), PAGE_HEADER_BYTES);
      return checkedPage(bytes);
    }
    default: {
      const body = isDeflated ? inflated(stored) : stored;
      if (body === null) return page;
      let changed = body;
      for (let time = 0; time <= random.integer(3); time += 1) changed = mutatedBody(random, changed, rowCount);
      return isDeflated
        ? withBody(page, new Uint8Array(deflateRawSync(changed)), changed.length)
        : withBody(page, changed, changed.length);
    }
  }
}

/** Null for what is no DEFLATE: a page that was changed before. */
function inflated(stored: Uint8Array): Uint8Array | null {
  try {
    return new Uint8Array(inflateRawSync(stored));
  } catch {
    return null;
  }
}

/**
 * Numbers where nodes have theirs: eight bytes each, of which the first two say what the node is and the last four how
 * long it is.
 */
function mutatedBody(random: Random, body: Uint8Array, rowCount: number): Uint8Array {
  if (body.length < 8) return mutateBlindly(random, body, [body]);
  const bytes = body.slice();
  const at = 8 * random.integer(body.length >>> 3);
  const near = [BigInt(body.length), BigInt(body.length - at - 8), BigInt(rowCount)];
  switch (random.integer(8)) {
    case 0:
      bytes[at] = random.integer(12);
      return bytes;
    case 1:
      bytes[at + 1] = chance(random, 0.8) ? random.integer(4) : random.integer(256);
      return bytes;
    case 2:
      mutateNumber(random, bytes, at + 4, 4, near);
      return bytes;
    case 3:
      mutateNumber(random, bytes, at, 4, near);
      return bytes;
    case 4:
      mutateNumber(random, bytes, at, 8, near);
      return bytes;
    case 5:
      mutateNumber(random, bytes, at + 2 * random.integer(4), 2, near);
      return bytes;
    case 6: {
      const node = wrap(randomNode(random, chance(random, 0.7) ? rowCount : 1 + random.integer(64), 8, 2));
      return join([bytes.subarray(0, at), node, bytes.subarray(Math.min(bytes.length, at + alignUp(node.length, 8)))]);
    }
    default:
      return mutateBlindly(random, bytes, [body]);
  }
}

function withRandomTree(random: Random, page: Uint8Array, rowCount: number): Uint8Array {
  const filled = fillPage(random, page, Math.min(Math.max(1, rowCount), 4096));
  return chance(random, 0.85)
    ? filled
    : deflated(
        random,
        filled,
        filled.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + viewOf(filled).getUint32(4, true)),
      );
}

/** The page compressed, its claim of a length mostly true. */
function deflated(random: Random, page: Uint8Array, body: Uint8Array): Uint8Array {
  const header = page.slice(0, PAGE_HEADER_BYTES);
  header[24] = DEFLATE;
  const length = chance(random, 0.8) ? body.length : Number(hostileNumber(random, 32, BigInt(body.length)));
  return withBody(header, new Uint8Array(deflateRawSync(body)), length);
}
