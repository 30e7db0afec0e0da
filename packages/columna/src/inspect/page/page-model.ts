// An open file -> everything that its page shows, with what had to be left out: a page of ten thousand columns must
// stay a page.
import type { ColumnData } from '@colkit/table';
import { parseDType, typedArrayOver } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { countOnes } from '../../columns/decode-page.ts';
import { readRows } from '../../read/pages/read-rows.ts';
import type { StoredFile } from '../../read/file/stored-file.ts';
import { valueText } from '../describe-statistics.ts';
import { describeFile } from '../inspect.ts';
import type { InspectedFile, InspectedValue } from '../inspected-file.ts';
import type { EmbeddedFooter } from '../live/pushdown.ts';
import { embedFooter } from './embed-footer.ts';

export interface PageModel {
  /** As the page calls it: a file's name, without its folder. */
  readonly name: string;
  readonly file: InspectedFile;
  /** Row groups of which every choice is explained; the first ones. */
  readonly explained: number;
  readonly footer: EmbeddedFooter;
  readonly firstRows: {
    readonly names: readonly string[];
    readonly numeric: readonly boolean[];
    readonly rows: readonly (readonly string[])[];
  };
}

export interface PageLimits {
  /** Columns that are listed. */
  readonly columns: number;
  /** Row groups that are listed. */
  readonly rowGroups: number;
  /** Row groups times columns that are listed. */
  readonly chunks: number;
  /** Values that are decoded and sized again to explain their encoding. */
  readonly explainedValues: number;
  readonly firstRows: number;
  readonly firstRowColumns: number;
}

export const PAGE_LIMITS: PageLimits = Object.freeze({
  columns: 60,
  rowGroups: 40,
  chunks: 800,
  explainedValues: 40_000_000,
  firstRows: 20,
  firstRowColumns: 30,
});

export interface PageProgress {
  (progress: { readonly rowGroups: number; readonly totalRowGroups: number }): void;
}

export function* pageModel(
  file: StoredFile,
  name: string,
  limits: PageLimits,
  onProgress?: PageProgress,
): Work<PageModel> {
  const columns = file.columns.slice(0, limits.columns).map((column) => column.name);
  const listed = Math.min(
    file.rowGroups.length,
    limits.rowGroups,
    Math.max(1, Math.floor(limits.chunks / Math.max(1, columns.length))),
  );
  const explained = explainable(file, listed, columns.length, limits.explainedValues);
  const progress = onProgress === undefined ? {} : { onProgress };
  const described = yield* describeFile(file, { columns, rowGroups: listed });
  const choices =
    explained === 0
      ? described
      : yield* describeFile(file, { columns, rowGroups: explained, explainChoices: true, ...progress });
  const rowGroups = described.rowGroups.map((group, number) => choices.rowGroups[number] ?? group);
  return {
    name,
    file: { ...described, rowGroups },
    explained,
    footer: yield* embedFooter(file, name),
    firstRows: yield* firstRows(file, limits),
  };
}

function explainable(file: StoredFile, listed: number, columns: number, most: number): number {
  let values = 0;
  let groups = 0;
  while (groups < listed && (values += file.group(groups).rowCount * columns) <= most) groups++;
  return groups;
}

/** Cells as text, by the reader of every other read. */
function* firstRows(file: StoredFile, limits: PageLimits): Work<PageModel['firstRows']> {
  const columns = file.columns.slice(0, limits.firstRowColumns);
  const count = Math.min(limits.firstRows, file.footer.rowCount);
  const buffers = columns.map(({ type }) => (type.itemBytes === 0 ? null : new Uint8Array(count * type.itemBytes)));
  const outputs = buffers.map((bytes, i) =>
    bytes === null ? null : { bytes, byteOffset: 0, byteStride: columns[i]?.type.itemBytes ?? 0 },
  );
  const rows = { kind: 'range', start: 0, step: 1, count } as const;
  yield* file.loadBlocks(columns.keys());
  const texts: string[][] = [];
  // One column at a time, each cut to what is shown before the next: a text may be as long as a page.
  for (const [i, { type }] of columns.entries()) {
    const [of] = (yield* readRows(file, { columns: [i], rows, outputs: [outputs[i] ?? null], strings: 'values' })) as [
      ColumnData,
    ];
    const items =
      buffers[i] === null || buffers[i] === undefined ? null : typedArrayOver(parseDType(type.dtype), buffers[i]);
    texts.push(
      Array.from({ length: count }, (_, row) => {
        if (of.validity !== null && countOnes(Uint8Array.of((of.validity[row >>> 3] ?? 0) >>> (row & 7)), 1) === 0)
          return 'null';
        const value = (of.kind === 'values' ? of.values[row] : items?.[row]) as InspectedValue;
        return valueText(type, type.name === 'bool' ? value !== 0 : value);
      }),
    );
  }
  return {
    names: columns.map(({ name }) => name),
    numeric: columns.map(({ type }) => type.itemBytes > 0),
    rows: Array.from({ length: count }, (_, row) => texts.map((column) => column[row] ?? '')),
  };
}
