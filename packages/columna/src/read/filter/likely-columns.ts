// What a filter of a remote file fetches at first: the columns of the first term, and those of the next ones where the
// bounds of the columns before them let expect matches nearly everywhere. What would be fetched in any case comes in
// one request then, not in one after another.
import type { BoundPredicate } from '@colkit/table';
import { provesNoMatch } from '@colkit/table';
import type { StoredFile } from '../file/stored-file.ts';
import { ifSound } from '../pages/open-dictionary.ts';
import { intervalsOf } from './intervals.ts';
import { groupStatistics } from './prune.ts';

/** Matches of a page that are to be expected, at least, in a row group that is looked at. */
const EXPECTED = 8;
/** Row groups that are looked at, from the first one on. */
const LOOKED_AT = 16;

/** @param terms of the outermost `and` of `predicate`. */
export function likelyColumns(
  file: StoredFile,
  predicate: BoundPredicate,
  terms: readonly BoundPredicate[],
): readonly number[] {
  const [first, ...others] = terms;
  if (first === undefined) return [];
  if (file.source.coalesces !== true || others.length === 0) return first.columns;
  return ifSound(() => columnsOf(file, predicate, [first, ...others])) ?? first.columns;
}

function columnsOf(
  file: StoredFile,
  predicate: BoundPredicate,
  terms: readonly [BoundPredicate, ...BoundPredicate[]],
): readonly number[] {
  const columns = new Set(terms[0].columns);
  let groups = file.rowGroups.slice(0, LOOKED_AT).flatMap(({ rowCount, pageRows }, group) => {
    const statistics = groupStatistics(file, predicate, group);
    const isLookedAt = provesNoMatch(predicate, (column) => statistics.get(column) ?? null) === null;
    return isLookedAt ? [{ statistics, expected: Math.min(rowCount, pageRows) }] : [];
  });
  for (const [number, term] of terms.entries()) {
    if (groups.length === 0) break;
    if (number > 0) for (const column of term.columns) columns.add(column);
    groups = groups.map(({ statistics, expected }) => ({
      statistics,
      expected: expected * partOf(file, term, statistics),
    }));
    if (groups.some(({ expected }) => expected < EXPECTED)) break;
  }
  return [...columns];
}

/** Which part of the values between a column's bounds passes a term; 0 where the bounds tell nothing. */
function partOf(file: StoredFile, { root }: BoundPredicate, statistics: ReturnType<typeof groupStatistics>): number {
  if (root.kind !== 'compare' && root.kind !== 'between') return 0;
  if (!('column' in root)) return 0;
  const { type } = file.column(root.column.number);
  const { min, max } = statistics.get(root.column.number) ?? { min: null, max: null };
  if (type.domain === 'strings' || !isNumber(min) || !isNumber(max)) return 0;
  // Integers are as wide as their distance and one more.
  const unit = type.domain === 'integers' ? 1 : 0;
  const [least, most] = [Number(min), Number(max)];
  let passing = 0;
  for (const { lo, hi } of intervalsOf(root, type).list)
    passing += Math.max(0, Math.min(most, Number(hi)) - Math.max(least, Number(lo)) + unit);
  const width = most - least + unit;
  return width > 0 ? passing / width : 0;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
}
