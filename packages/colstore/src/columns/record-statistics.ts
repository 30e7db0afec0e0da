// What the statistics footer says of the records of a file -> what of a plan is left to be read: records in which
// nothing can match are passed over, and extremes that it tells are not looked for. It tells no more than that: where
// it is missing, damaged or impossible, everything is read.
import type { Aggregation, Answer, ColumnRef, ColumnStatistics, Plan, RowRange, Running, Want } from '@colkit/table';
import { allRows, provesAllMatch, provesNoMatch } from '@colkit/table';
import type { FileLayout } from '../layout/read-layout.ts';
import type { Statistics } from '../layout/statistics-footer.ts';

/** Records that are named one by one. */
const SHOWN_RECORDS = 100;

/** Consecutive rows that are treated alike. */
interface Part extends RowRange {
  /** Whether all of them match. */
  readonly isSure: boolean;
  /** Who has to see their values, of aggregates. */
  readonly left: readonly Running<ColumnRef>[] | null;
}

/** @param range the rows of the plan. */
export function planByStatistics(layout: FileLayout, statistics: Statistics, plan: Plan, range: RowRange): Answer {
  const { where, want } = plan;
  const aggregation = want.kind === 'aggregates' && want.aggregation.by.length === 0 ? want.aggregation : null;
  const parts: Part[] = [];
  const lines: string[] = [];
  let [records, skipped] = [0, 0];
  for (const record of recordsOf(layout, range)) {
    records += 1;
    const statisticsOf = (column: number): ColumnStatistics | null =>
      recordStatistics(statistics, column, record.number, record.rowCount);
    const reason = where === null ? null : provesNoMatch(where, statisticsOf);
    if (reason !== null) {
      skipped += 1;
      if (lines.length < SHOWN_RECORDS) lines.push(`${textOf(record)}: skipped, ${reason}`);
      continue;
    }
    const isSure = where === null || provesAllMatch(where, statisticsOf);
    if (lines.length < SHOWN_RECORDS)
      lines.push(`${textOf(record)}: read${isSure ? ', all of its rows match by its statistics' : ''}`);
    const left = isSure && aggregation !== null ? unknown(aggregation, record, statisticsOf) : null;
    if (left?.length !== 0) addPart(parts, { start: record.start, end: record.end, isSure, left });
  }
  if (want.kind === 'explanation') {
    const more = records > lines.length ? [`${String(records - lines.length)} more records`] : [];
    const head = `records: ${String(records)}, skipped by their statistics: ${String(skipped)}`;
    return { kind: 'explanation', lines: [head, ...lines, ...more] };
  }
  return { kind: 'rest', plans: parts.map((part) => planOf(plan, part, layout.rowCount)) };
}

/** Rows of a record, of which it has `rowCount`. */
interface RecordRows extends RowRange {
  readonly number: number;
  readonly rowCount: number;
}

function* recordsOf({ rowStarts }: FileLayout, { start, end }: RowRange): Generator<RecordRows, void, undefined> {
  for (let number = 0; number + 1 < rowStarts.length; number += 1) {
    const [first, last] = [rowStarts[number] ?? 0, rowStarts[number + 1] ?? 0];
    const [from, to] = [Math.max(first, start), Math.min(last, end)];
    if (from < to) yield { number, rowCount: last - first, start: from, end: to };
  }
}

function textOf({ number, start, end }: RecordRows): string {
  return `record ${String(number)} (rows ${String(start)} to ${String(end)})`;
}

/** Who has to see the values of a record all rows of which match; the others take them by their statistics. */
function unknown(
  aggregation: Aggregation<ColumnRef>,
  { start, end, rowCount }: RecordRows,
  statisticsOf: (column: number) => ColumnStatistics | null,
): readonly Running<ColumnRef>[] {
  return aggregation.know(end - start, end - start === rowCount, ({ number }) => statisticsOf(number));
}

/** Neighbours that are treated alike are read as one. */
function addPart(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  const isAlike =
    last?.end === part.start &&
    last.isSure === part.isSure &&
    last.left?.length === part.left?.length &&
    (part.left ?? []).every((running, index) => running === last.left?.[index]);
  if (isAlike) parts[parts.length - 1] = { ...last, end: part.end };
  else parts.push(part);
}

function planOf(plan: Plan, { start, end, isSure, left }: Part, rowCount: number): Plan {
  const rows = { ...allRows(rowCount), start, count: end - start } as const;
  const { want } = plan;
  const rest: Want =
    left === null || want.kind !== 'aggregates'
      ? want
      : { kind: 'aggregates', aggregation: want.aggregation.only(left) };
  return { ...plan, rows, where: isSure ? null : plan.where, want: rest };
}

/** Null where nothing is known, or what is said cannot be. */
export function recordStatistics(
  statistics: Statistics,
  column: number,
  record: number,
  rowCount: number,
): ColumnStatistics | null {
  const found = statistics[column]?.[record] ?? null;
  // A record with NaN or NaT has none.
  return found === null || !(found.min <= found.max)
    ? null
    : { rowCount, nullCount: 0, nanCount: 0, min: found.min, max: found.max, minExact: true, maxExact: true };
}
