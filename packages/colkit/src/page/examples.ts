// Predicates to start from: thresholds inside the ranges of columns whose row groups differ, so that something is
// skipped; judged by the same code as what is typed.
import { isMoment, parseDType } from '@colkit/io';
import { toISO } from '@colkit/table';
import type { InspectedColumn, InspectedFile, InspectedValue } from 'columna';
import type { Pushdown } from 'columna/inspect';

const MOST = 3;
const LOOKED_AT = 40;

/**
 * At most three texts, the one that skips most first; one that skips nothing where none does; none of a table without
 * columns.
 */
export function examplePredicates(file: InspectedFile, pushdown: Pushdown): string[] {
  const found: { readonly text: string; readonly skipped: number }[] = [];
  for (const [index, column] of file.columns.slice(0, LOOKED_AT).entries()) {
    const text = predicateOf(file, column, index);
    const outcome = text === null ? null : pushdown.evaluate(text);
    if (text === null || outcome?.kind !== 'outcome') continue;
    const { groupsSkipped, pagesSkipped, groups } = outcome.stats;
    // What skips all of it shows little.
    found.push({ text, skipped: groupsSkipped === groups ? 0 : groupsSkipped + pagesSkipped / 1e6 });
  }
  const useful = found.filter(({ skipped }) => skipped > 0).sort((a, b) => b.skipped - a.skipped);
  return (useful.length > 0 ? useful : found).slice(0, useful.length > 0 ? MOST : 1).map(({ text }) => text);
}

function predicateOf(file: InspectedFile, column: InspectedColumn, index: number): string | null {
  const maxima = file.rowGroups
    .flatMap(({ chunks }) => chunks[index]?.pageStatistics.map(({ max }) => max?.value ?? null) ?? [])
    .filter((value) => value !== null);
  const isOrdered =
    maxima.length > 0 && maxima.every((value) => typeof value === 'number' || typeof value === 'bigint');
  if (!isOrdered) return null;
  const sorted = [...maxima].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const threshold = sorted[Math.floor((sorted.length * 2) / 3)] ?? sorted[0];
  return threshold === undefined ? null : `${nameText(column.name)} >= ${literal(column, threshold)}`;
}

function nameText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

function literal({ dtype }: InspectedColumn, value: InspectedValue): string {
  return isMoment(parseDType(dtype)) && typeof value === 'bigint' ? `'${toISO(value, dtype)}'` : String(value);
}
