// Row group by row group what each column has: encoding, codec, sizes, minimum, maximum, and behind a fold why the
// encoding won, with the sizes of those that lost drawn to scale.
import { boundText } from '../show/bound-text.ts';
import type { Choice, InspectedChunk, InspectedColumn, InspectedPage, InspectedRowGroup } from 'columna';
import { encodingOf } from './picture.ts';
import { explained } from './glossary.ts';
import { bytesText, count, encodingClass, escapeHtml, share } from './markup.ts';
import type { PageModel } from './page-model.ts';

/** Pages of a chunk whose candidates are listed. */
const MOST_PAGES = 4;
/** Candidates of a page that are listed. */
const MOST_CANDIDATES = 8;

const UNEXPLAINED =
  '<p class="note">The choices of this row group were not worked out again: only the first row groups are.</p>';

export function chunkTables({ file, explained }: PageModel): string {
  return file.rowGroups.map((group) => groupTable(group, file.columns, group.rowGroup < explained)).join('\n');
}

function groupTable(group: InspectedRowGroup, columns: readonly InspectedColumn[], isExplained: boolean): string {
  const { rowGroup, firstRow, rowCount, pageRows, byteLength, chunks } = group;
  const pages = Math.ceil(rowCount / pageRows);
  const largest = chunks.reduce((most, { byteLength }) => Math.max(most, byteLength), 1);
  const rows = chunks
    .map((chunk, index) => chunkRow(chunk, index, columns[index] as InspectedColumn, group, largest))
    .join('\n');
  const heading =
    `Row group ${rowGroup} <small>rows ${count(firstRow)} to ${count(firstRow + rowCount)}, ` +
    `${pages === 1 ? 'one page a column' : `${count(pages)} pages a column`}, ${bytesText(byteLength)}</small>`;
  return `<details class="group-table" id="g${rowGroup}"${rowGroup === 0 ? ' open' : ''}><summary>${heading}</summary>
<table class="chunks"><caption class="hidden">Columns of row group ${rowGroup}</caption>
<thead><tr><th scope="col">Column</th><th scope="col">Encoding</th><th scope="col">Codec</th>
<th scope="col" class="n">Bytes</th><th scope="col">Minimum</th><th scope="col">Maximum</th>
<th scope="col" class="n">Nulls</th></tr></thead>
<tbody>
${rows}
</tbody></table>${isExplained ? '' : UNEXPLAINED}
</details>`;
}

function chunkRow(
  chunk: InspectedChunk,
  index: number,
  column: InspectedColumn,
  { rowGroup }: InspectedRowGroup,
  largest: number,
): string {
  const { min, max, nullCount } = chunk.statistics;
  const colour = encodingClass(encodingOf(chunk));
  const part = share(chunk.byteLength, largest);
  return `<tr id="c${rowGroup}-${index}" tabindex="-1">
<th scope="row"><span class="name">${escapeHtml(column.name)}</span> <small>${column.type}</small></th>
<td data-label="Encoding" title="${escapeHtml(explained(meaning(chunk)))}"><i
class="swatch ${colour}"></i><code>${escapeHtml(encodings(chunk))}</code></td>
<td data-label="Codec">${escapeHtml(codecs(chunk))}</td>
<td data-label="Bytes" class="n">${count(chunk.byteLength)}<span class="size" aria-hidden="true"><i class="${colour}"
style="width:${part}"></i></span></td>
<td data-label="Minimum">${escapeHtml(boundText(column, min))}</td>
<td data-label="Maximum">${escapeHtml(boundText(column, max))}</td>
<td data-label="Nulls" class="n">${count(nullCount)}</td></tr>
<tr class="why"><td colspan="7">${why(chunk)}</td></tr>`;
}

/** What the names of its encodings are explained by. */
function meaning(chunk: InspectedChunk): string {
  return chunk.codesOf === null ? encodings(chunk) : 'CODES, JOINT DICTIONARY';
}

function codecs({ pages, dictionary }: InspectedChunk): string {
  const names = new Set([...pages, ...(dictionary === null ? [] : [dictionary])].map(({ codec }) => codec));
  return [...names].join(', ');
}

function encodings(chunk: InspectedChunk): string {
  if (chunk.codesOf !== null) return `codes of ${chunk.codesOf}`;
  return [...new Set(chunk.pages.map((page) => pageEncoding(page)))].join(', ');
}

function pageEncoding({ valueCount, choice, encoding }: InspectedPage): string {
  return valueCount === 0 ? 'nulls only' : (choice?.encoding ?? encoding);
}

function why(chunk: InspectedChunk): string {
  const { whyJoint, pages, codesOf } = chunk;
  const choices = pages.flatMap(({ choice }, page) =>
    choice === null || choice === undefined ? [] : [{ page, choice }],
  );
  if (codesOf !== null) return escapeHtml(whyJoint ?? `its rows are codes of ${codesOf}`);
  const first = choices[0];
  if (first === undefined) return pages.every(({ valueCount }) => valueCount === 0) ? 'nothing but nulls' : '';
  const lists = choices
    .slice(0, MOST_PAGES)
    .map(({ page, choice }) => candidateList(choice, pages.length > 1 ? page : null))
    .join('');
  const left = choices.length - MOST_PAGES;
  return (
    `<details><summary>${escapeHtml(whyJoint ?? first.choice.why)}</summary>${lists}` +
    `${left > 0 ? `<p class="note">${count(left)} more pages.</p>` : ''}</details>`
  );
}

function candidateList({ encoding, candidates, why: reason }: Choice, page: number | null): string {
  const largest = candidates.reduce((most, { bytes }) => Math.max(most, bytes), 1);
  const items = candidates.slice(0, MOST_CANDIDATES).map((candidate) => {
    const won = candidate.encoding === encoding;
    return (
      `<li${won ? ' class="won"' : ''}><code>${escapeHtml(candidate.encoding)}</code><span ` +
      `class="n">${candidate.estimated ? '≈ ' : ''}${count(candidate.bytes)}</span><span class="size" ` +
      `aria-hidden="true"><i class="${encodingClass(candidate.encoding)}" ` +
      `style="width:${share(candidate.bytes, largest)}"></i></span>${won ? '<em>kept</em>' : '<em></em>'}</li>`
    );
  });
  return (
    `${page === null ? '' : `<p class="page">Page ${page}: ${escapeHtml(reason)}</p>`}<ul class="candidates" ` +
    `aria-label="Bytes of every encoding that was sized">${items.join('')}</ul>`
  );
}
