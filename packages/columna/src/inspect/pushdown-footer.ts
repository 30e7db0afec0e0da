// A file -> a footer for a Pushdown: of all columns where they are few, else of the first ones, with every row group
// and page entry of theirs.
import { checkOptions, option } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { contextOf, run } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { toBase64 } from '@colkit/table';
import type { ChunkEntry } from '../layout/column-block.ts';
import { encodeFooter } from '../layout/footer.ts';
import { OPEN_OPTIONS, withFile } from '../read/open-file.ts';
import type { OpenOptions } from '../read/open-file.ts';
import type { StoredFile } from '../read/file/stored-file.ts';
import type { PushdownFooter } from './pushdown.ts';

export interface PushdownFooterOptions extends OpenOptions {
  /** Bytes of column blocks at most, by default 750,000: columns beyond them are left out. Base64 adds a third. */
  readonly maxBlockBytes?: number;
}

const PUSHDOWN_FOOTER_OPTIONS: OptionSet<PushdownFooterOptions> = {
  ...OPEN_OPTIONS,
  maxBlockBytes: option.count('bytes'),
};

const MAX_BLOCK_BYTES = 750_000;

/**
 * What a `Pushdown` needs of a file, as plain data that a page can hold: row groups and statistics, no values. Reads
 * the footer's core and the blocks of the columns that are kept.
 * @throws as `open`.
 */
export function pushdownFooter(source: Openable, options: PushdownFooterOptions = {}): Promise<PushdownFooter> {
  checkOptions('pushdownFooter', PUSHDOWN_FOOTER_OPTIONS, options);
  return run(
    withFile(source, options, (file) => footerOf(file, options.maxBlockBytes)),
    contextOf(options),
  );
}

/** The same of an open file. */
export function* footerOf(file: StoredFile, mostBlockBytes = MAX_BLOCK_BYTES): Work<PushdownFooter> {
  const kept = yield* columnsWithin(file, mostBlockBytes);
  const indexes = new Map(kept.map((column, index) => [column, index]));
  const { footer, rowGroups } = file;
  const chunks = kept.map((column) =>
    rowGroups.map((_, group): ChunkEntry => {
      const { entry } = file.chunk(column, group);
      return { ...entry, codesColumn: indexes.get(entry.codesColumn) as number };
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
    path: file.path,
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
