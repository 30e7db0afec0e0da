// What the sampled values of each column are: a histogram of numbers, the most frequent of texts. Drawn as SVG in the
// page, without a script.
import { count, counted, escapeHtml } from '../markup.ts';
import type { ColumnSummary, Histogram, TopValues } from './summary.ts';

const BIN_WIDTH = 8;
const HEIGHT = 32;

/** What the section calls rows, columns and nulls. */
export interface ValueWords {
  readonly one: string;
  readonly column: string;
  readonly missing: string;
}

const ROWS: ValueWords = { one: 'row', column: 'Column', missing: 'Nulls' };

export function valuesSection(
  summaries: readonly ColumnSummary[],
  sampled: number,
  rowCount: number,
  columnCount: number,
  words: ValueWords = ROWS,
): string {
  const { one, column, missing } = words;
  if (summaries.length === 0 || sampled === 0) return `<p>There are no ${one}s.</p>`;
  const of = sampled === rowCount ? `all ${counted(rowCount, one)}` : `${count(sampled)} of ${count(rowCount)} ${one}s`;
  const left = columnCount - summaries.length;
  return `<p>Of ${of}${sampled === rowCount ? '' : ', in runs from the first to the last'}.</p>
<div class="scroll" role="region" tabindex="0" aria-label="Values of each column">
<table class="values"><thead><tr><th scope="col">${column}</th><th scope="col">Values</th>
<th scope="col" class="n">${missing}</th></tr></thead><tbody>
${summaries.map(rowOf).join('\n')}
</tbody></table></div>${left > 0 ? `<p class="note">${count(left)} more.</p>` : ''}`;
}

function rowOf({ name, dtype, rows, nulls, nans, drawn }: ColumnSummary): string {
  const picture =
    drawn === null
      ? '<span class="null">no value</span>'
      : drawn.kind === 'histogram'
        ? histogram(drawn, name)
        : topValues(drawn, rows);
  const odd = nans === 0 ? '' : `<small>${counted(nans, 'row')} NaN or not-a-time</small>`;
  return (
    `<tr><th scope="row"><span class="name">${escapeHtml(name)}</span> <small>${escapeHtml(dtype)}</small></th>` +
    `<td>${picture}${odd}</td><td class="n">${count(nulls)}</td></tr>`
  );
}

function histogram({ bins, low, high }: Histogram, name: string): string {
  const most = bins.reduce((largest, value) => Math.max(largest, value), 1);
  const bars = bins.map((value, bin) => {
    const height = value === 0 ? 0 : Math.max(1, Math.round((HEIGHT * value) / most));
    return `<rect x="${bin * BIN_WIDTH}" y="${HEIGHT - height}" width="${BIN_WIDTH - 1}" height="${height}"/>`;
  });
  const label = `Histogram of ${name} from ${low} to ${high}: ${bins.join(', ')} rows`;
  return (
    `<figure class="histogram"><svg role="img" aria-label="${escapeHtml(label)}" width="${bins.length * BIN_WIDTH}" ` +
    `height="${HEIGHT}" viewBox="0 0 ${bins.length * BIN_WIDTH} ${HEIGHT}">${bars.join('')}</svg>` +
    `<figcaption><span>${escapeHtml(low)}</span><span>${escapeHtml(high)}</span></figcaption></figure>`
  );
}

function topValues({ values, distinct }: TopValues, rows: number): string {
  const items = values.map(
    ({ text, count: found }) =>
      `<li><code>${escapeHtml(text)}</code> <span class="n">${count(found)}</span><span class="size" ` +
      `aria-hidden="true"><i class="e-bitpack" style="width:${((100 * found) / rows).toFixed(2)}%"></i></span></li>`,
  );
  const more = distinct - values.length;
  return (
    `<ul class="top" aria-label="Most frequent values">${items.join('')}</ul>` +
    (more > 0 ? `<small>and ${count(more)} others</small>` : '')
  );
}
