// colkit/inspect: a file of any of the formats -> one self-contained page about it.
import { SOURCE_OPTIONS, checkOptions, openSource, option, pickOptions } from '@colkit/io';
import type { Openable, OptionSet, RandomAccessSource } from '@colkit/io';
import { open as openColstore } from 'colstore';
import type { OpenOptions } from 'columna';
import { open as openSyrah } from 'syrah';
import { identify } from '../formats/identify.ts';
import { OPEN_OPTIONS } from '../tables/opened-table.ts';
import { renderPage } from './html.ts';
import { itemsPage } from './items-page.ts';
import { PAGE_LIMITS, pageModel } from './page-model.ts';
import type { PageProgress } from './page-model.ts';
import { pageScript } from './page-script.ts';
import { recordsPage } from './records-page.ts';

interface InspectHtmlOptions extends OpenOptions {
  /** What the page calls the file; default: the last part of its path. */
  readonly name?: string;
  /** Called after every row group whose encodings were explained. */
  readonly onProgress?: PageProgress;
}

const INSPECT_HTML_OPTIONS: OptionSet<InspectHtmlOptions> = {
  ...OPEN_OPTIONS,
  name: option.text,
  onProgress: option.callback(),
};

/**
 * Describes a file as one HTML page, as text, which needs no network and no other file. Of a .cna file: a picture of
 * the byte layout to scale, every chunk's encoding and why it won, a histogram or the most frequent values of each
 * column, a predicate that can be edited live (what a scan would skip, and which rows of a sample match), the first
 * rows. Of a .cstore file: columns, records and their statistics, and values, predicate and first rows likewise. Of a
 * .syr file: how long the arrays of each key are, and the first items. Of a wide or long file it lists the first
 * columns, row groups, records and keys, and says so; it carries at most 1,000 rows of the first columns. Takes about
 * as long as writing the rows of a .cna file that are listed. The options of opening are those of .cna files.
 * @throws as `identify`, and as `open` of the format; CorruptFileError for a damaged page.
 */
export async function inspectHtml(source: Openable, options: InspectHtmlOptions = {}): Promise<string> {
  checkOptions('inspectHtml', INSPECT_HTML_OPTIONS, options);
  const { name, onProgress } = options;
  const opened = await openSource(source, pickOptions(SOURCE_OPTIONS, options));
  try {
    const title = name ?? opened.path.split(/[/\\]/).at(-1) ?? opened.path;
    const format = await identify(opened);
    if (format === 'colstore') return await ofRecords(opened, title);
    if (format === 'syrah') return await ofItems(opened, title);
    const model = await pageModel(opened, title, PAGE_LIMITS, pickOptions(OPEN_OPTIONS, options), onProgress);
    return renderPage(model, await pageScript());
  } finally {
    if (opened !== source) opened.close();
  }
}

async function ofRecords(source: RandomAccessSource, name: string): Promise<string> {
  const table = await openColstore(source);
  try {
    return await recordsPage(table, await table.info(), name, await pageScript());
  } finally {
    table.close();
  }
}

async function ofItems(source: RandomAccessSource, name: string): Promise<string> {
  const file = await openSyrah(source);
  try {
    return await itemsPage(file, name, await pageScript());
  } finally {
    file.close();
  }
}
