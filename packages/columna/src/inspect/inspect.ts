// inspect: a file's structure as a plain object, from its footer and page headers; with `explainChoices` from its
// values too.
import { UnknownColumnError, checkOptions, option } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { contextOf, run, runSync, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { provideDeflating } from '../columns/deflating/provided-deflating.ts';
import { OPEN_OPTIONS, withFile } from '../read/open-file.ts';
import type { OpenOptions } from '../read/open-file.ts';
import { providePageReading } from '../read/provided-page-reading.ts';
import type { StoredFile } from '../read/file/stored-file.ts';
import { explainChunks } from './explain.ts';
import type { InspectedColumn, InspectedFile, InspectedRowGroup } from './inspected-file.ts';
import { keepGroup } from './kept-group.ts';
import { groupsAtOnce, readChunks } from './read-pages.ts';

export interface InspectOptions extends OpenOptions {
  /** Which columns are described; default: all. */
  readonly columns?: readonly string[];
  /** How many row groups are described, the first ones; default: all. */
  readonly rowGroups?: number;
  /**
   * Whether every page says why it has its encoding, with the sizes of those that lost. The file does not store them:
   * the values are decoded and sized again, about as long as writing takes.
   */
  readonly explainChoices?: boolean;
  /** Called after every row group. */
  readonly onProgress?: (progress: { readonly rowGroups: number; readonly totalRowGroups: number }) => void;
}

const INSPECT_OPTIONS: OptionSet<InspectOptions> = {
  ...OPEN_OPTIONS,
  columns: option.names,
  rowGroups: option.count('row groups'),
  explainChoices: option.flag,
  onProgress: option.callback(),
};

/**
 * Describes a file: a plain object, made for this call. Reads the footer and 28 bytes of each page described; with
 * `explainChoices` the pages, each once.
 * @throws as `open`; UnknownColumnError; ArgumentError; CorruptFileError ERR_LAYOUT for a page that is not as long as
 * the footer says.
 */
export async function inspect(source: Openable, options: InspectOptions = {}): Promise<InspectedFile> {
  checkOptions('inspect', INSPECT_OPTIONS, options);
  return run(
    withFile(source, options, (file) => describeFile(file, described(options))),
    contextOf(options),
  );
}

/** The Sync twin of `inspect`, for local files and bytes. */
export function inspectSync(source: Openable, options: InspectOptions = {}): InspectedFile {
  providePageReading();
  provideDeflating();
  checkOptions('inspectSync', INSPECT_OPTIONS, options);
  return runSync(
    withFile(source, options, (file) => describeFile(file, described(options))),
    contextOf(options),
  );
}

function described({ columns, rowGroups, explainChoices, onProgress }: InspectOptions): DescribeOptions {
  return {
    ...(columns === undefined ? {} : { columns }),
    ...(rowGroups === undefined ? {} : { rowGroups }),
    ...(onProgress === undefined ? {} : { onProgress }),
    explained: explainChoices === true ? Infinity : 0,
  };
}

export interface DescribeOptions extends Pick<InspectOptions, 'columns' | 'rowGroups' | 'onProgress'> {
  /** How many row groups have their choices explained, the first ones; default: none. */
  readonly explained?: number;
  /** Called with the file that has the row group in memory, for each that is explained. */
  readonly onKept?: (file: StoredFile) => void;
}

/** The description of an open file. */
export function* describeFile(file: StoredFile, options: DescribeOptions): Work<InspectedFile> {
  const { footer, source, path } = file;
  const columns = columnNumbers(file, options.columns);
  const most = options.rowGroups ?? file.rowGroups.length;
  const totalRowGroups = Math.min(most, file.rowGroups.length);
  yield* file.loadBlocks(totalRowGroups === 0 ? columns : [...columns, lastColumn(file)]);
  const rowGroups: InspectedRowGroup[] = [];
  while (rowGroups.length < totalRowGroups) {
    const start = rowGroups.length;
    const explained = start < (options.explained ?? 0);
    const read = explained ? { start, end: start + 1 } : groupsAtOnce(file, { start, end: totalRowGroups }, columns);
    const from = explained ? yield* keepGroup(file, start, columns) : file;
    if (explained) options.onKept?.(from);
    for (let chunks of yield* readChunks(from, read, columns)) {
      const group = rowGroups.length;
      const { firstRow, rowCount, pageRows, byteOffset } = file.group(group);
      if (explained) chunks = yield* explainChunks(from, group, columns, chunks);
      rowGroups.push({
        rowGroup: group,
        firstRow,
        rowCount,
        pageRows,
        byteOffset,
        byteLength: groupEnd(file, group) - byteOffset,
        chunks,
      });
      options.onProgress?.({ rowGroups: group + 1, totalRowGroups });
      yield TURN;
    }
  }
  const { formatVersion, schema, rowCount, footerOffset, end, previousEnd } = footer;
  return {
    path,
    byteLength: source.byteLength,
    formatVersion,
    createdBy: schema.createdBy,
    metadata: Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(schema.metadata)),
    rowCount,
    columnCount: file.columns.length,
    rowGroupCount: file.rowGroups.length,
    footer: { byteOffset: footerOffset, byteLength: end - footerOffset, previousEnd },
    columns: columns.map((column, index) => describeColumn(file, column, rowGroups, index)),
    rowGroups,
  };
}

function columnNumbers(file: StoredFile, names: readonly string[] | undefined): number[] {
  if (names === undefined) return Array.from(file.columns.keys());
  const numbers = new Map(file.columns.map(({ name }, number) => [name, number]));
  return names.map((name) => {
    const number = numbers.get(name);
    if (number === undefined) throw new UnknownColumnError(name, [...numbers.keys()]);
    return number;
  });
}

/** Its chunks are the last ones of their row groups. */
function lastColumn(file: StoredFile): number {
  return file.columns.length - 1;
}

/** Where the chunks of a row group end: an older footer may follow, or row groups that are no longer of the file. */
function groupEnd(file: StoredFile, group: number): number {
  const { byteOffset, byteLength } = file.chunk(lastColumn(file), group).entry;
  return byteOffset + byteLength;
}

function describeColumn(
  file: StoredFile,
  column: number,
  rowGroups: readonly InspectedRowGroup[],
  index: number,
): InspectedColumn {
  const { name, type, nullable } = file.column(column);
  const encodings = Object.create(null) as Record<string, number>;
  let byteLength = 0;
  for (const { chunks } of rowGroups) {
    const chunk = chunks[index];
    if (chunk === undefined) continue;
    byteLength += chunk.byteLength;
    for (const { encoding, codec } of chunk.pages) {
      const label = codec === 'NONE' ? encoding : `${encoding} + ${codec}`;
      encodings[label] = (encodings[label] ?? 0) + 1;
    }
  }
  return { name, type: type.name, dtype: type.dtype, nullable, byteLength, encodings };
}
