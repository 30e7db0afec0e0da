// What `verify: true` adds to opening: what the format says and no reader has to look at. Padding and the reserved
// bytes of record headers are zero (those of the counters are for what comes after us: nobody looks at them), nothing
// follows the committed data but a sound statistics footer, bool items are 0 or 1, and U items are code points. Column
// bytes have no checksum, so a changed number is never found.
import { CorruptFileError, dtypeFacts, isBool } from '@colkit/io';
import { readBytes } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';
import { dataViewOf } from './bytes.ts';
import { RECORD_HEADER_BYTES } from './constants.ts';
import type { StoredColumn } from './manifest.ts';
import { readStatistics } from './read-layout.ts';
import type { FileLayout } from './read-layout.ts';
import { recordPadding } from './records.ts';

const BLOCK_BYTES = 1024 * 1024;
const RESERVED_IN_HEADER = { byteOffset: 20, byteLength: 8 };

/**
 * Reads the gaps, and the bool and U columns, in blocks of 1 MiB.
 * @throws CorruptFileError ERR_LAYOUT, ERR_UNCOMMITTED_TAIL.
 */
export function* verifyLayout(source: RangeSource, layout: FileLayout): Work<void> {
  yield* verifyHeader(source, layout);
  const prefixes = columnPrefixes(layout.columns);
  for (let record = 0; record < layout.bodyOffsets.length; record += 1) {
    const rows = (layout.rowStarts[record + 1] ?? 0) - (layout.rowStarts[record] ?? 0);
    const body = layout.bodyOffsets[record] ?? 0;
    if (isRecords(layout)) yield* verifyRecord(source, layout, record, rows, body);
    for (const [index, column] of layout.columns.entries())
      yield* verifyItems(source, layout, column, body + rows * (prefixes[index] ?? 0), rows);
  }
  yield* verifyTail(source, layout);
}

const isRecords = (layout: FileLayout): boolean => layout.wire === 'records-32' || layout.wire === 'records-64';

function columnPrefixes(columns: readonly StoredColumn[]): readonly number[] {
  let sum = 0;
  return columns.map(({ dtype }) => (sum += dtype.itemBytes) - dtype.itemBytes);
}

function* verifyHeader(source: RangeSource, layout: FileLayout): Work<void> {
  yield* verifyZeros(
    source,
    layout,
    'padding behind the manifest',
    layout.manifestEnd,
    layout.dataOffset - layout.manifestEnd,
  );
}

function* verifyRecord(
  source: RangeSource,
  layout: FileLayout,
  record: number,
  rows: number,
  body: number,
): Work<void> {
  const header = body - RECORD_HEADER_BYTES;
  yield* verifyZeros(
    source,
    layout,
    `reserved bytes of record ${String(record)} header`,
    header + RESERVED_IN_HEADER.byteOffset,
    RESERVED_IN_HEADER.byteLength,
  );
  const bytes = rows * layout.rowBytes;
  yield* verifyZeros(source, layout, `padding of record ${String(record)}`, body + bytes, recordPadding(bytes));
}

function* verifyZeros(
  source: RangeSource,
  layout: FileLayout,
  region: string,
  byteOffset: number,
  byteLength: number,
): Work<void> {
  if (byteLength === 0) return;
  const bytes = yield* readBytes(source, byteOffset, byteLength);
  const at = bytes.findIndex((byte) => byte !== 0);
  if (at >= 0) throw flaw(layout, region, byteOffset + at, 'zeros', String(bytes[at]));
}

function* verifyItems(
  source: RangeSource,
  layout: FileLayout,
  column: StoredColumn,
  byteOffset: number,
  rows: number,
): Work<void> {
  const isOfFlags = isBool(column.dtype);
  if (!isOfFlags && dtypeFacts(column.dtype).unitBytes !== CODE_POINT_BYTES) return;
  const end = byteOffset + rows * column.dtype.itemBytes;
  for (let at = byteOffset; at < end; at += BLOCK_BYTES) {
    const bytes = yield* readBytes(source, at, Math.min(BLOCK_BYTES, end - at));
    const bad = isOfFlags ? bytes.findIndex((byte) => byte > 1) : findBadCodePoint(bytes, column.bigEndian);
    if (bad < 0) continue;
    const expected = isOfFlags ? '0 or 1' : 'a code point of Unicode';
    const found = isOfFlags
      ? String(bytes[bad])
      : `0x${dataViewOf(bytes).getUint32(bad, !column.bigEndian).toString(16)}`;
    throw flaw(layout, 'column bytes', at + bad, expected, found, { column: column.name });
  }
}

/** The byte offset of the first unit that is no code point, or -1. Blocks hold whole units: both are multiples of 4. */
/** Bytes of one character of U. */
const CODE_POINT_BYTES = 4;

function findBadCodePoint(bytes: Uint8Array, bigEndian: boolean): number {
  const view = dataViewOf(bytes);
  for (let at = 0; at < bytes.length; at += 4) {
    if (view.getUint32(at, !bigEndian) > 0x10ffff) return at;
  }
  return -1;
}

function* verifyTail(source: RangeSource, layout: FileLayout): Work<void> {
  const { endOffset, byteLength } = layout;
  if (layout.statisticsOffset === endOffset && (yield* readStatistics(source, layout)) !== null) return;
  if (byteLength === endOffset) return;
  const found = `${String(byteLength - endOffset)} bytes`;
  throw new CorruptFileError('ERR_UNCOMMITTED_TAIL', {
    path: layout.path,
    region: 'tail',
    byteOffset: endOffset,
    expected: 'the end of the file, or a sound statistics footer',
    found,
  });
}

function flaw(
  layout: FileLayout,
  region: string,
  byteOffset: number,
  expected: string,
  found: string,
  where: { readonly column?: string } = {},
): CorruptFileError {
  return new CorruptFileError('ERR_LAYOUT', { path: layout.path, region, byteOffset, expected, found, ...where });
}
