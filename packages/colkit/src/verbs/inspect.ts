// inspect: the structure of a file as text or JSON, or (of a .cna file) as a page.
import { openFileSink } from '@colkit/io';
import { info as colstoreInfo } from 'colstore';
import type { FileInfo } from 'colstore';
import { inspect as inspectColumna } from 'columna';
import { opened, requireFormat, requireOneFile } from '../formats/opened.ts';
import type { Opened } from '../formats/opened.ts';
import { inspectHtml } from '../page/inspect-html.ts';
import { pageScript } from '../page/page-script.ts';
import { recordsPage } from '../page/records-page.ts';
import { fileText } from '../show/inspect-text.ts';
import { columnsOf } from '../show/text-columns.ts';
import { toJson } from '../terminal/json.ts';
import { count } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { AS_JSON, COLUMNS, chosenNames, flag, text, whole } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';
import { colstoreLines, info } from './info.ts';

/** Columns that are listed without --all. */
const MOST_COLUMNS = 50;
/** Records, likewise. */
const MOST_RECORDS = 20;

interface InspectOptions extends JsonOption {
  readonly html?: string;
  readonly force?: true;
  readonly explain?: true;
  readonly columns?: string;
  readonly rowGroups?: number;
  readonly pages?: true;
  readonly all?: true;
}

/** Of .cna files, which have pages and encodings. */
const ONLY_COLUMNA = ['explain', 'rowGroups', 'pages'] as const;

export const inspect: Verb<InspectOptions> = {
  name: 'inspect',
  summary: 'the structure: row groups, columns, pages, encodings, sizes, statistics; records; lengths of arrays',
  arguments: ['<FILE>'],
  options: [
    text('--html <PAGE>', 'write one HTML page: the bytes, the values, why each encoding won, a live predicate'),
    flag('-f, --force', 'with --html: replace an existing page'),
    flag('--explain', '.cna: size every encoding anew and say why each one won (as slow as writing)'),
    text(COLUMNS, 'which columns'),
    whole('--row-groups <N>', '.cna: only the first N row groups'),
    flag('--pages', '.cna: list every page'),
    flag('--all', `list all columns, row groups and records, not the first ${MOST_COLUMNS} and ${MOST_RECORDS}`),
    AS_JSON,
  ],
  examples: ['colkit inspect orders.cna --explain', 'colkit inspect orders.cna --html orders.html'],
  run: ([path = ''], options, terminal) =>
    opened(path, async (file) => {
      const foreign = ONLY_COLUMNA.find((name) => options[name] !== undefined);
      if (foreign !== undefined) {
        const name = `--${foreign === 'rowGroups' ? 'row-groups' : foreign}`;
        requireFormat(name, file, 'columna');
        requireOneFile(name, file);
      }
      if (options.html !== undefined) {
        requireOneFile('--html', file);
        return writePage(path, file, options, terminal);
      }
      if (file.kind === 'items' || file.dataset !== null) return info.run([path], options, terminal);
      if (file.format === 'colstore') return showRecords(await colstoreInfo(path), file, options, terminal);
      return showStructure(file, options, terminal);
    }),
};

type TableFile = Extract<Opened, { kind: 'table' }>;

async function showStructure({ path, table }: TableFile, options: InspectOptions, terminal: Terminal): Promise<number> {
  const isJson = options.json === true;
  const isShort = !isJson && options.all !== true && table.columnNames.length > MOST_COLUMNS;
  const columns =
    chosenNames(options.columns, table.columnNames) ?? (isShort ? table.columnNames.slice(0, MOST_COLUMNS) : undefined);
  const report = await inspectColumna(path, {
    ...(columns === undefined ? {} : { columns }),
    ...(options.rowGroups === undefined ? {} : { rowGroups: options.rowGroups }),
    explainChoices: options.explain === true,
    onProgress: ({ rowGroups, totalRowGroups }) => terminal.progress(`row group ${rowGroups} of ${totalRowGroups}`),
  });
  terminal.progress(null);
  if (isJson) terminal.json(report, 2);
  else {
    const lines = fileText(report, { pages: options.pages === true, all: options.all === true });
    for (const line of lines) terminal.print(line);
  }
  return 0;
}

/** Of a path or a pattern. */
const lastPart = (path: string): string => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;

async function writePage(path: string, file: Opened, options: InspectOptions, terminal: Terminal): Promise<number> {
  const page = options.html ?? '';
  // Of several files it is a page of them as one table, which no single source is.
  const html =
    file.kind === 'table' && file.format === 'colstore'
      ? await recordsPage(file.table, await colstoreInfo(path), lastPart(path), await pageScript())
      : await inspectHtml(path, {
          onProgress: ({ rowGroups, totalRowGroups }) =>
            terminal.progress(`sizing encodings, row group ${rowGroups} of ${totalRowGroups}`),
        });
  const sink = await openFileSink(page, { overwrite: options.force === true });
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

function showRecords(facts: FileInfo, { table }: TableFile, options: InspectOptions, terminal: Terminal): number {
  const names = chosenNames(options.columns, table.columnNames) ?? table.columnNames;
  const columns = facts.columns.filter(({ name }) => names.includes(name));
  if (options.json === true) {
    terminal.json({ format: 'colstore', ...facts, columns }, 2);
    return 0;
  }
  const most = options.all === true ? Infinity : MOST_RECORDS;
  const shown = options.all === true ? columns : columns.slice(0, MOST_COLUMNS);
  const rows = shown.map(({ name, descr, itemBytes }) => [
    name,
    descr,
    count(itemBytes),
    count(itemBytes * facts.rowCount),
  ]);
  const heading = ['column', 'type', 'bytes a row', 'bytes'];
  const lines = [...colstoreLines(facts), '', ...columnsOf([heading, ...rows], [false, false, true, true])];
  for (const { name } of shown) {
    const records = facts.statistics?.get(name)?.slice(0, most) ?? [];
    const ranges = records.map((each, record) =>
      each === null ? [String(record), '–', '–'] : [String(record), toJson(each.min), toJson(each.max)],
    );
    if (ranges.length === 0) continue;
    lines.push('', `${name}: smallest and largest by record`);
    const table = columnsOf([['record', 'minimum', 'maximum'], ...ranges], [true, true, true], '  ');
    for (const line of table) lines.push(line);
  }
  for (const line of lines) terminal.print(line);
  return 0;
}
