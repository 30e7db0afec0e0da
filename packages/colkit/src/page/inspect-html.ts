// colkit/inspect: a .cna file -> one self-contained page about it.
import { SOURCE_OPTIONS, checkOptions, openSource, option, pickOptions } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import type { OpenOptions } from 'columna';
import { OPEN_OPTIONS } from '../tables/opened-table.ts';
import { renderPage } from './html.ts';
import { PAGE_LIMITS, pageModel } from './page-model.ts';
import type { PageProgress } from './page-model.ts';
import { pageScript } from './page-script.ts';

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
 * Describes a .cna file as one HTML page, as text: a picture of the byte layout to scale, every chunk's encoding and
 * why it won, a histogram or the most frequent values of each column, a predicate that can be edited live (what a scan
 * would skip, and which rows of a sample match), the first rows. The page needs no network and no other file, and
 * carries at most 1,000 rows of the first columns. Of a wide or long file it lists the first columns and row groups,
 * and says so. Takes about as long as writing the rows that are listed.
 * @throws as `open` of columna; CorruptFileError for a damaged page.
 */
export async function inspectHtml(source: Openable, options: InspectHtmlOptions = {}): Promise<string> {
  checkOptions('inspectHtml', INSPECT_HTML_OPTIONS, options);
  const { name, onProgress } = options;
  const opened = await openSource(source, pickOptions(SOURCE_OPTIONS, options));
  try {
    const title = name ?? opened.path.split(/[/\\]/).at(-1) ?? opened.path;
    const model = await pageModel(opened, title, PAGE_LIMITS, pickOptions(OPEN_OPTIONS, options), onProgress);
    return renderPage(model, await pageScript());
  } finally {
    if (opened !== source) opened.close();
  }
}
