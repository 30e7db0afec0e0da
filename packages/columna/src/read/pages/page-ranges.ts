// Where the pages that a column needs for some rows lie in the file, and the request that fetches them together:
// neighbours in one range, nothing that was not asked for.
import type { CopyRangesRequest } from '@colkit/io';
import { needsDictionary } from '../../layout/column-block.ts';
import type { StoredFile } from '../file/stored-file.ts';

export interface PageRange {
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly column: number;
  readonly group: number;
}

/** Ranges that are fetched together, and where in the request's memory each of them lies. */
export interface FetchRequest {
  readonly ranges: readonly PageRange[];
  readonly outStarts: Float64Array;
  readonly request: CopyRangesRequest;
}

/**
 * The pages that a column needs for one page of rows: its own or its leader's, and its dictionary unless that is known.
 */
export function rangesOf(
  file: StoredFile,
  column: number,
  group: number,
  page: number,
  isKnown = false,
): readonly PageRange[] {
  const leader = file.chunk(column, group).entry.codesColumn;
  const { pageOffsets } = file.chunk(leader, group);
  const start = pageOffsets[page] as number;
  const range = { byteOffset: start, byteLength: (pageOffsets[page + 1] as number) - start, column: leader, group };
  return isKnown ? [range] : [...dictionaryRanges(file, column, group), range];
}

/** A column's dictionary page, with the leader's, which it is checked against. */
export function dictionaryRanges(file: StoredFile, column: number, group: number): readonly PageRange[] {
  const { entry } = file.chunk(column, group);
  const leader = entry.codesColumn;
  const own = needsDictionary(entry)
    ? [{ byteOffset: entry.byteOffset, byteLength: entry.dictionaryBytes, column, group }]
    : [];
  if (leader === column) return own;
  const leading = file.chunk(leader, group).entry;
  return [...own, { byteOffset: leading.byteOffset, byteLength: leading.dictionaryBytes, column: leader, group }];
}

export function requestOf(ranges: readonly PageRange[], outStarts: Float64Array, out: Uint8Array): CopyRangesRequest {
  const [offsets, lengths, outOffsets]: [number[], number[], number[]] = [[], [], []];
  let end = -1;
  for (const [index, { byteOffset, byteLength }] of ranges.entries()) {
    const last = offsets.length - 1;
    if (byteOffset === end) lengths[last] = (lengths[last] as number) + byteLength;
    else {
      offsets.push(byteOffset);
      lengths.push(byteLength);
      outOffsets.push(outStarts[index] as number);
    }
    end = byteOffset + byteLength;
  }
  return {
    offsets: Float64Array.from(offsets),
    lengths: Float64Array.from(lengths),
    out,
    outOffsets: Float64Array.from(outOffsets),
  };
}
