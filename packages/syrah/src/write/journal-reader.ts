// The bytes of a side journal -> what it acknowledges. A torn or damaged end is not part of it.
import { ArgumentError, CorruptFileError, crc32 } from '@colkit/io';
import { DATA_OFFSET } from '../layout/constants.ts';
import { readInt64 } from '../layout/header.ts';
import { itemBytesOf } from '../layout/dtype.ts';
import { parseSchema } from './item-encoder.ts';
import type { KeySpec } from './item-encoder.ts';
import { JOURNAL_HEADER_OFFSET, JOURNAL_MAGIC, recordBytes } from './journal.ts';
import type { JournalOwner } from './journal.ts';

export interface JournalContents {
  readonly owner: JournalOwner;
  readonly keys: readonly KeySpec[];
  readonly itemCount: number;
  /** Where the last acknowledged array byte ends. */
  readonly dataEnd: number;
  /** Offset and size of a key's array of an item. */
  place(item: number, key: number): { readonly byteOffset: number; readonly byteLength: number };
}

/**
 * Null where the writer died before its first item was acknowledged (the header is not whole).
 * @param dataBytes the length of the partial file: arrays beyond it are not acknowledged.
 * @throws CorruptFileError for bytes that are no journal.
 */
export function readJournal(bytes: Uint8Array, path: string, dataBytes: number): JournalContents | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (byteOffset: number, expected: string, found: string): CorruptFileError => new CorruptFileError('ERR_METADATA', { path, region: 'journal', byteOffset, expected, found });
  const begun = Math.min(bytes.length, JOURNAL_MAGIC.length);
  if (bytes.subarray(0, begun).some((byte, k) => byte !== JOURNAL_MAGIC[k])) throw fail(0, 'the magic of a journal', 'other bytes');
  if (bytes.length < JOURNAL_HEADER_OFFSET) return null;
  const start = JOURNAL_HEADER_OFFSET + view.getUint32(8, true);
  if (start > bytes.length) return null;
  const text = bytes.subarray(JOURNAL_HEADER_OFFSET, start);
  if (crc32(text) !== view.getUint32(12, true)) throw fail(JOURNAL_HEADER_OFFSET, 'a header with its checksum', 'another checksum');
  const { owner, keys } = parseHeader(text, fail);
  const record = recordBytes(keys.length);
  let itemCount = 0;
  let dataEnd = DATA_OFFSET;
  let previous = 0;
  for (let at = start; at + record <= bytes.length; at += record) {
    previous = crc32(bytes.subarray(at + 4, at + record), previous);
    if (previous !== view.getUint32(at, true)) break;
    const end = itemEnd(view, at, keys, dataEnd);
    if (end === null || end > dataBytes) break;
    dataEnd = end;
    itemCount += 1;
  }
  return {
    owner,
    keys,
    itemCount,
    dataEnd,
    place: (item, key) => {
      const at = start + item * record + 4 + 16 * key;
      return { byteOffset: readInt64(view, at), byteLength: readInt64(view, at + 8) };
    },
  };
}

/** Where the item's arrays end, or null where one of them starts before the items before it end, or is no array of its dtype. */
function itemEnd(view: DataView, at: number, keys: readonly KeySpec[], dataEnd: number): number | null {
  let end = dataEnd;
  for (const [key, { dtype }] of keys.entries()) {
    const byteOffset = readInt64(view, at + 4 + 16 * key);
    const byteLength = readInt64(view, at + 12 + 16 * key);
    if (byteOffset < dataEnd || byteLength < 0 || byteLength % itemBytesOf(dtype) !== 0) return null;
    end = Math.max(end, byteOffset + byteLength);
  }
  return end;
}

function parseHeader(text: Uint8Array, fail: (byteOffset: number, expected: string, found: string) => CorruptFileError): { owner: JournalOwner; keys: KeySpec[] } {
  try {
    const header = JSON.parse(new TextDecoder().decode(text)) as { owner: Record<keyof JournalOwner, unknown>; keys: [string, string][] };
    const { host, pid, startedAt } = header.owner;
    if (typeof host !== 'string' || typeof pid !== 'number' || !Number.isInteger(pid) || typeof startedAt !== 'number') throw new TypeError('an owner without host, pid or start');
    return { owner: { host, pid, startedAt }, keys: parseSchema(header.keys) };
  } catch (error) {
    if (error instanceof ArgumentError || error instanceof SyntaxError || error instanceof TypeError) throw fail(JOURNAL_HEADER_OFFSET, 'owner and keys as JSON', error.message);
    throw error;
  }
}
