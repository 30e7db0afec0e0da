// The parts of a page -> one document that needs nothing else: no network, no fonts, no images. Works without its
// script, but for the live predicate.
import { Pushdown } from 'columna/inspect';
import { chunkTables } from './chunk-tables.ts';
import { examplePredicates } from './examples.ts';
import { bytesText, count, escapeHtml, scriptJson } from './markup.ts';
import type { PageModel } from './page-model.ts';
import { picture } from './picture.ts';
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
<a href="#pushdown">Pushdown</a> <a href="#encodings">Encodings</a> <a href="#first-rows">First rows</a></nav>
<main>
<section id="layout" aria-labelledby="layout-title"><h2 id="layout-title">Layout</h2>
${picture(file)}${omissions(model)}
</section>
<section id="pushdown" aria-labelledby="pushdown-title"><h2 id="pushdown-title">Pushdown</h2>
${pushdown(model)}
</section>
<section id="encodings" aria-labelledby="encodings-title"><h2 id="encodings-title">Encodings</h2>
<p>The writer sizes every encoding that applies to a page, children included, and keeps the fewest bytes; what
decodes slowly must earn it. The file does not store what lost: those sizes were worked out again from the values,
before DEFLATE.</p>
${chunkTables(model)}
</section>
<section id="first-rows" aria-labelledby="rows-title"><h2 id="rows-title">First rows</h2>
${firstRows(model)}
</section>
</main>
<script type="application/json" id="embedded-footer">${scriptJson(model.footer)}</script>
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
    ...Object.entries(metadata).map(([key, value]) => `${escapeHtml(key)}: ${escapeHtml(value)}`),
  ];
  return list.map((fact) => `<span>${fact}</span>`).join(' ');
}

function counted(value: number, noun: string): string {
  return `<b>${count(value)}</b> ${noun}${value === 1 ? '' : 's'}`;
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
<ol id="predicate-groups" aria-label="Row groups"></ol>
<p id="predicate-more" class="note"></p>`;
}

function firstRows({ firstRows: { names, numeric, rows }, file }: PageModel): string {
  if (names.length === 0 || rows.length === 0) return '<p>The table has no rows.</p>';
  const side = (index: number) => (numeric[index] === true ? ' class="n"' : '');
  const head = names.map((name, index) => `<th scope="col"${side(index)}>${escapeHtml(name)}</th>`).join('');
  const cellOf = (cell: string, index: number): string => {
    const look = cell === 'null' ? ` class="null${numeric[index] === true ? ' n' : ''}"` : side(index);
    return `<td${look}>${escapeHtml(unquoted(cell))}</td>`;
  };
  const body = rows.map((row) => `<tr>${row.map(cellOf).join('')}</tr>`).join('\n');
  const left = file.columnCount - names.length;
  return `<div class="scroll" role="region" tabindex="0" aria-label="First rows">
<table><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>${left > 0 ? `<p class="note">${count(left)} more columns.</p>` : ''}`;
}

/** Texts without their quotes, unless that would make something else of them. */
function unquoted(cell: string): string {
  return /^"[^"\\]+"$/.test(cell) && cell !== '"null"' ? cell.slice(1, -1) : cell;
}
