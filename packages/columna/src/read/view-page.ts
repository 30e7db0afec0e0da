// Rows of one page as they lie in the file, without a copy.
import { CannotViewError } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { stretchOfRow } from '@colkit/table';
import { openPage } from '../columns/decode-page.ts';
import { Scratch } from '../columns/scratch.ts';
import { Codec, Encoding, PAGE_HEADER_BYTES } from '../layout/constants.ts';
import { rowsOfPage } from '../layout/footer.ts';
import type { StoredFile } from './file/stored-file.ts';

/** Rows of one column that are wanted as they lie in the file. */
export interface ViewRequest {
  readonly start: number;
  readonly count: number;
  /** Where the pages begin of which views were handed out; the page is added. */
  readonly viewed: Set<number>;
}

/** @throws CannotViewError where they lie in more than one page, or the page is encoded; as reading does. */
export function* viewPage(file: StoredFile, column: number, { start, count, viewed }: ViewRequest): Work<Uint8Array> {
  yield* file.loadBlocks([column]);
  const group = stretchOfRow(start, file.rowGroups);
  const { firstRow, pageRows } = file.group(group);
  const page = Math.floor((start - firstRow) / pageRows);
  const inPage = start - firstRow - page * pageRows;
  const rowCount = rowsOfPage(file.group(group), page);
  if (inPage + count > rowCount)
    throw new CannotViewError(
      'ERR_NOT_CONTIGUOUS',
      'the rows lie in more than one page of the file',
      'copy them with toArray()',
    );
  const { entry, pageOffsets } = file.chunk(column, group);
  const { type } = file.column(column);
  if (entry.joint) throw encoded();
  const [byteOffset, end] = [pageOffsets[page] as number, pageOffsets[page + 1] as number];
  const body = { byteOffset: byteOffset + PAGE_HEADER_BYTES, byteLength: rowCount * type.itemBytes };
  if (body.byteOffset + body.byteLength > end) throw encoded();
  const values = file.source.view(body.byteOffset + inPage * type.itemBytes, count * type.itemBytes, body);
  if (viewed.has(byteOffset)) return values;
  // A copy: in the window may be what somebody wrote into a view.
  const bytes = new Uint8Array(end - byteOffset);
  file.source.readSync(byteOffset, bytes);
  if (bytes[22] !== Encoding.PLAIN || bytes[24] !== Codec.NONE) throw encoded();
  const { limits, verifyCrc } = file.options;
  const expected = { kind: 'data', type, columnNumber: column, rowCount, maxBodyBytes: limits.maxPageBytes } as const;
  openPage(bytes, {
    expected,
    verifyCrc,
    location: file.location('page', byteOffset, column, group, page),
    scratch: new Scratch(0),
    dictionary: null,
  });
  viewed.add(byteOffset);
  return values;
}

const encoded = (): CannotViewError =>
  new CannotViewError(
    'ERR_NOT_VIEWABLE',
    'the page is encoded',
    "copy it with toArray(), or write the file with { mode: 'plain' }",
  );
