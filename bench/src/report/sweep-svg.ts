// Curves -> one SVG: a panel for each task and one for memory, both axes logarithmic, so that a slope is an exponent.
// Drawn by hand: no library, the same bytes for the same numbers.
import { formatBytes, formatTime } from './report.ts';
import { shortNumber } from './sweep-report.ts';
import type { Curve, Panel, SweepResults } from '../sweep.ts';

const [WIDTH, HEIGHT] = [720, 300];
const PLOT = { left: 84, right: 500, top: 34, bottom: 252 };
const COLOURS = ['#1f6feb', '#d1242f', '#1a7f37', '#9a6700', '#8250df', '#0e7490', '#bc4c00', '#57606a'];

export function sweepSvg(results: SweepResults): string {
  const panels = results.panels.filter(({ curves }) => curves.length > 0);
  const drawn = panels.map(
    (panel, i) => `<g transform="translate(0 ${String(i * HEIGHT)})">${drawPanel(panel, results.unit)}</g>`,
  );
  const size = `viewBox="0 0 ${String(WIDTH)} ${String(panels.length * HEIGHT)}"`;
  // A ground of its own: the page behind may be dark.
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-family="sans-serif" ` +
    `font-size="12"><title>${escape(`${results.suite}: ${results.title}`)}</title>` +
    `<rect width="100%" height="100%" fill="#fff"/>${drawn.join('')}</svg>\n`
  );
}

function drawPanel({ title, unit, curves }: Panel, axis: string): string {
  const points = curves.flatMap((curve) => curve.points);
  const xs = logScale(
    points.map(({ x }) => x),
    PLOT.left,
    PLOT.right,
    1.05,
  );
  const ys = logScale(
    points.map(({ y }) => y),
    PLOT.bottom,
    PLOT.top,
    1.3,
  );
  const format = unit === 'ns' ? formatTime : formatBytes;
  const marks = [...new Set(points.map(({ x }) => x))].map(
    (x) => line(xs(x), PLOT.bottom, xs(x), PLOT.bottom + 4) + text(xs(x), PLOT.bottom + 18, shortNumber(x), 'middle'),
  );
  const decades = powersOfTen(points.map(({ y }) => y)).map(
    (y) => line(PLOT.left, ys(y), PLOT.right, ys(y), '#ddd') + text(PLOT.left - 6, ys(y) + 4, format(y), 'end'),
  );
  const frame =
    line(PLOT.left, PLOT.top, PLOT.left, PLOT.bottom) + line(PLOT.left, PLOT.bottom, PLOT.right, PLOT.bottom);
  const named = curves.map((curve, i) => drawCurve(curve, COLOURS[i % COLOURS.length] ?? '#000', i, xs, ys));
  return (
    text(PLOT.left, 20, title, 'start', 'bold') +
    decades.join('') +
    marks.join('') +
    frame +
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 38, axis, 'middle') +
    named.join('')
  );
}

function drawCurve(
  { name, points, growth }: Curve,
  colour: string,
  number: number,
  xs: (x: number) => number,
  ys: (y: number) => number,
): string {
  const path = points.map(({ x, y }) => `${coordinate(xs(x))},${coordinate(ys(y))}`);
  const dots = points.map(
    ({ x, y }) => `<circle cx="${coordinate(xs(x))}" cy="${coordinate(ys(y))}" r="3" fill="${colour}"/>`,
  );
  const top = PLOT.top + 10 + number * 18;
  const exponent = Number.isNaN(growth.exponent) ? '' : `  n^${growth.exponent.toFixed(2)}`;
  return (
    `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}` +
    `<rect x="${String(PLOT.right + 14)}" y="${String(top - 9)}" width="10" height="10" ` +
    `fill="${colour}"/>${text(PLOT.right + 30, top, `${name}${exponent}`, 'start')}`
  );
}

function logScale(values: readonly number[], from: number, to: number, margin: number): (value: number) => number {
  const [low, high] = [Math.log(least(values) / margin), Math.log(most(values) * margin)];
  return (value) => from + ((Math.log(value) - low) / (high - low)) * (to - from);
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);

function powersOfTen(values: readonly number[]): number[] {
  const [low, high] = [Math.ceil(Math.log10(least(values) / 1.3)), Math.floor(Math.log10(most(values) * 1.3))];
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => 10 ** (low + i));
}

function line(x1: number, y1: number, x2: number, y2: number, colour = '#555'): string {
  return (
    `<line x1="${coordinate(x1)}" y1="${coordinate(y1)}" x2="${coordinate(x2)}" y2="${coordinate(y2)}" ` +
    `stroke="${colour}"/>`
  );
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', weight = 'normal'): string {
  return (
    `<text x="${coordinate(x)}" y="${coordinate(y)}" text-anchor="${anchor}" font-weight="${weight}" ` +
    `fill="#222">${escape(words)}</text>`
  );
}

function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escape(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
