// Curves -> a table of how each grows, for people.
import { formatBytes, formatTime, table } from './report.ts';
import type { Curve, Panel, SweepResults } from '../sweep.ts';

export function sweepReport(results: SweepResults): string {
  return [
    `## ${results.suite}, ${results.sweep}: ${results.title}`,
    ...results.panels.map((panel) => panelTable(panel, results.unit)),
  ].join('\n\n');
}

function panelTable({ title, unit, curves }: Panel, axis: string): string {
  const format = unit === 'ns' ? formatTime : formatBytes;
  const xs = [...new Set(curves.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const rows = curves.map(({ name, points, growth }) => [
    name,
    ...xs.map((x) => valueAt(points, x, format)),
    growthText(growth),
    fitText(growth, unit, axis),
  ]);
  return `### ${title}\n\n${table(['candidate', ...xs.map((x) => shortNumber(x)), 'grows as', 'fit'], rows)}`;
}

function valueAt(points: Curve['points'], x: number, format: (value: number) => string): string {
  const point = points.find((each) => each.x === x);
  return point === undefined ? '' : format(point.y);
}

function growthText({ exponent }: Curve['growth']): string {
  return Number.isNaN(exponent) ? '' : `n^${exponent.toFixed(2)}`;
}

/** The least that is told of each one: less is told of a million. */
const LEAST = { ns: 1, bytes: 1e5 };

function fitText({ fixed, perUnit, exponent }: Curve['growth'], unit: Panel['unit'], axis: string): string {
  if (Number.isNaN(exponent)) return '';
  const format = unit === 'ns' ? formatTime : formatBytes;
  const each =
    perUnit >= LEAST[unit]
      ? `${format(perUnit)} per ${axis.replace(/s$/, '')}`
      : `${format(perUnit * 1e6)} per million ${axis}`;
  return `${format(fixed)} + ${each}`;
}

/** 2,000,000 as 2M. */
export function shortNumber(value: number): string {
  if (value >= 1e6) return `${String(value / 1e6)}M`;
  if (value >= 1e3) return `${String(value / 1e3)}k`;
  return String(value);
}
