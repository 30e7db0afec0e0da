// The rows of the sample that match a predicate, as a sentence and a table of the first of them.
import { isColkitError } from '@colkit/io';
import { visible } from '../markup.ts';
import type { SampledRows } from './sample.ts';

const MOST_SHOWN = 10;

export function showMatches(sample: SampledRows, text: string, sentence: HTMLElement, table: HTMLElement): void {
  let places: readonly number[];
  try {
    places = sample.matching(text);
  } catch (error) {
    if (!isColkitError(error)) throw error;
    // Of the whole file it is a predicate: what it names is not in the sample.
    sentence.textContent = `Not run on the sample, which has not all columns: ${error.message}`;
    table.replaceChildren();
    return;
  }
  sentence.dataset['matches'] = String(places.length);
  const share = sample.rowCount === 0 ? 0 : (100 * places.length) / sample.rowCount;
  const most = places.length > MOST_SHOWN ? `; the first ${String(MOST_SHOWN)} of them:` : places.length > 0 ? ':' : '';
  sentence.textContent =
    `${places.length.toLocaleString('en')} of ${sample.rowCount.toLocaleString('en')} sampled rows ` +
    `(${share.toLocaleString('en', { maximumFractionDigits: 1 })} %)${most}`;
  table.replaceChildren(...(places.length === 0 ? [] : [tableOf(sample, places.slice(0, MOST_SHOWN))]));
}

function tableOf(sample: SampledRows, places: readonly number[]): HTMLElement {
  const table = document.createElement('table');
  table.createTHead().append(rowOf('th', ['row', ...sample.names]));
  const body = table.createTBody();
  for (const place of places) {
    const { number, cells } = sample.row(place);
    body.append(rowOf('td', [number.toLocaleString('en'), ...cells]));
  }
  return table;
}

function rowOf(kind: 'th' | 'td', texts: readonly string[]): HTMLElement {
  const row = document.createElement('tr');
  for (const text of texts) {
    const cell = document.createElement(kind);
    cell.textContent = visible(text);
    if (kind === 'td' && text === 'null') cell.className = 'null';
    row.append(cell);
  }
  return row;
}
