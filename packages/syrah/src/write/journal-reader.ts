// The bytes of a side journal -> what it acknowledges. A torn or damaged end is not part of it.
import { ArgumentError, CorruptFileError, checkJsonValues, crc32 } from '@colkit/io';
import { DATA_OFFSET, KEY_LIMIT } from '../layout/constants.ts';
import { readInt64 } from '../layout/header.ts';
import { itemBytesOf } from '../layout/dtype.ts';
import { parseSchema } from './item-encoder.ts';
import type { KeySpec } from './item-encoder.ts';
import { JOURNAL_MAGIC, PART_HEAD_BYTES, recordBytes } from './journal.ts';

export interface JournalContents {
  /** None where the writer died before its first item. */
  readonly keys: readonly KeySpec[];
  readonly itemCount: number;
  /**
   * Whether there is more in it than a torn end: then bytes behind the last item that it tells of may have been items.
   */
  readonly isDamaged: boolean;
  /** Where the last acknowledged array byte ends. */
  readonly dataEnd: number;
  /** Offset and size of a key's array of an item. */
  rangeOf(item: number, key: number): { readonly byteOffset: number; readonly byteLength: number };
}

/** A pair, its key and its dtype. */
const VALUES_A_KEY = 3;

type Fail = (byteOffset: number, expected: string, found: string) => CorruptFileError;

/** The partial file. */
interface JournaledData {
  /** Arrays beyond it are not acknowledged. */
  readonly byteLength: number;
  /** The CRC-32 of a range of it, continued from another one. */
  crc32(byteOffset: number, byteLength: number, previous: number): number;
}

/**
 * @throws CorruptFileError for bytes that are no journal.
 */
export function readJournal(bytes: Uint8Array, path: string, data: JournaledData): JournalContents {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail: Fail = (byteOffset, expected, found) =>
    new CorruptFileError('ERR_METADATA', { path, region: 'journal', byteOffset, expected, found });
  checkMagic(bytes, fail);
  const keysPart = readPart(view, JOURNAL_MAGIC.length, fail);
  const keys = keysPart === null ? [] : parseKeys(keysPart.value, fail);
  const start = keysPart?.end ?? bytes.length;
  const record = recordBytes(keys.length);
  let itemCount = 0;
  let dataEnd = DATA_OFFSET;
  let previous = 0;
  let at = start;
  for (; at + record <= bytes.length; at += record) {
    const end = itemEnd(view, at, keys, dataEnd);
    if (end === null || end > data.byteLength) break;
    previous = crc32(bytes.subarray(at + 4, at + record), previous);
    for (let key = 0; key < keys.length; key += 1) {
      const offset = at + 4 + 16 * key;
      previous = data.crc32(readInt64(view, offset), readInt64(view, offset + 8), previous);
    }
    if (previous !== view.getUint32(at, true)) break;
    dataEnd = end;
    itemCount += 1;
  }
  return {
    keys,
    itemCount,
    // A header that is not all there is older than the first array.
    isDamaged: keysPart === null ? data.byteLength > DATA_OFFSET : bytes.length - at >= 2 * record,
    dataEnd,
    rangeOf: (item, key) => {
      const at = start + item * record + 4 + 16 * key;
      return { byteOffset: readInt64(view, at), byteLength: readInt64(view, at + 8) };
    },
  };
}

function checkMagic(bytes: Uint8Array, fail: Fail): void {
  const begun = Math.min(bytes.length, JOURNAL_MAGIC.length);
  if (bytes.subarray(0, begun).some((byte, k) => byte !== JOURNAL_MAGIC[k]))
    throw fail(0, 'the magic of a journal of version 4', 'other bytes');
}

/** The header's part behind the magic: what its JSON says, and where it ends. Null where it is not all there. */
function readPart(view: DataView, at: number, fail: Fail): { readonly value: unknown; readonly end: number } | null {
  const start = at + PART_HEAD_BYTES;
  if (start > view.byteLength) return null;
  const end = start + view.getUint32(at, true);
  if (end > view.byteLength) return null;
  const text = new Uint8Array(view.buffer, view.byteOffset + start, end - start);
  if (crc32(text) !== view.getUint32(at + 4, true)) throw fail(start, 'a header with its checksum', 'another checksum');
  checkJsonValues('keys of a journal', text, VALUES_A_KEY * KEY_LIMIT + 1);
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { ignoreBOM: false }).decode(text)) as unknown, end };
  } catch (error) {
    throw fail(start, 'keys as JSON', error instanceof Error ? error.message : 'other text');
  }
}

/**
 * Where the item's arrays end, or null where one of them starts before those before it end, or is no array of its
 * dtype.
 */
function itemEnd(view: DataView, at: number, keys: readonly KeySpec[], dataEnd: number): number | null {
  let end = dataEnd;
  // In the order of the keys, as they were written: keys that share bytes would have them read again for each.
  for (const [key, { dtype }] of keys.entries()) {
    const byteOffset = readInt64(view, at + 4 + 16 * key);
    const byteLength = readInt64(view, at + 12 + 16 * key);
    if (byteOffset < end || byteLength < 0 || byteLength % itemBytesOf(dtype) !== 0) return null;
    end = byteOffset + byteLength;
  }
  return end;
}

function parseKeys(value: unknown, fail: Fail): KeySpec[] {
  const isPairs = Array.isArray(value) && value.every((pair: unknown) => Array.isArray(pair));
  try {
    if (isPairs) return parseSchema(value as [string, string][]);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
  }
  throw fail(JOURNAL_MAGIC.length, 'pairs of key and dtype', 'something else');
}
