// A predicate and the footer -> the pages that have to be looked at. Row groups and pages are left out only where their
// statistics prove that no row can match.
import { provesAllMatch, provesNoMatch, stretchOfRow } from '@colkit/table';
import type { BoundPredicate, ColumnStatistics, RowRange } from '@colkit/table';
import { rowsOfPage } from '../../layout/footer.ts';
import { columnStatistics } from './column-statistics.ts';
import { checkRows } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { PruneRecord } from './prune-record.ts';

/** The spans of rows [start, end) that may have matches. The blocks of the predicate's columns are loaded. */
export function* candidateSpans(
  file: StoredFile,
  predicate: BoundPredicate | null,
  { start, end }: RowRange,
  record: PruneRecord,
): Generator<Span, void, undefined> {
  checkRows({ kind: 'range', start, step: 1, count: end - start }, file.footer.rowCount);
  if (end <= start) return;
  for (
    let group = stretchOfRow(start, file.rowGroups);
    group < file.rowGroups.length && file.group(group).firstRow < end;
    group++
  ) {
    yield* candidatesOf(file, predicate, group, { start, end }, record);
  }
}

function* candidatesOf(
  file: StoredFile,
  predicate: BoundPredicate | null,
  group: number,
  { start, end }: RowRange,
  record: PruneRecord,
): Generator<Span, void, undefined> {
  const shape = file.group(group);
  const { firstRow, rowCount, pageRows } = shape;
  record.groups++;
  const ofGroup = predicate === null ? null : groupStatistics(file, predicate, group);
  const reason =
    predicate === null || ofGroup === null ? null : provesNoMatch(predicate, (column) => ofGroup.get(column) ?? null);
  if (reason !== null) {
    record.groupsSkipped++;
    record.reasons.push({ group, page: null, reason });
    return;
  }
  const [from, to] = [Math.max(start, firstRow) - firstRow, Math.min(end, firstRow + rowCount) - firstRow];
  record.scanned += to - from;
  const allSure =
    predicate === null || (ofGroup !== null && provesAllMatch(predicate, (column) => ofGroup.get(column) ?? null));
  for (let page = Math.floor(from / pageRows); page * pageRows < to; page++) {
    const pageStart = page * pageRows;
    const rows = rowsOfPage(shape, page);
    let sure = allSure;
    if (predicate !== null && rowCount > pageRows && !allSure) {
      const ofPage = pageStatistics(file, predicate, group, page, rows);
      const why = provesNoMatch(predicate, (column) => ofPage.get(column) ?? null);
      if (why !== null) {
        record.pagesSkipped++;
        record.reasons.push({ group, page, reason: why });
        continue;
      }
      sure = provesAllMatch(predicate, (column) => ofPage.get(column) ?? null);
    }
    const span = {
      group,
      page,
      start: Math.max(0, from - pageStart),
      end: Math.min(rows, to - pageStart),
      picks: null,
      to: 0,
      positions: null,
    };
    if (sure) record.sure.add(span);
    yield span;
  }
}

export function groupStatistics(
  file: StoredFile,
  predicate: BoundPredicate,
  group: number,
): ReadonlyMap<number, ColumnStatistics> {
  const { rowCount } = file.group(group);
  return new Map(
    predicate.columns.map((column) => [
      column,
      columnStatistics(file.column(column).type, file.chunk(column, group).entry.statistics, rowCount),
    ]),
  );
}

export function pageStatistics(
  file: StoredFile,
  predicate: BoundPredicate,
  group: number,
  page: number,
  rows: number,
): ReadonlyMap<number, ColumnStatistics> {
  const found = new Map<number, ColumnStatistics>();
  for (const column of predicate.columns) {
    const entry = file.chunk(column, group).entry.pages[page];
    if (entry !== undefined) found.set(column, columnStatistics(file.column(column).type, entry.statistics, rows));
  }
  return found;
}
