// Keys that are computed of integers, as the addon is told of them: the number of each range of integers that a page
// may have values in, by its statistics.
import { PAGE_LIMITS, RECORD_BYTES } from '@colkit/io';
import type { PageDestination } from '@colkit/io';
import type { KeyRanges, NumberedRanges } from '@colkit/table';
import { rowsOfPage } from '../../layout/footer.ts';
import { columnStatistics } from '../filter/column-statistics.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';

/** Most different keys: a record is written for each of them, whether rows have it or not. */
const MOST_KEYS = 2048;

/** The ranges of one page, whose numbers are those of `keys`. */
export interface PageRanges extends NumberedRanges {
  readonly keys: KeyRanges;
  /** How many keys were known when these were numbered: there may be more by now. */
  readonly keyCount: number;
}

/** Null where the statistics do not say enough, or there are too many ranges or keys. */
export function rangesOfPage(
  file: StoredFile,
  column: number,
  keys: KeyRanges,
  { group, page }: Span,
): PageRanges | null {
  const entry = file.chunk(column, group).entry.pages[page];
  if (entry === undefined) return null;
  const rows = rowsOfPage(file.group(group), page);
  const { min, max } = columnStatistics(file.column(column).type, entry.statistics, rows);
  if (!isInteger(min) || !isInteger(max)) return null;
  const ranges = keys.between(BigInt(min), BigInt(max), PAGE_LIMITS.ranges);
  const keyCount = keys.count;
  return ranges === null || keyCount > MOST_KEYS ? null : { ...ranges, keys, keyCount };
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Room that they take, a multiple of 8. */
export function rangesBytes(ranges: PageRanges | null): number {
  return ranges === null ? 0 : RECORD_BYTES.rangesHead + 8 * Math.ceil(ranges.numbers.length / 2);
}

/** Writes them to where a job finds them. */
export function writeRanges(
  { first, width, numbers, keyCount }: PageRanges,
  buffer: ArrayBuffer,
  to: PageDestination,
): PageDestination & { readonly count: number } {
  new BigInt64Array(buffer, to.byteOffset, 3).set([first, width, BigInt(keyCount)]);
  new Uint32Array(buffer, to.byteOffset + RECORD_BYTES.rangesHead, numbers.length).set(numbers);
  return { ...to, count: numbers.length };
}
