// An open file -> a footer for its page: the real one where it is small, else one of the first columns only, with every
// row group and page entry of theirs.
import type { Work } from '@colkit/io/effects';
import type { ChunkEntry } from '../../layout/column-block.ts';
import { encodeFooter } from '../../layout/footer.ts';
import type { StoredFile } from '../../read/file/stored-file.ts';
import { toBase64 } from '../live/footer-source.ts';
import type { EmbeddedFooter } from '../live/pushdown.ts';

/** Bytes of column blocks in a page; base64 makes a third more of it. */
const MOST_BLOCK_BYTES = 750_000;

/** Reads the blocks of the columns that go into the page. */
export function* embedFooter(file: StoredFile, name: string, mostBlockBytes = MOST_BLOCK_BYTES): Work<EmbeddedFooter> {
  const kept = yield* columnsWithin(file, mostBlockBytes);
  const places = new Map(kept.map((column, place) => [column, place]));
  const { footer, rowGroups } = file;
  const chunks = kept.map((column) =>
    rowGroups.map((_, group): ChunkEntry => {
      const { entry } = file.chunk(column, group);
      return { ...entry, codesColumn: places.get(entry.codesColumn) as number };
    }),
  );
  const schema = {
    columns: kept.map((column) => file.column(column)),
    metadata: new Map<string, string>(),
    createdBy: null,
  };
  // Where there is room for no column, there is nothing to say about rows either: a footer of rows without columns is
  // none.
  const bytes = encodeFooter(schema, kept.length === 0 ? [] : rowGroups, chunks, footer.footerOffset, 0);
  return {
    path: name,
    footerOffset: footer.footerOffset,
    footer: toBase64(bytes),
    omittedColumns: file.columns.length - kept.length,
  };
}

/**
 * The first columns whose blocks fit, ascending; a column whose codes are another one's comes with it or not at all.
 */
function* columnsWithin(file: StoredFile, most: number): Work<number[]> {
  const kept = new Set<number>();
  let bytes = 0;
  for (const [column, { byteLength }] of file.footer.directory.entries()) {
    if (bytes + byteLength > most) break;
    yield* file.loadBlocks([column]);
    const added = new Set([column]);
    for (let group = 0; group < file.rowGroups.length; group++) added.add(file.chunk(column, group).entry.codesColumn);
    for (const each of added) {
      if (kept.has(each)) continue;
      kept.add(each);
      bytes += file.footer.directory[each]?.byteLength ?? 0;
    }
  }
  return [...kept].sort((a, b) => a - b);
}
