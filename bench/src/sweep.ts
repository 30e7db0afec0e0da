// A suite at several sizes: each size is a run of its own, with few rounds; what comes out are curves of time and of
// memory, and how they grow.
import type { Candidate, FoundPeer } from './run/candidates.ts';
import { fitGrowth } from './report/growth.ts';
import type { Growth, Point } from './report/growth.ts';
import type { Progress } from './run/progress.ts';
import type { RunFacts, SuiteResults } from './report/results.ts';
import { runSuite } from './run/run-suite.ts';
import type { RunOptions } from './run/run-suite.ts';
import type { Suite, Sweep, SweepPoint } from './suite.ts';

const SWEEP_ROUNDS = 5;
const QUICK_ROUNDS = 1;
const QUICK_POINTS = 3;

/** One curve: a candidate's median times at a task, or its largest memory, over the axis. */
export interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
  readonly growth: Growth;
}

/** What is drawn together. */
export interface Panel {
  readonly title: string;
  readonly unit: 'ns' | 'bytes';
  readonly curves: readonly Curve[];
}

export interface SweepResults {
  readonly suite: string;
  readonly sweep: string;
  readonly title: string;
  readonly unit: string;
  readonly quick: boolean;
  readonly runs: readonly RunFacts[];
  readonly panels: readonly Panel[];
}

/** @throws as `runSuite`; Error where none of the sweep's candidates can run. */
export async function runSweep(
  suite: Suite,
  sweep: Sweep,
  peers: readonly FoundPeer[],
  candidates: readonly Candidate[],
  options: Pick<RunOptions, 'quick' | 'rounds' | 'cacheFolder' | 'repositoryFolder'>,
  progress: Progress,
): Promise<SweepResults> {
  const found: { point: SweepPoint; results: SuiteResults }[] = [];
  for (const point of options.quick ? sweep.points.slice(0, QUICK_POINTS) : sweep.points) {
    const taking = candidates.filter(({ id }) => point.candidates[id] !== undefined);
    if (taking.length === 0) continue;
    progress.done(`${suite.name} ${sweep.name}: ${String(point.x)} ${sweep.unit}`);
    const rounds = options.rounds ?? (options.quick ? QUICK_ROUNDS : SWEEP_ROUNDS);
    const one = { ...suite, goals: [], data: () => point.data };
    const results = await runSuite(
      one,
      peers,
      taking,
      { ...options, rounds, cold: false, tasks: sweep.tasks, earlier: null, skipFinished: false },
      progress,
      () => undefined,
    );
    found.push({ point, results });
  }
  if (found.length === 0) throw new Error(`${suite.name} ${sweep.name}: none of its candidates can run here`);
  return {
    suite: suite.name,
    sweep: sweep.name,
    title: sweep.title,
    unit: sweep.unit,
    quick: options.quick,
    runs: found.flatMap(({ results }) => results.runs),
    panels: [...sweep.tasks.map((task) => panelOfTask(task, suite, found)), memoryPanel(found)],
  };
}

type Found = readonly { readonly point: SweepPoint; readonly results: SuiteResults }[];

function panelOfTask(name: string, suite: Suite, found: Found): Panel {
  const curves = curvesOf(found, ({ tasks }, candidate) => {
    const measurement = tasks[name]?.measurements[candidate];
    return measurement?.kind === 'measured' ? measurement.median : null;
  });
  return { title: `${name}: ${suite.tasks.find((task) => task.name === name)?.title ?? ''}`, unit: 'ns', curves };
}

/** Memory of one's own where the system tells it apart; mapped files are not a process's need. */
function memoryPanel(found: Found): Panel {
  const curves = curvesOf(
    found,
    ({ candidates }, candidate) =>
      candidates[candidate]?.peakAnonymousBytes ?? candidates[candidate]?.peakRssBytes ?? null,
  );
  return { title: 'memory: the most of its own that was seen between its turns', unit: 'bytes', curves };
}

function curvesOf(found: Found, valueOf: (results: SuiteResults, candidate: string) => number | null): Curve[] {
  const points = new Map<string, Point[]>();
  for (const { point, results } of found) {
    for (const [candidate, curve] of Object.entries(point.candidates)) {
      const y = valueOf(results, candidate);
      if (y === null || !(y > 0)) continue;
      points.set(curve, [...(points.get(curve) ?? []), { x: point.x, y }]);
    }
  }
  return [...points].map(([name, of]) => ({ name, points: of, growth: fitGrowth(of) }));
}
