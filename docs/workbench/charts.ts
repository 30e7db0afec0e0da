// Charts by Observable Plot, in the colours of the page. Each is an SVG with a text that says what it shows.
import * as Plot from '@observablehq/plot';
import type { Bin } from './protocol.ts';

const OURS = 'var(--ck-ours)';

/** What charts need of the page: how wide they may be. */
export interface ChartSpace {
  readonly width: number;
}

export function histogram(bins: readonly Bin[], isTime: boolean, { width }: ChartSpace, label: string): Element {
  const at = (value: number): number | Date => (isTime ? new Date(value) : value);
  return Plot.plot({
    width,
    height: 120,
    marginLeft: 48,
    marginTop: 8,
    ariaLabel: label,
    style: { background: 'transparent' },
    x: { label: null, ...(isTime ? { type: 'utc' as const } : {}) },
    y: { label: null, ticks: 3, tickFormat: 's', grid: true },
    marks: [
      Plot.rectY(bins, {
        x1: ({ from }: Bin) => at(from),
        x2: ({ to }: Bin) => at(to),
        y: 'count',
        fill: OURS,
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      Plot.ruleY([0]),
    ],
  });
}

export interface Bar {
  readonly key: string;
  readonly value: number;
}

export function bars(rows: readonly Bar[], { width }: ChartSpace, label: string): Element {
  const longest = rows.reduce((most, { key }) => Math.max(most, Math.min(24, key.length)), 3);
  return Plot.plot({
    width,
    height: 26 * rows.length + 34,
    marginLeft: 16 + 7 * longest,
    marginRight: 56,
    ariaLabel: label,
    style: { background: 'transparent' },
    x: { label: null, ticks: Math.max(2, Math.floor(width / 120)), tickFormat: 's', grid: true },
    // As they come: the largest first.
    y: { label: null, domain: rows.map((_, row) => row), tickFormat: (row: number) => shortened(rows[row]?.key ?? '') },
    marks: [
      Plot.barX(rows, { x: 'value', y: (_: unknown, row: number) => row, fill: OURS }),
      Plot.text(rows, {
        x: 'value',
        y: (_: unknown, row: number) => row,
        text: ({ value }: Bar) => value.toLocaleString('en', { maximumSignificantDigits: 6 }),
        textAnchor: 'start',
        dx: 4,
      }),
      Plot.ruleX([0]),
    ],
  });
}

export function line(values: ArrayLike<number>, { width }: ChartSpace, label: string): Element {
  return Plot.plot({
    width,
    height: 110,
    marginLeft: 48,
    marginTop: 8,
    ariaLabel: label,
    style: { background: 'transparent' },
    x: { label: null },
    y: { label: null, ticks: 3, grid: true },
    marks: [Plot.lineY(Array.from(values), { stroke: OURS })],
  });
}

function shortened(text: string): string {
  return text.length <= 24 ? text : `${text.slice(0, 23)}…`;
}
