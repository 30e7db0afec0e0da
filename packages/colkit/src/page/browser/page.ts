// Wires a page: the predicate that is typed to what would be skipped, shown as numbers, as a list and in the picture;
// and the arrow keys to the segments of the picture.
import { Pushdown } from 'columna/inspect';
import type { GroupOutcome, PushdownFooter, PushdownOutcome } from 'columna/inspect';
import type { EmbeddedSample } from '../values/embedded-sample.ts';
import { showMatches } from './matches.ts';
import { SampledRows } from './sample.ts';
import { walkSegments } from './segments.ts';

/** Row groups that are listed; the numbers are of all. */
const MOST_LISTED = 200;
/** Pages of a row group whose reason is told. */
const MOST_REASONS = 3;

function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/** What the page carries under that id; null where its format has none of it. */
function carried(id: string): unknown {
  const found = document.getElementById(id);
  return found === null ? null : (JSON.parse(found.textContent) as unknown);
}

const footer = carried('embedded-footer') as PushdownFooter | null;
const pushdown = footer === null ? null : new Pushdown(footer);
const sample = carried('embedded-sample') as EmbeddedSample | null;

/** Pages of items have no predicate. */
if (sample !== null) wire(new SampledRows(sample), element('predicate', HTMLTextAreaElement));

function wire(sampled: SampledRows, input: HTMLTextAreaElement): void {
  const show = (): void => judge(sampled, input);
  input.addEventListener('input', show);
  element('predicate-form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.example')) {
    button.addEventListener('click', () => {
      input.value = button.textContent;
      input.focus();
      show();
    });
  }
  show();
}

function judge(sampled: SampledRows, input: HTMLTextAreaElement): void {
  const outcome = pushdown === null ? sampled.check(input.value) : pushdown.evaluate(input.value);
  const error = element('predicate-error', HTMLElement);
  const isError = outcome?.kind === 'error';
  input.setAttribute('aria-invalid', String(isError));
  document.body.classList.toggle('has-error', isError);
  if (isError) {
    error.textContent =
      outcome.position === null ? outcome.message : `${outcome.message}\n${pointer(input.value, outcome.position)}`;
    return;
  }
  error.textContent = '';
  if (outcome !== null) {
    showStats(outcome);
    showGroups(outcome.groups);
    mark(outcome.groups);
  }
  showMatches(sampled, input.value, element('predicate-matches', HTMLElement), element('predicate-rows', HTMLElement));
}

/** The line of the text with the character, and a caret below it. */
function pointer(text: string, position: number): string {
  const start = text.lastIndexOf('\n', Math.max(0, position - 1)) + 1;
  const end = text.indexOf('\n', position);
  return `${text.slice(start, end === -1 ? undefined : end)}\n${' '.repeat(Math.max(0, position - start))}^`;
}

function showStats({ stats }: Extract<PushdownOutcome, { kind: 'outcome' }>): void {
  const figures: readonly (readonly [string, string, string])[] = [
    ['groupsSkipped', `${count(stats.groupsSkipped)} of ${count(stats.groups)}`, 'row groups skipped'],
    ['pagesSkipped', count(stats.pagesSkipped), 'pages skipped in the others'],
    ['scanned', count(stats.scanned), 'rows in row groups that are read'],
  ];
  const box = element('predicate-stats', HTMLElement);
  box.dataset['stats'] = JSON.stringify(stats);
  box.replaceChildren(
    ...figures.map(([name, figure, label]) => {
      const item = document.createElement('div');
      item.dataset['name'] = name;
      const number = document.createElement('b');
      number.textContent = figure;
      item.append(number, label);
      return item;
    }),
  );
}

function showGroups(groups: readonly GroupOutcome[]): void {
  element('predicate-groups', HTMLElement).replaceChildren(
    ...groups.slice(0, MOST_LISTED).map(({ group, skipped, skippedPages, pageCount, rowsLeft }) => {
      const item = document.createElement('li');
      item.className = skipped === null ? 'read' : 'skipped';
      if (skipped !== null) item.textContent = `Row group ${group}: skipped, ${skipped}`;
      else {
        item.textContent = `Row group ${group}: ${count(rowsLeft)} rows to look at`;
        if (skippedPages.length > 0) {
          const pages = document.createElement('span');
          pages.className = 'pages';
          const reasons = [...new Set(skippedPages.map(({ reason }) => reason))].slice(0, MOST_REASONS);
          pages.textContent =
            `${count(skippedPages.length)} of ${count(pageCount)} pages skipped: ` +
            `${reasons.join('; ')}${skippedPages.length > reasons.length ? '; …' : ''}`;
          item.append(pages);
        }
      }
      return item;
    }),
  );
  const left = groups.length - MOST_LISTED;
  element('predicate-more', HTMLElement).textContent =
    left > 0 ? `${count(left)} more row groups are counted above and not listed.` : '';
}

/** Greys out in the picture what is skipped. */
function mark(groups: readonly GroupOutcome[]): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-group]')) {
    const outcome = groups[Number(part.dataset['group'])];
    part.classList.toggle('skipped', outcome?.skipped !== null);
    const pages = new Set(outcome?.skippedPages.map(({ page }) => page));
    for (const page of part.querySelectorAll<HTMLElement>('[data-page]'))
      page.classList.toggle('skipped', pages.has(Number(page.dataset['page'])));
  }
}

function count(value: number): string {
  return value.toLocaleString('en');
}

const bars = document.getElementById('bars');
if (bars !== null) walkSegments(bars, element('segment-info', HTMLElement));
