// A file -> all that a page about it shows, from one opening: what the footer and the headers tell, why the first row
// groups are encoded as they are, a footer for predicates, and the table for its first rows.
import { checkOptions, option } from '@colkit/io';
import type { OptionSet, RandomAccessSource } from '@colkit/io';
import { contextOf, run } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { tableOf } from '@colkit/table';
import type { Table } from '@colkit/table';
import type { StoredFile } from '../read/file/stored-file.ts';
import { OPEN_OPTIONS, openFile } from '../read/open-file.ts';
import type { OpenOptions } from '../read/open-file.ts';
import { StoredTable } from '../read/stored-table.ts';
import { describeFile } from './inspect.ts';
import type { InspectOptions } from './inspect.ts';
import type { InspectedFile } from './inspected-file.ts';
import { footerOf } from './pushdown-footer.ts';
import type { PushdownFooter } from './pushdown.ts';

export interface OverviewOptions extends OpenOptions, Pick<InspectOptions, 'onProgress'> {
  /** Columns that are described, the first ones. */
  readonly columns: number;
  /** Row groups that are described, the first ones. */
  readonly rowGroups: number;
  /** Row groups times columns that are described; of one row group at least. */
  readonly chunks: number;
  /** Values that are decoded and encoded again, to tell why their encodings were kept. */
  readonly explainedValues: number;
}

export interface Overview {
  readonly file: InspectedFile;
  /** How many row groups have their choices explained: the first ones. */
  readonly explained: number;
  readonly footer: PushdownFooter;
  /** Over `source`; reads nothing again of the first row group where that was explained. */
  readonly table: Table;
}

const OVERVIEW_OPTIONS: OptionSet<OverviewOptions> = {
  ...OPEN_OPTIONS,
  columns: option.count('columns'),
  rowGroups: option.count('row groups'),
  chunks: option.count('chunks'),
  explainedValues: option.count('values'),
  onProgress: option.callback(),
};

/**
 * Describes the first columns and row groups of a file, and opens it. Reads no byte of what it describes twice: of row
 * groups that are explained the chunks of these columns, of the others the footer and the headers of their pages.
 * `source` stays open.
 * @throws as `open`; CorruptFileError for a damaged page.
 */
export async function overview(source: RandomAccessSource, options: OverviewOptions): Promise<Overview> {
  checkOptions('overview', OVERVIEW_OPTIONS, options);
  return run(overviewOf(source, options), contextOf(options));
}

function* overviewOf(source: RandomAccessSource, options: OverviewOptions): Work<Overview> {
  const file = yield* openFile(source, options);
  const { chunks, explainedValues, onProgress } = options;
  const columns = file.columns.slice(0, options.columns).map(({ name }) => name);
  const rowGroups = Math.min(options.rowGroups, Math.max(1, Math.floor(chunks / Math.max(1, columns.length))));
  const explained = explainable(file, columns.length, Math.min(rowGroups, file.rowGroups.length), explainedValues);
  const keptGroups: StoredFile[] = [];
  const described = yield* describeFile(file, {
    columns,
    rowGroups,
    explained,
    onProgress: ({ rowGroups: done }) => {
      if (done <= explained) onProgress?.({ rowGroups: done, totalRowGroups: explained });
    },
    onKept: (kept) => {
      if (keptGroups.length === 0) keptGroups.push(kept);
    },
  });
  return {
    file: described,
    explained,
    footer: yield* footerOf(file),
    table: tableOf(new StoredTable(keptGroups[0] ?? file)),
  };
}

/** Row groups whose values are few enough to be encoded again. */
function explainable(file: StoredFile, columns: number, mostGroups: number, mostValues: number): number {
  let values = 0;
  for (let group = 0; group < mostGroups; group++) {
    values += file.group(group).rowCount * columns;
    if (values > mostValues) return group;
  }
  return mostGroups;
}
