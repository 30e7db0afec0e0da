// A predicate of the table layer -> the numbers of the rows that match, and in words what would be read for that.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { allRows, provesAllMatch } from '@colkit/table';
import type { BoundPredicate, RowRange, Rows } from '@colkit/table';
import { KeptPages } from '../file/kept-pages.ts';
import { isForAddon } from './filter-jobs.ts';
import { newRecord } from './prune-record.ts';
import { candidateSpans, groupStatistics } from './prune.ts';
import type { PruneRecord } from './prune-record.ts';
import { scanPages } from './scan-pages.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';

/**
 * The rows of `rows` that match, ascending: a range where they follow each other, else their numbers. Where pages
 * are decoded for that, those with matches are kept for the read that usually follows.
 */
export function* filterRows(
  file: StoredFile,
  predicate: BoundPredicate,
  rows: RowRange,
  limit: number,
  record: PruneRecord,
): Work<Rows> {
  const session = file.borrow();
  const found = new RowNumbers(file.footer.rowCount);
  // The addon finds rows without pages that others could use, and sooner than those would be decoded.
  const kept = isForAddon(file, predicate) ? null : new KeptPages();
  session.kept = kept;
  const done = Number.isFinite(limit) ? { done: () => found.count >= limit } : {};
  try {
    yield* scanPages(file, session, { predicate, rows, columns: [], ...done }, record, (fetched, spans) => {
      if (kept !== null) fetched.lend(predicate.columns, spans, kept);
      return found.addAll(file, spans);
    });
  } finally {
    file.giveBack(session);
  }
  if (kept !== null) {
    kept.dropHeld();
    file.keptPages = kept;
  }
  return found.finish();
}

/** Row numbers that grow in number; while they follow each other, no list is kept. */
class RowNumbers {
  readonly #rowCount: number;
  #rows: Uint32Array | Float64Array;
  #start = 0;
  count = 0;
  #isRange = true;

  constructor(rowCount: number) {
    this.#rowCount = rowCount;
    this.#rows = rowCount <= 2 ** 32 ? new Uint32Array(0) : new Float64Array(0);
  }

  *addAll(file: StoredFile, spans: readonly Span[]): Work<void> {
    for (const { group, page, start, end, picks } of spans) {
      const { firstRow, pageRows } = file.group(group);
      this.add(firstRow + page * pageRows, start, end, picks);
    }
    yield TURN;
  }

  add(pageStart: number, start: number, end: number, picks: Uint32Array | null): void {
    const count = picks === null ? end - start : picks.length;
    const first = pageStart + (picks === null ? start : (picks[0] as number));
    if (this.#isRange && picks === null && (this.count === 0 || this.#start + this.count === first)) {
      if (this.count === 0) this.#start = first;
      this.count += count;
      return;
    }
    this.#spell(count);
    const rows = this.#rows;
    for (let i = 0, at = this.count; i < count; i++, at++)
      rows[at] = pageStart + (picks === null ? start + i : (picks[i] as number));
    this.count += count;
  }

  finish(): Rows {
    if (this.#isRange)
      return { kind: 'range', rowCount: this.#rowCount, start: this.#start, step: 1, count: this.count };
    return { kind: 'take', base: allRows(this.#rowCount), indices: this.#rows.subarray(0, this.count) };
  }

  /** Makes the range a list and room for more. */
  #spell(more: number): void {
    const needed = this.count + more;
    if (needed > this.#rows.length) {
      const size = Math.max(needed, 2 * this.#rows.length, 1024);
      const longer = this.#rows instanceof Uint32Array ? new Uint32Array(size) : new Float64Array(size);
      longer.set(this.#rows);
      this.#rows = longer;
    }
    if (this.#isRange) for (let i = 0; i < this.count; i++) this.#rows[i] = this.#start + i;
    this.#isRange = false;
  }
}

/**
 * One line a row group: whether it is skipped, and why, or which of its pages are. Reads the footer's column blocks at
 * most.
 */
export function* explainFilter(file: StoredFile, predicate: BoundPredicate, rows: RowRange): Work<readonly string[]> {
  yield* file.loadBlocks(predicate.columns);
  const record = newRecord();
  const kept = new Map<number, number>();
  for (const { group, start, end, ...span } of candidateSpans(file, predicate, rows, record))
    kept.set(group, (kept.get(group) ?? 0) + spanCount({ ...span, group, start, end }));
  const skippedPages = new Map<number, { readonly page: number | null; readonly reason: string }[]>();
  for (const { group, page, reason } of record.reasons) {
    const list = skippedPages.get(group) ?? [];
    list.push({ page, reason });
    skippedPages.set(group, list);
  }
  const lines = [
    `${file.path}: where ${predicate.text}`,
    `row groups: ${record.groups}, skipped ${record.groupsSkipped}; pages skipped in the others: ` +
      `${record.pagesSkipped}`,
  ];
  for (const group of [...new Set([...kept.keys(), ...skippedPages.keys()])].sort((a, b) => a - b)) {
    const skipped = skippedPages.get(group) ?? [];
    const { firstRow, rowCount } = file.group(group);
    const where = `row group ${group} (rows ${firstRow} to ${firstRow + rowCount})`;
    const whole = skipped.find(({ page }) => page === null);
    if (whole !== undefined) {
      lines.push(`${where}: skipped, ${whole.reason}`);
      continue;
    }
    lines.push(
      `${where}: read, ${kept.get(group) ?? 0} ` +
        `rows${isSure(file, predicate, group) ? ', all of which match by their statistics' : ''}`,
    );
    for (const { page, reason } of skipped) lines.push(`  page ${page ?? 0}: skipped, ${reason}`);
  }
  return lines;
}

function isSure(file: StoredFile, predicate: BoundPredicate, group: number): boolean {
  const statistics = groupStatistics(file, predicate, group);
  return provesAllMatch(predicate, (column) => statistics.get(column) ?? null);
}
