// columna inspect: the structure of a file as text or JSON, or as a page.
import { openFileSink } from '@colkit/io';
import { count } from '@colkit/io/command';
import type { Command, Given, Terminal } from '@colkit/io/command';
import { inspectHtml } from '../inspect/inspect-html.ts';
import { inspect } from '../inspect/inspect.ts';
import { open } from '../read/open.ts';
import { fileText } from './inspect-text.ts';

/** Columns that are listed without --all. */
const MOST_COLUMNS = 50;

export const inspectCommand: Command = {
  name: 'inspect',
  summary: 'the structure: row groups, columns, pages, encodings, sizes, minimum and maximum',
  positionals: ['FILE'],
  options: {
    html: { kind: 'text', value: 'PAGE', help: 'write one self-contained HTML page: a picture of the bytes, why each encoding won, a live predicate' },
    force: { kind: 'flag', short: 'f', help: 'with --html: replace an existing page' },
    explain: { kind: 'flag', help: 'size every encoding anew and say why each one won (as slow as writing)' },
    columns: { kind: 'names', value: 'A,B', help: 'which columns' },
    'row-groups': { kind: 'count', value: 'N', help: 'only the first N row groups' },
    pages: { kind: 'flag', help: 'list every page' },
    all: { kind: 'flag', help: `list all columns and row groups, not the first ${MOST_COLUMNS} and 20` },
    json: { kind: 'flag', help: 'as JSON' },
  },
  async run(given, terminal) {
    const path = given.positional(0);
    const page = given.text('html');
    if (page !== undefined) return writePage(path, page, given, terminal);
    const isJson = given.flag('json');
    const columns = given.names('columns') ?? (isJson || given.flag('all') ? undefined : await firstColumns(path));
    const rowGroups = given.count('row-groups');
    const report = await inspect(path, {
      ...(columns === undefined ? {} : { columns }),
      ...(rowGroups === undefined ? {} : { rowGroups }),
      explainChoices: given.flag('explain'),
      onProgress: (progress) => terminal.progress(`row group ${progress.rowGroups} of ${progress.totalRowGroups}`),
    });
    terminal.progress(null);
    if (isJson) terminal.json(report, 2);
    else for (const line of fileText(report, { pages: given.flag('pages'), all: given.flag('all') })) terminal.print(line);
    return 0;
  },
};

async function firstColumns(path: string): Promise<readonly string[] | undefined> {
  const table = await open(path);
  const names = table.columnNames;
  table.close();
  return names.length > MOST_COLUMNS ? names.slice(0, MOST_COLUMNS) : undefined;
}

async function writePage(path: string, page: string, given: Given, terminal: Terminal): Promise<number> {
  const html = await inspectHtml(path, { onProgress: ({ rowGroups, totalRowGroups }) => terminal.progress(`sizing encodings, row group ${rowGroups} of ${totalRowGroups}`) });
  const sink = await openFileSink(page, { overwrite: given.flag('force') });
  try {
    await sink.write(new TextEncoder().encode(html));
    await sink.finish();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  terminal.progress(null);
  terminal.note(`${page}: ${count(sink.position)} bytes`);
  return 0;
}
