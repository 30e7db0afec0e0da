// What the statistics footer says of the records of a file -> what of a plan is left to be read: records in which
// nothing can match are passed over, and extremes that it tells are not looked for. It tells no more than that: where
// it is missing, damaged or impossible, everything is read.
import type { Aggregation, Answer, ColumnRef, ColumnStatistics, Plan, RowRange, Running, Want } from '@colkit/table';
import { allRows, provesAllMatch, provesNoMatch } from '@colkit/table';
import type { FileLayout } from '../layout/read-layout.ts';
import type { Statistics } from '../layout/statistics-footer.ts';

/** Records that are named one by one. */
const SHOWN_RECORDS = 100;

/**
 * From so many stretches on, short ones are looked at with their neighbours: to plan and read each of them takes as
 * long as to look at so many rows.
 */
const MOST_STRETCHES = 256;
const SHORT_ROWS = 4096;

/** Consecutive rows of which statistics tell the same: that all of them match, or nothing. */
interface Stretch extends RowRange {
  /** The number of its first record. */
  readonly record: number;
  readonly isSure: boolean;
}

/** To be added to, which takes no memory for each record. */
type GrowingStretch = Omit<Stretch, 'end'> & { end: number };

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
  const statisticsOf =
    (record: RecordRows) =>
    (column: number): ColumnStatistics | null =>
      recordStatistics(statistics, column, record.number, record.rowCount);
  const stretches: GrowingStretch[] = [];
  const lines: string[] = [];
  let [records, skipped, sureRows] = [0, 0, 0];
  for (const record of recordsOf(layout, range)) {
    // Rows that are certain are enough.
    if (sureRows >= plan.limit && want.kind !== 'explanation') break;
    records += 1;
    const reason = where === null ? null : provesNoMatch(where, statisticsOf(record));
    const isSure = reason === null && (where === null || provesAllMatch(where, statisticsOf(record)));
    if (lines.length < SHOWN_RECORDS) lines.push(`${textOf(record)}: ${describe(reason, isSure)}`);
    if (reason === null) addStretch(stretches, record, isSure);
    else skipped += 1;
    if (isSure) sureRows += record.end - record.start;
  }
  if (want.kind === 'explanation') {
    const more = records > lines.length ? [`${String(records - lines.length)} more records`] : [];
    const head = `records: ${String(records)}, skipped by their statistics: ${String(skipped)}`;
    return { kind: 'explanation', lines: [head, ...lines, ...more] };
  }
  const parts: Part[] = [];
  for (const stretch of stretches.length > MOST_STRETCHES ? withNeighbours(stretches) : stretches) {
    if (!stretch.isSure || aggregation === null) parts.push({ ...stretch, left: null });
    else
      for (const record of recordsOf(layout, stretch, stretch.record)) {
        const left = unknown(aggregation, record, statisticsOf(record));
        if (left.length > 0) addPart(parts, { start: record.start, end: record.end, isSure: true, left });
      }
  }
  return { kind: 'rest', plans: parts.map((part) => planOf(plan, part, layout.rowCount)) };
}

function describe(reason: string | null, isSure: boolean): string {
  if (reason !== null) return `skipped, ${reason}`;
  return `read${isSure ? ', all of its rows match by its statistics' : ''}`;
}

function addStretch(stretches: GrowingStretch[], { number, start, end }: RecordRows, isSure: boolean): void {
  const last = stretches.at(-1);
  if (last?.end === start && last.isSure === isSure) last.end = end;
  else stretches.push({ record: number, start, end, isSure });
}

/** Fewer of them: those that lie near each other, with what is between them, are looked at row by row. */
function withNeighbours(stretches: readonly Stretch[]): readonly Stretch[] {
  const fewer: Stretch[] = [];
  const sureRows = ({ start, end, isSure }: Stretch): number => (isSure ? end - start : 0);
  for (const stretch of stretches) {
    const last = fewer.at(-1);
    const needless = last === undefined ? 0 : stretch.start - last.end + sureRows(last) + sureRows(stretch);
    if (last === undefined || needless > SHORT_ROWS) fewer.push(stretch);
    else fewer[fewer.length - 1] = { ...last, end: stretch.end, isSure: false };
  }
  return fewer;
}

/** Rows of a record, of which it has `rowCount`. */
interface RecordRows extends RowRange {
  readonly number: number;
  readonly rowCount: number;
}

/** @param first a record at or before the first one that has rows of the range. */
function* recordsOf(
  { rowStarts }: FileLayout,
  { start, end }: RowRange,
  first = 0,
): Generator<RecordRows, void, undefined> {
  for (let number = first; number + 1 < rowStarts.length; number += 1) {
    const [from, to] = [rowStarts[number] ?? 0, rowStarts[number + 1] ?? 0];
    if (from >= end) return;
    const rows = { start: Math.max(from, start), end: Math.min(to, end) };
    if (rows.start < rows.end) yield { number, rowCount: to - from, ...rows };
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
