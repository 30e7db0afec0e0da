import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describePeers, peerFile, selectCandidates } from '../src/run/candidates.ts';
import { Progress } from '../src/run/progress.ts';
import { SUITES } from '../src/suites.ts';
import type { Suite, Sweep } from '../src/suite.ts';
import { sweepReport } from '../src/report/sweep-report.ts';
import { sweepSvg } from '../src/report/sweep-svg.ts';
import { runSweep } from '../src/sweep.ts';
import type { SweepResults } from '../src/sweep.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colkit-bench-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TINY: Suite = {
  name: 'tiny',
  title: 'a suite of the tests',
  baseline: 'steady/one',
  tasks: [{ name: 'double', title: 'the double task', rounds: 2, samples: 1, repeat: 1, checks: 1 }],
  goals: [],
  data: () => ({ name: 'x2', parameters: { factor: 2 } }),
  generate: () => undefined,
};
const point = (x: number, candidates: Record<string, string>) => ({
  x,
  data: { name: `x${String(x)}`, parameters: { factor: x } },
  candidates,
});

test('every size is measured, candidates of one curve at their own sizes', async () => {
  const peers = await describePeers([peerFile(join(import.meta.dirname, 'fixtures', 'steady.mjs'))]);
  const sweep: Sweep = {
    name: 'factor',
    title: 'what it is multiplied by',
    unit: 'factors',
    tasks: ['double'],
    points: [point(1, { 'steady/one': 'both' }), point(2, { 'steady/two': 'both', 'absent/x': 'absent' })],
  };
  const results = await runSweep(
    TINY,
    sweep,
    peers,
    selectCandidates(peers, 'tiny', []),
    { quick: false, rounds: 1, cacheFolder: folder, repositoryFolder: folder },
    new Progress(),
  );
  expect(results.panels.map(({ title, unit }) => [title, unit])).toEqual([
    ['double: the double task', 'ns'],
    ['memory: the most of its own that was seen between its turns', 'bytes'],
  ]);
  for (const { curves } of results.panels) {
    expect(curves.map(({ name }) => name)).toEqual(['both']);
    expect(curves[0]?.points.map(({ x }) => x)).toEqual([1, 2]);
    expect(Math.min(...(curves[0]?.points.map(({ y }) => y) ?? [0]))).toBeGreaterThan(0);
  }
  expect(results.runs).toHaveLength(2);
});

const DRAWN: SweepResults = {
  suite: 's',
  sweep: 'rows',
  title: 'a <b> & c',
  unit: 'rows',
  quick: false,
  runs: [],
  panels: [
    {
      title: 'task',
      unit: 'ns',
      curves: [
        {
          name: 'ours',
          points: [
            { x: 1000, y: 1e6 },
            { x: 1e6, y: 1e9 },
          ],
          growth: { exponent: 1, fixed: 0, perUnit: 1000 },
        },
      ],
    },
  ],
};

test('a curve is drawn with its points, its name and its exponent; text cannot become markup', () => {
  const svg = sweepSvg(DRAWN);
  expect(svg.match(/<circle /g)).toHaveLength(2);
  expect(svg).toContain('ours  n^1.00');
  expect(svg).toContain('a &lt;b&gt; &amp; c');
  const [, first, second] = /points="([\d.]+,[\d.]+) ([\d.]+,[\d.]+)"/.exec(svg) ?? [];
  const [[x1, y1], [x2, y2]] = [first, second].map((pair) => (pair ?? '').split(',').map(Number)) as [
    [number, number],
    [number, number],
  ];
  expect(x2).toBeGreaterThan(x1);
  expect(y2).toBeLessThan(y1);
});

test('a table tells each point, the growth and the fit', () => {
  expect(sweepReport(DRAWN)).toMatch(/ours +\| 1\.00 ms \| 1\.00 s \| +n\^1\.00 \| +0\.00 ns \+ 1\.00 us per row/);
});

test('every sweep names tasks of its suite, and its data differ from point to point', () => {
  for (const { name, tasks, sweeps = [] } of SUITES) {
    for (const sweep of sweeps) {
      expect(
        sweep.tasks.filter((task) => !tasks.some((known) => known.name === task)),
        `${name} ${sweep.name}`,
      ).toEqual([]);
      expect(new Set(sweep.points.map(({ x }) => x)).size).toBe(sweep.points.length);
    }
  }
});
