// The parts of a page -> one document that needs nothing else: no network, no fonts, no images. Works without its
// script, but for the live predicate.
import { Pushdown } from 'columna/inspect';
import { chunkTables } from './chunk-tables.ts';
import { examplePredicates } from './examples.ts';
import { glossary } from './glossary.ts';
import { bytesText, count, counted, escapeHtml, scriptJson } from './markup.ts';
import { ORIGINAL_BYTES, ORIGINAL_FORMAT, importedFrom } from './original.ts';
import type { PageModel } from './page-model.ts';
import { picture } from './picture.ts';
import { rowsTable } from './rows-table.ts';
import { valuesSection } from './values-section.ts';
import { STYLE } from './style.ts';

/** `script`: the bundle of ./browser. */
export function renderPage(model: PageModel, script: string): string {
  const { file, name } = model;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(name)} – colkit inspect</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(name)}</h1>
<p class="facts">${facts(model)}</p>
</header>
<nav aria-label="Sections"><a href="#layout">Layout</a>
<a href="#values">Values</a> <a href="#pushdown">Pushdown</a> <a href="#encodings">Encodings</a>
<a href="#first-rows">First rows</a></nav>
<main>
<section id="layout" aria-labelledby="layout-title"><h2 id="layout-title">Layout</h2>
${picture(file)}${omissions(model)}
</section>
<section id="values" aria-labelledby="values-title"><h2 id="values-title">Values</h2>
${valuesSection(model.summaries, model.sample.rows.length, file.rowCount, file.columnCount)}
</section>
<section id="pushdown" aria-labelledby="pushdown-title"><h2 id="pushdown-title">Pushdown</h2>
${pushdown(model)}
</section>
<section id="encodings" aria-labelledby="encodings-title"><h2 id="encodings-title">Encodings</h2>
<p>The writer sizes every encoding that applies to a page, children included, and keeps the fewest bytes; what
decodes slowly must earn it. The file does not store what lost: those sizes were worked out again from the values,
before DEFLATE.</p>
${glossary(words(model))}
${chunkTables(model)}
</section>
<section id="first-rows" aria-labelledby="rows-title"><h2 id="rows-title">First rows</h2>
${firstRows(model)}
</section>
</main>
<script type="application/json" id="embedded-footer">${scriptJson(model.footer)}</script>
<script type="application/json" id="embedded-sample">${scriptJson(model.embedded)}</script>
<script>${script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}</script>
</body>
</html>
`;
}

function facts({ file }: PageModel): string {
  const { rowCount, columnCount, rowGroupCount, byteLength, formatVersion, createdBy, footer, metadata } = file;
  const perRow =
    rowCount === 0
      ? ''
      : `, ${((8 * byteLength) / rowCount).toLocaleString('en', { maximumFractionDigits: 1 })} bits a row`;
  const list = [
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
  return list.map((fact) => `<span>${fact}</span>`).join(' ');
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
  const examples = examplePredicates(model.file, new Pushdown(model.footer));
  const buttons = examples
    .map((text) => `<button type="button" class="example">${escapeHtml(text)}</button>`)
    .join(' ');
  return `<p>Type a predicate. What a scan would skip is worked out here from the statistics of the footer, by the code
of <code>scan()</code> itself: the numbers are those of its <code>stats</code>.</p>
<noscript><p class="note">This part needs JavaScript.
<code>npx colkit query FILE PREDICATE --explain</code> tells the same.</p></noscript>
<form id="predicate-form"><label for="predicate">Predicate</label>
<textarea id="predicate" rows="2" spellcheck="false" autocomplete="off" autocapitalize="off"
aria-describedby="predicate-error predicate-stats">${escapeHtml(examples[0] ?? '')}</textarea></form>
${examples.length === 0 ? '' : `<p class="examples">For example: ${buttons}</p>`}
<p id="predicate-error" role="alert"></p>
<div id="predicate-stats" role="status" aria-live="polite"></div>
<h3 id="matches-title">Sampled rows that match</h3>
<p id="predicate-matches" role="status" aria-live="polite"></p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="matches-title" id="predicate-rows"></div>
<ol id="predicate-groups" aria-label="Row groups"></ol>
<p id="predicate-more" class="note"></p>`;
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
