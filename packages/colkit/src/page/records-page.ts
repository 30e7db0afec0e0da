// A .cstore file, or several as one table -> its page: where its columns, records and files lie, the values of a
// sample, a predicate that is run on it, what the statistics of its records say, the first rows.
import type { Table } from '@colkit/table';
import type { FileInfo } from 'colstore';
import type { InspectedValue } from 'columna';
import { valueText } from '../show/bound-text.ts';
import { renderDocument } from './document.ts';
import { glossary } from './glossary.ts';
import { bytesText, count, counted, escapeHtml } from './markup.ts';
import { PAGE_LIMITS, firstRowsOf, sampleModel } from './page-model.ts';
import { predicateForm } from './predicate-form.ts';
import { rowsTable } from './rows-table.ts';
import { stretchesOf } from './stretches.ts';
import type { Stretch } from './stretches.ts';
import { valuesSection } from './values/values-section.ts';

/** Records whose statistics are listed. */
const MOST_RECORDS = 20;

/** @param name what the page calls the file, or the files. @param script the bundle of ./browser. */
export async function recordsPage(table: Table, info: FileInfo, name: string, script: string): Promise<string> {
  const names = info.columns.slice(0, PAGE_LIMITS.firstRowColumns).map((column) => column.name);
  const { sample, summaries, embedded } = await sampleModel(table, names, info.rowCount, info.columns.length);
  const rows = await firstRowsOf(table, names, Math.min(PAGE_LIMITS.firstRows, info.rowCount));
  const sampled = count(embedded.rows.length);
  const intro = `Type a predicate. It is run on the ${sampled} rows of the sample that this page carries.`;
  const left = info.columns.length - names.length;
  const more = left > 0 ? `<p class="note">${count(left)} more columns.</p>` : '';
  return renderDocument(
    {
      name,
      facts: factsOf(info),
      sections: [
        {
          id: 'layout',
          title: 'Layout',
          body: layoutOf(info) + glossary(['record', 'flat', 'statistics footer', 'sample']),
        },
        {
          id: 'values',
          title: 'Values',
          body: valuesSection(summaries, sample.rows.length, info.rowCount, info.columns.length),
        },
        { id: 'predicate-part', title: 'Predicate', body: predicateForm(intro, [], '') },
        ...(info.statistics === null
          ? []
          : [{ id: 'statistics', title: 'Statistics', body: statisticsOf(info, names) }]),
        {
          id: 'first-rows',
          title: 'First rows',
          body:
            rows.rows.length === 0
              ? '<p>The table has no rows.</p>'
              : rowsTable('First rows', names, rows.numeric, rows.rows) + more,
        },
      ],
      embedded: { 'embedded-sample': embedded },
    },
    script,
  );
}

function factsOf(info: FileInfo): string[] {
  const { rowCount, columns, recordCount, byteLength, layout, wire, hasChecksum, uncommittedBytes, files } = info;
  return [
    counted(rowCount, 'row'),
    counted(columns.length, 'column'),
    counted(recordCount, 'record'),
    ...(files === null ? [] : [counted(files.length, 'file')]),
    `<b>${bytesText(byteLength)}</b> (${count(byteLength)} bytes)`,
    `layout ${layout} (${wire})`,
    hasChecksum ? 'a checksum covers names and types of the columns' : 'no checksum',
    ...(uncommittedBytes === 0 ? [] : [`${count(uncommittedBytes)} bytes of a dead writer, which readers ignore`]),
  ];
}

function layoutOf(info: FileInfo): string {
  const { columns, rowCount, files } = info;
  const ofFile =
    files === null ? stretchesOf('Every byte of the file, to scale', stretchesOfFile(info)) : filesOf(files);
  if (rowCount === 0 || info.layout === 'flat') return ofFile;
  const ofRow = columns.map(({ name, descr, itemBytes }, index): Stretch => {
    return { what: `${name} (${descr})`, byteLength: itemBytes, look: columnLook(index) };
  });
  return ofFile + stretchesOf('Of each row, column by column in every record', ofRow);
}

function filesOf(files: readonly FileInfo[]): string {
  return stretchesOf(
    `${count(files.length)} files as one table`,
    files.map(({ path, byteLength, rowCount }, index) => ({
      what: `${path.split(/[/\\]/).at(-1) ?? path}: ${count(rowCount)} rows`,
      byteLength,
      look: columnLook(index),
    })),
  );
}

function stretchesOfFile(info: FileInfo): Stretch[] {
  const { dataOffset, layout, columns, rowCount, recordCount, byteLength, uncommittedBytes } = info;
  const rowBytes = columns.reduce((sum, { itemBytes }) => sum + itemBytes, 0);
  const head: Stretch = { what: 'header and manifest', byteLength: dataOffset, look: 'footer' };
  const data: Stretch[] =
    layout === 'flat'
      ? columns.map(({ name, descr, itemBytes }, index) => ({
          what: `${name} (${descr})`,
          byteLength: itemBytes * rowCount,
          look: columnLook(index),
        }))
      : [{ what: `values of ${count(recordCount)} records`, byteLength: rowBytes * rowCount, look: 'group' }];
  const rest = byteLength - dataOffset - rowBytes * rowCount - uncommittedBytes;
  const what = layout === 'flat' ? 'alignment' : 'headers of records, alignment and statistics';
  return [
    head,
    ...data.filter(({ byteLength: bytes }) => bytes > 0),
    ...(rest > 0 ? [{ what, byteLength: rest, look: 'footer' }] : []),
    ...(uncommittedBytes > 0 ? [{ what: 'not committed', byteLength: uncommittedBytes, look: 'unlisted' }] : []),
  ];
}

const columnLook = (index: number): string => (index % 2 === 0 ? 'group' : 'other');

function statisticsOf({ statistics, recordCount, columns }: FileInfo, names: readonly string[]): string {
  const dtypes = new Map(columns.map(({ name, dtype }) => [name, dtype]));
  const textOf = (name: string, value: InspectedValue): string =>
    valueText({ dtype: dtypes.get(name) ?? 'string' }, value);
  const known = names.filter((name) => statistics?.has(name));
  const rows = Array.from({ length: Math.min(MOST_RECORDS, recordCount) }, (_, record) => [
    String(record),
    ...known.map((name) => {
      const range = statistics?.get(name)?.[record] ?? null;
      return range === null ? '–' : `${textOf(name, range.min)} … ${textOf(name, range.max)}`;
    }),
  ]);
  const left = recordCount - rows.length;
  return (
    '<p>The smallest and largest value of each column in each record: filters pass over records by them.</p>' +
    rowsTable('Statistics of records', ['record', ...known], [true], rows) +
    (left > 0 ? `<p class="note">${escapeHtml(count(left))} more records.</p>` : '')
  );
}
