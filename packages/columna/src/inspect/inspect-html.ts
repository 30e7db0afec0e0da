// inspectHtml: a file -> one self-contained page about it.
import { checkOptions, option } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { contextOf, run } from '@colkit/io/effects';
import { readFile } from 'node:fs/promises';
import { OPEN_OPTIONS, withFile } from '../read/open.ts';
import type { OpenOptions } from '../read/open.ts';
import type { StoredFile } from '../read/file/stored-file.ts';
import { renderPage } from './page/html.ts';
import { PAGE_LIMITS, pageModel } from './page/page-model.ts';
import type { PageProgress } from './page/page-model.ts';

export interface InspectHtmlOptions extends OpenOptions {
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
 * Describes a file as one HTML page, as text: a picture of the byte layout to scale, every chunk's encoding and why it
 * won, a predicate that can be edited live, the first rows. The page needs no network and no other file. Of a wide or
 * long file it lists the first columns and row groups, and says so. About as long as writing the rows that are listed.
 * @throws as `open`; CorruptFileError for a damaged page.
 */
export async function inspectHtml(source: Openable, options: InspectHtmlOptions = {}): Promise<string> {
  checkOptions('inspectHtml', INSPECT_HTML_OPTIONS, options);
  const { name, onProgress } = options;
  const nameOf = ({ path }: StoredFile): string => name ?? path.split(/[/\\]/).at(-1) ?? path;
  const model = await run(
    withFile(source, options, (file) => pageModel(file, nameOf(file), PAGE_LIMITS, onProgress)),
    contextOf(options),
  );
  return renderPage(model, await pageScript());
}

/** The bundle of ./browser, which the build puts beside the built code. */
async function pageScript(): Promise<string> {
  return readFile(new URL('./inspector-page.js', import.meta.url), 'utf8');
}
