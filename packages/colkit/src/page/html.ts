// The parts of a page -> one document that needs nothing else: no network, no fonts, no images. Works without its
// script, but for the live predicate.
import { Pushdown } from 'columna/inspect';
import { chunkTables } from './chunk-tables.ts';
import { examplePredicates } from './examples.ts';
import { glossary } from './glossary.ts';
import { renderDocument } from './document.ts';
import { bytesText, count, counted, escapeHtml } from './markup.ts';
import { ORIGINAL_BYTES, ORIGINAL_FORMAT, importedFrom } from './original.ts';
import type { PageModel } from './page-model.ts';
import { picture } from './picture.ts';
import { predicateForm } from './predicate-form.ts';
import { rowsTable } from './rows-table.ts';
import { valuesSection } from './values/values-section.ts';

const WHY = `<p>The writer sizes every encoding that applies to a page, children included, and keeps the fewest
bytes; what decodes slowly must earn it. The file does not store what lost: those sizes were worked out again from the
values, before DEFLATE.</p>`;

/** `script`: the bundle of ./browser. */
export function renderPage(model: PageModel, script: string): string {
  const { file, name, summaries, sample, footer, embedded } = model;
  const sections = [
    { id: 'layout', title: 'Layout', body: picture(file) + omissions(model) },
    {
      id: 'values',
      title: 'Values',
      body: valuesSection(summaries, sample.rows.length, file.rowCount, file.columnCount),
    },
    { id: 'pushdown', title: 'Pushdown', body: pushdown(model) },
    { id: 'encodings', title: 'Encodings', body: `${WHY}\n${glossary(words(model))}\n${chunkTables(model)}` },
    { id: 'first-rows', title: 'First rows', body: firstRows(model) },
  ];
  return renderDocument(
    { name, facts: facts(model), sections, embedded: { 'embedded-footer': footer, 'embedded-sample': embedded } },
    script,
  );
}

function facts({ file }: PageModel): string[] {
  const { rowCount, columnCount, rowGroupCount, byteLength, formatVersion, createdBy, footer, metadata } = file;
  const perRow =
    rowCount === 0
      ? ''
      : `, ${((8 * byteLength) / rowCount).toLocaleString('en', { maximumFractionDigits: 1 })} bits a row`;
  return [
    counted(rowCount, 'row'),
    counted(columnCount, 'column'),
    counted(rowGroupCount, 'row group'),
    `<b>${bytesText(byteLength)}</b> (${count(byteLength)} bytes${perRow})`,
    `footer ${bytesText(footer.byteLength)}`,
    `format ${formatVersion}${createdBy === null ? '' : `, written by ${escapeHtml(createdBy)}`}`,
    ...importedFrom(metadata, byteLength),
    ...Object.entries(metadata)
      .filter(([key]) => key !== ORIGINAL_FORMAT && key !== ORIGINAL_BYTES)
      .map(([key, value]) => `${escapeHtml(key)}: ${escapeHtml(value)}`),
  ];
}

function omissions({ file, footer }: PageModel): string {
  const left: string[] = [];
  if (file.columns.length < file.columnCount)
    left.push(`the first ${count(file.columns.length)} of ${count(file.columnCount)} columns`);
  if (file.rowGroups.length < file.rowGroupCount)
    left.push(`the first ${count(file.rowGroups.length)} of ${count(file.rowGroupCount)} row groups`);
  const listed =
    left.length === 0
      ? ''
      : `This page lists ${left.join(' and ')}; the sizes of the file and of its row groups are of all of them. `;
  const predicates =
    footer.omittedColumns === 0
      ? ''
      : `The predicate below knows the first ${count(file.columnCount - footer.omittedColumns)} columns and all ` +
        'row groups.';
  return listed + predicates === '' ? '' : `<p class="note">${listed}${predicates}</p>`;
}

function pushdown(model: PageModel): string {
  const intro = `Type a predicate. What a scan would skip is worked out here from the statistics of the footer, by the
code of <code>scan()</code> itself: the numbers are those of its <code>stats</code>.`;
  const skipped = `<div id="predicate-stats" role="status" aria-live="polite"></div>
<ol id="predicate-groups" aria-label="Row groups"></ol>
<p id="predicate-more" class="note"></p>
`;
  return predicateForm(intro, examplePredicates(model.file, new Pushdown(model.footer)), skipped);
}

function firstRows({ firstRows: { names, numeric, rows }, file }: PageModel): string {
  if (names.length === 0 || rows.length === 0) return '<p>The table has no rows.</p>';
  const left = file.columnCount - names.length;
  const more = left > 0 ? `<p class="note">${count(left)} more columns.</p>` : '';
  return rowsTable('First rows', names, numeric, rows) + more;
}

/** Those that the page uses, in the order in which they are explained. */
function words({ file }: PageModel): string[] {
  const names = file.rowGroups.flatMap(({ chunks }) =>
    chunks.flatMap((chunk) => [
      ...(chunk.codesOf === null ? [] : ['CODES', 'JOINT DICTIONARY']),
      ...[...chunk.pages, ...(chunk.dictionary === null ? [] : [chunk.dictionary])].flatMap(({ encoding, codec }) => [
        ...(encoding.match(/[A-Z]+(?: [A-Z]+)*/g) ?? []),
        ...(codec.match(/[A-Z]+/gi) ?? []).map((name) => name.toUpperCase()),
      ]),
    ]),
  );
  const unique = [...new Set(names)].sort();
  return ['row group', 'page', 'chunk', 'footer', 'pushdown', 'sample', ...unique];
}
