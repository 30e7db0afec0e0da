// A chunk's dictionary page, decoded and kept while its row group is read. Joint dictionaries may hold nulls: then
// codes lead to the entry's index among those that are not null.
import { isColkitError } from '@colkit/io';
import { openPage, pageDictionary, pageStrings, pageVector } from '../../columns/decode-page.ts';
import { lazyStrings } from '../../columns/byte-strings.ts';
import type { ChunkDictionary } from '../../columns/node.ts';
import { Scratch } from '../../columns/scratch.ts';
import type { ByteStrings, Strings, Vector } from '../../columns/vector.ts';
import { PAGE_HEADER_BYTES } from '../../layout/constants.ts';
import { corrupt } from '../../layout/location.ts';
import { DecodedBytes } from '../file/decoded-bytes.ts';
import type { OpenDictionary } from '../file/session.ts';
import type { StoredFile } from '../file/stored-file.ts';

const BODY_BYTES_AT = 8;

/**
 * Decodes the dictionary page of a chunk. The bytes are copied, the result stands on its own.
 * @param held what dictionaries that are kept beside it hold: of many columns, a compressed one each, together they may
 * be a thousand times the file.
 * @throws CorruptFileError; LimitError ERR_LIMIT before memory is taken for it.
 */
export function openDictionary(
  file: StoredFile,
  column: number,
  group: number,
  bytes: Uint8Array,
  held: number,
): OpenDictionary {
  const { type, nullable } = file.column(column);
  const { byteOffset, joint } = file.chunk(column, group).entry;
  const location = file.location('dictionary page', byteOffset, column, group);
  const { limits, verifyCrc } = file.options;
  const claimed =
    bytes.length < PAGE_HEADER_BYTES ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(BODY_BYTES_AT, true);
  // A claim beyond a page's limit is a damaged page, which the header's own check refuses.
  if (claimed <= limits.maxPageBytes) new DecodedBytes(file).add(held + claimed);
  const expected = {
    kind: 'dictionary',
    type,
    columnNumber: column,
    rowCount: null,
    maxBodyBytes: limits.maxPageBytes,
  } as const;
  const page = openPage(bytes.slice(), { expected, verifyCrc, location, scratch: new Scratch(0), dictionary: null });
  const { rowCount, valueCount, bodyBytes } = page.header;
  if (!joint) {
    const { entryCount, entries } = pageDictionary(page);
    return { entryCount, ...keptEntries(entries, file, held, bodyBytes), indexes: null, hasNulls: false };
  }
  if (valueCount < rowCount && !nullable)
    throw corrupt('ERR_LAYOUT', location, 16, `${rowCount} entries that are not null`, valueCount);
  const entries = type.domain === 'strings' ? pageStrings(page, 0, valueCount) : pageVector(page, 0, valueCount);
  const kept = keptEntries(entries, file, held, bodyBytes);
  const hasNulls = valueCount < rowCount;
  const indexes = hasNulls ? entryIndexesOf(page.validity, rowCount) : null;
  // Codes of the page's own dictionary are followed once, and not for each row.
  if (kept.entries.kind !== 'coded') return { entryCount: rowCount, ...kept, indexes, hasNulls };
  const { codes, entries: distinct } = kept.entries;
  const followed = indexes?.map((index) => (index === -1 ? -1 : (codes[index] as number))) ?? new Int32Array(codes);
  return { entryCount: rowCount, ...kept, entries: distinct, indexes: followed, hasNulls };
}

/** Entries and what they hold in memory, with those that are not decompressed yet. @throws LimitError. */
function keptEntries(
  entries: Vector | Strings,
  file: StoredFile,
  held: number,
  bodyBytes: number,
): Pick<OpenDictionary, 'entries' | 'byteLength'> {
  if (entries.kind !== 'strings' && entries.kind !== 'coded') return { entries, byteLength: bodyBytes };
  const { lazy } = entries.kind === 'strings' ? entries : entries.entries;
  if (lazy === undefined) return { entries, byteLength: bodyBytes };
  const byteLength = bodyBytes + lazy.byteLength;
  new DecodedBytes(file).add(held + byteLength);
  const shared = (strings: ByteStrings): ByteStrings =>
    lazyStrings(lazy, strings.start, strings.ends, strings.fingerprints, true);
  return {
    entries: entries.kind === 'strings' ? shared(entries) : { ...entries, entries: shared(entries.entries) },
    byteLength,
  };
}

/** Where each entry's value stands; a page of nulls only has no bitmap. */
function entryIndexesOf(validity: Uint8Array | null, count: number): Int32Array {
  const indexes = new Int32Array(count).fill(-1);
  if (validity !== null)
    for (let code = 0, index = 0; code < count; code++)
      if (((validity[code >>> 3] as number) >>> (code & 7)) & 1) indexes[code] = index++;
  return indexes;
}

/** As CODES of the chunk's own pages need it. */
export function chunkDictionary(opened: () => OpenDictionary | null): ChunkDictionary {
  return {
    get entryCount() {
      return (opened() as OpenDictionary).entryCount;
    },
    get entries() {
      return (opened() as OpenDictionary).entries;
    },
  };
}

/** Null where what is looked at ahead of time is not as the format says. */
export function ifSound<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (isColkitError(error)) return null;
    throw error;
  }
}
