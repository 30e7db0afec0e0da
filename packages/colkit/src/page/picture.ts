// The byte layout as a picture to scale: the whole file as one strip, and every listed row group as a bar of its chunks
// and pages, all bars on one scale. Elements with widths in percent, so that text stays readable at any width.
import type { InspectedChunk, InspectedFile, InspectedRowGroup } from 'columna';
import { bytesText, count, encodingClass, escapeHtml, share } from './markup.ts';

/** A segment narrower than this share of its bar has no label. */
const LEAST_LABELLED = 0.055;
/** Segments that are narrower than this together become one. */
const LEAST_DRAWN = 0.0012;
/** Pages of a chunk that are drawn one by one. */
const MOST_PAGES = 64;

export function picture(file: InspectedFile): string {
  const largest = file.rowGroups.reduce((most, { byteLength }) => Math.max(most, byteLength), 1);
  const bars = file.rowGroups.map((group) => barOf(group, largest, file)).join('\n');
  return `<figure class="picture" aria-labelledby="picture-caption">
<figcaption id="picture-caption">Every byte of the file, to scale.
Arrow keys walk the segments, Enter goes to a chunk's row.</figcaption>
<p class="scale">The file, ${bytesText(file.byteLength)}</p>
<div class="strip">${strip(file)}</div>
<p class="scale">Row groups, all on one scale; the longest is ${bytesText(largest)}</p>
<div class="bars" id="bars">
${bars}
</div>
<p class="legend">${legend(file)}</p>
<output id="segment-info" aria-live="polite"></output>
</figure>`;
}

/** Row groups, listed or not, and the footer. What is between them are older footers and padding. */
function strip(file: InspectedFile): string {
  const listed = file.rowGroups
    .map(
      ({ rowGroup, byteLength }) =>
        `<span class="part group" data-group="${rowGroup}" style="width:${share(byteLength, file.byteLength)}" ` +
        `title="row group ${rowGroup}: ${count(byteLength)} ` +
        `bytes">${byteLength / file.byteLength > LEAST_LABELLED ? String(rowGroup) : ''}</span>`,
    )
    .join('');
  const last = file.rowGroups.at(-1);
  const end = last === undefined ? 4 : last.byteOffset + last.byteLength;
  const rest = file.footer.byteOffset - end;
  const others =
    rest <= 0
      ? ''
      : `<span class="part unlisted" style="width:${share(rest, file.byteLength)}" ` +
        `title="${count(file.rowGroupCount - file.rowGroups.length)} more row groups: ${count(rest)} ` +
        `bytes">${rest / file.byteLength > 0.2 ? `${count(file.rowGroupCount - file.rowGroups.length)} more` : ''}` +
        '</span>';
  const { byteLength } = file.footer;
  return (
    `<span class="part magic" style="width:${share(4, file.byteLength)}" title="the file starts with ` +
    `CNA1"></span>${listed}${others}<span class="part footer" ` +
    `style="width:${share(byteLength, file.byteLength)}" title="footer: ${count(byteLength)} ` +
    `bytes">${byteLength / file.byteLength > 0.1 ? 'footer' : ''}</span>`
  );
}

function barOf(group: InspectedRowGroup, largest: number, file: InspectedFile): string {
  const { rowGroup, byteLength, chunks } = group;
  const segments: string[] = [];
  let small: { bytes: number; count: number } = { bytes: 0, count: 0 };
  const flush = () => {
    if (small.count > 0)
      segments.push(
        `<span class="seg merged" style="width:${share(small.bytes, byteLength)}" title="${small.count} columns: ` +
          `${count(small.bytes)} bytes"></span>`,
      );
    small = { bytes: 0, count: 0 };
  };
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.byteLength / byteLength < LEAST_DRAWN && chunks.length > 30) {
      small = { bytes: small.bytes + chunk.byteLength, count: small.count + 1 };
      continue;
    }
    flush();
    segments.push(segment(chunk, index, group));
  }
  flush();
  const described = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const rest = byteLength - described;
  const more = file.columnCount - chunks.length;
  if (rest > 0)
    segments.push(
      `<span class="seg unlisted" style="width:${share(rest, byteLength)}" ` +
        `title="${more > 0 ? `${count(more)} more columns: ` : 'older footers and padding: '}${count(rest)} ` +
        `bytes">${more > 0 && rest / byteLength > 0.2 ? `${count(more)} more columns` : ''}</span>`,
    );
  return (
    `<div class="row" data-group="${rowGroup}"><span class="label">${rowGroup}</span><div class="track"><div ` +
    `class="bar" style="width:${share(byteLength, largest)}">${segments.join('')}</div></div></div>`
  );
}

function segment(chunk: InspectedChunk, index: number, { rowGroup, byteLength }: InspectedRowGroup): string {
  const encoding = encodingOf(chunk);
  const title =
    `${chunk.column}, row group ${rowGroup}: ${encoding}, ${count(chunk.byteLength)} bytes at ` +
    count(chunk.byteOffset);
  const label = chunk.byteLength / byteLength > LEAST_LABELLED ? escapeHtml(chunk.column) : '';
  const dictionary =
    chunk.dictionary === null
      ? ''
      : `<i class="dict" style="width:${share(chunk.dictionary.byteLength, chunk.byteLength)}"></i>`;
  const pages =
    chunk.pages.length < 2 || chunk.pages.length > MOST_PAGES
      ? ''
      : chunk.pages
          .map(
            (page, number) => `<i data-page="${number}" style="width:${share(page.byteLength, chunk.byteLength)}"></i>`,
          )
          .join('');
  return (
    `<a class="seg ${encodingClass(encoding)}" href="#c${rowGroup}-${index}" tabindex="-1" ` +
    `style="width:${share(chunk.byteLength, byteLength)}" ` +
    `title="${escapeHtml(title)}">${dictionary}${pages}<b>${label}</b></a>`
  );
}

/** The encoding that colours a chunk: of most of its bytes. */
export function encodingOf({ pages, codesOf }: InspectedChunk): string {
  if (codesOf !== null) return 'DICTIONARY';
  const sums = new Map<string, number>();
  for (const { encoding, byteLength, valueCount } of pages) {
    const name = valueCount === 0 ? 'nulls' : encoding;
    sums.set(name, (sums.get(name) ?? 0) + byteLength);
  }
  return [...sums].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'PLAIN';
}

function legend(file: InspectedFile): string {
  const names = [...new Set(file.rowGroups.flatMap(({ chunks }) => chunks.map(encodingOf)))].sort();
  const entries = names.map((name) => `<span><i class="swatch ${encodingClass(name)}"></i>${escapeHtml(name)}</span>`);
  const hasDictionary = file.rowGroups.some(({ chunks }) => chunks.some(({ dictionary }) => dictionary !== null));
  return [
    ...entries,
    ...(hasDictionary ? ['<span><i class="swatch dict"></i>dictionary page</span>'] : []),
    '<span><i class="swatch footer"></i>footer</span>',
  ].join(' ');
}
