// An open .cna file -> everything that its page shows, with what had to be left out: a page of ten thousand columns
// must stay a page.
import { isBool, parseDType } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import type { Table } from '@colkit/table';
import type { InspectedColumn, InspectedFile, InspectedValue, OpenOptions } from 'columna';
import { overview } from 'columna/inspect';
import type { PushdownFooter } from 'columna/inspect';
import { valueText } from '../show/bound-text.ts';
import { embeddedSample, isShort } from './values/embedded-sample.ts';
import type { EmbeddedSample } from './values/embedded-sample.ts';
import { sampleRows, sampledColumn } from './values/sample.ts';
import type { Sample, SampledColumn } from './values/sample.ts';
import { summaryOf } from './values/summary.ts';
import type { ColumnSummary } from './values/summary.ts';

export interface PageModel {
  /** As the page calls it: a file's name, without its folder. */
  readonly name: string;
  readonly file: InspectedFile;
  /** Row groups of which every choice is explained; the first ones. */
  readonly explained: number;
  readonly footer: PushdownFooter;
  readonly sample: Sample;
  /** Of the first columns. */
  readonly summaries: readonly ColumnSummary[];
  readonly embedded: EmbeddedSample;
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

/** `source` stays open. */
export async function pageModel(
  source: RandomAccessSource,
  name: string,
  limits: PageLimits,
  options: OpenOptions = {},
  onProgress?: PageProgress,
): Promise<PageModel> {
  const progress = onProgress === undefined ? {} : { onProgress };
  const { columns, rowGroups, chunks, explainedValues } = limits;
  const { file, explained, footer, table } = await overview(source, {
    ...options,
    ...progress,
    columns,
    rowGroups,
    chunks,
    explainedValues,
  });
  const names = file.columns.slice(0, limits.firstRowColumns).map((column) => column.name);
  return {
    name,
    file,
    explained,
    footer: { ...footer, path: name },
    ...(await sampleModel(table, names, file.rowCount, file.columnCount)),
    firstRows: await firstCells(
      table,
      file.columns.slice(0, limits.firstRowColumns),
      Math.min(limits.firstRows, file.rowCount),
    ),
  };
}

/** The first columns of a sample of the rows, summarised and embedded. */
export async function sampleModel(
  table: Table,
  names: readonly string[],
  rowCount: number,
  columnCount: number,
): Promise<Pick<PageModel, 'sample' | 'summaries' | 'embedded'>> {
  const sample = sampleRows(rowCount);
  const columns: SampledColumn[] = [];
  const summaries: ColumnSummary[] = [];
  if (rowCount > 0) {
    for (const name of names) {
      const column = await sampledColumn(table, name, sample);
      // What is too long to be carried is not kept until the other columns have been read.
      if (isShort(column)) columns.push(column);
      summaries.push(summaryOf(column, table.schema.find((field) => field.name === name)?.dtype ?? column.dtype));
    }
  }
  return { sample, summaries, embedded: embeddedSample(sample, columns, columnCount) };
}

/** Of any table: the first rows of some columns, as text. */
export function firstRowsOf(table: Table, names: readonly string[], count: number): Promise<PageModel['firstRows']> {
  const columns = names.map((name) => ({ name, dtype: table.schema.find((field) => field.name === name)?.dtype }));
  return firstCells(
    table,
    columns.map(({ name, dtype }) => ({ name, dtype: dtype ?? 'string' })),
    count,
  );
}

/** Cells as text, one column at a time, each cut before the next: a text may be as long as a page. */
async function firstCells(
  table: Table,
  columns: readonly Pick<InspectedColumn, 'name' | 'dtype'>[],
  count: number,
): Promise<PageModel['firstRows']> {
  const texts: string[][] = [];
  for (const column of columns) {
    const values = (await table.head(count).column(column.name).toArray()) as ArrayLike<InspectedValue | null>;
    texts.push(
      Array.from(values, (value) => {
        if (value === null) return 'null';
        return valueText(column, isBool(parseDType(column.dtype)) ? Boolean(value) : value);
      }),
    );
  }
  return {
    names: columns.map(({ name }) => name),
    numeric: columns.map(({ dtype }) => parseDType(dtype).itemBytes > 0),
    rows: Array.from({ length: count }, (_, row) => texts.map((column) => column[row] ?? '')),
  };
}
