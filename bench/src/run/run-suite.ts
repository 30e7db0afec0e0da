// One suite from data to results: files are made, candidates started, every task's results compared, then each task
// timed and the record written after it.
import { loadavg } from 'node:os';
import type { Candidate, FoundPeer } from './candidates.ts';
import { judgeGoals } from '../report/goals.ts';
import { describeMachine, describeRevision } from '../report/machine.ts';
import { checkTask, measureCold, measureWarm } from './measure.ts';
import { cachedShare, warmFiles } from './page-cache.ts';
import type { Progress } from './progress.ts';
import type { Clock } from './protocol.ts';
import { sameQuestion } from '../report/results.ts';
import type { CandidateFacts, Measurement, RunFacts, SuiteResults, TaskResults } from '../report/results.ts';
import { Contestant, buildPeerFiles, prepareData } from './session.ts';
import type { Data } from './session.ts';
import type { Suite, SuiteTask } from '../suite.ts';

const COLD_ROUNDS = 5;
const QUICK_ROUNDS = 3;

export interface RunOptions {
  readonly quick: boolean;
  readonly cold: boolean;
  /** Rounds instead of each task's own, or null. */
  readonly rounds: number | null;
  readonly clock?: Clock;
  /** Names of tasks, or empty for all. */
  readonly tasks: readonly string[];
  /** Results to go on from, or null: what they hold of the same question is kept. */
  readonly earlier: SuiteResults | null;
  /** Whether tasks that `earlier` holds for all candidates are left out. */
  readonly skipFinished: boolean;
  readonly cacheFolder: string;
  /** Of this repository: for the commit. */
  readonly repositoryFolder: string;
}

/**
 * Runs a suite.
 * @param save is called with the results so far after every task.
 * @throws UnequalResultsError before anything of that task is timed; Error for an unknown task.
 */
export async function runSuite(
  suite: Suite,
  peers: readonly FoundPeer[],
  candidates: readonly Candidate[],
  options: RunOptions,
  progress: Progress,
  save: (results: SuiteResults) => void,
): Promise<SuiteResults> {
  const tasks = pickTasks(suite, options);
  const suiteData = suite.data(options.quick);
  const data = await prepareData(suite, suiteData, options.cacheFolder, progress);
  const taking = peers.filter(({ description }) => candidates.some(({ peer }) => peer === description.name));
  for (const peer of taking) await buildPeerFiles(data, peer, progress);

  const run = new Date().toISOString();
  const contestants = await startAll(candidates, data, progress);
  try {
    const files = [...new Set(contestants.flatMap(({ prepared }) => prepared.files))];
    warmFiles(files);
    let results: SuiteResults = {
      suite: suite.name,
      title: suite.title,
      baseline: suite.baseline,
      quick: options.quick,
      cold: options.cold,
      data: suiteData,
      runs: [describeRun(run, files, options)],
      versions: Object.fromEntries(taking.map(({ description: { name, versions } }) => [name, versions])),
      missing: peers
        .filter(({ description }) => description.missing !== null)
        .map(({ description }) => ({ peer: description.name, reason: description.missing ?? '' })),
      candidates: {},
      tasks: {},
      goals: [],
    };
    if (options.earlier !== null && sameQuestion(options.earlier, results))
      results = continued(options.earlier, results);

    const open = tasks.filter((task) => !options.skipFinished || !isFinished(results.tasks[task.name], candidates));
    for (const contestant of contestants) await contestant.load();
    const checked = new Map<SuiteTask, Awaited<ReturnType<typeof checkTask>>>();
    for (const task of open) {
      progress.update(`${suite.name} ${task.name}: comparing results`);
      checked.set(task, await checkTask(task, contestants, results.tasks[task.name]?.digest ?? null));
    }
    if (open.length > 0)
      progress.done(`${suite.name}: results compared: ${[...checked.keys()].map(({ name }) => name).join(', ')}`);
    if (contestants.length < 2)
      progress.done(`${suite.name}: only one candidate: its results are compared with no other's`);
    // Cold samples need the files unmapped everywhere.
    if (options.cold) for (const { process } of contestants) await process.stop();

    for (const [task, { digest, failed }] of checked) {
      const start = performance.now();
      const rounds = options.rounds ?? (options.cold ? COLD_ROUNDS : options.quick ? QUICK_ROUNDS : task.rounds);
      const onTurn = (round: number, id: string): void =>
        progress.update(
          `${suite.name} ${task.name}: ${round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`}, ${id}`,
        );
      const measurements: Record<string, Measurement> = options.cold
        ? await measureCold({ ...task, rounds }, candidates, failed, data, run, onTurn)
        : await measureWarm({ ...task, rounds }, contestants, failed, run, onTurn, options.clock);
      const before = results.tasks[task.name]?.measurements ?? {};
      const merged: TaskResults = { title: task.title, digest, measurements: { ...before, ...measurements } };
      results = { ...results, tasks: inSuiteOrder(suite, { ...results.tasks, [task.name]: merged }) };
      results = { ...results, goals: judgeGoals(suite.goals, results) };
      save(results);
      progress.done(`${suite.name} ${task.name}: ${task.title} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    }
    if (!options.cold) {
      const found: Record<string, CandidateFacts> = { ...results.candidates };
      for (const contestant of contestants) {
        const facts = await contestant.facts(run);
        if (facts !== null) found[contestant.id] = facts;
      }
      results = { ...results, candidates: found };
    }
    results = { ...results, goals: judgeGoals(suite.goals, results) };
    save(results);
    return results;
  } finally {
    for (const { process } of contestants) await process.stop();
  }
}

function describeRun(run: string, files: readonly string[], { cold, repositoryFolder }: RunOptions): RunFacts {
  return {
    id: run,
    date: run,
    revision: describeRevision(repositoryFolder),
    machine: describeMachine(),
    loadAverage: loadavg()[0] ?? 0,
    cache: { asked: cold ? 'cold' : 'warm', cachedShare: cachedShare(files) },
  };
}

/** Starts all candidates; one that cannot prepare ends the run, for a comparison without it would look complete. */
async function startAll(candidates: readonly Candidate[], data: Data, progress: Progress): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  try {
    for (const candidate of candidates) {
      progress.update(`${data.suite}: starting ${candidate.id}`);
      contestants.push(await Contestant.start(candidate, data));
    }
  } catch (error) {
    for (const { process } of contestants) await process.stop();
    throw error;
  }
  return contestants;
}

function pickTasks(suite: Suite, { tasks }: RunOptions): SuiteTask[] {
  const unknown = tasks.filter((name) => !suite.tasks.some((task) => task.name === name));
  if (unknown.length > 0)
    throw new Error(
      `suite ${suite.name} has no task ${unknown.join(', ')}; it has ${suite.tasks.map(({ name }) => name).join(', ')}`,
    );
  return suite.tasks.filter(({ name }) => tasks.length === 0 || tasks.includes(name));
}

function isFinished(task: TaskResults | undefined, candidates: readonly Candidate[]): boolean {
  return (
    task !== undefined &&
    candidates.every(({ id }) => task.measurements[id] !== undefined && task.measurements[id].kind !== 'failed')
  );
}

function continued(earlier: SuiteResults, now: SuiteResults): SuiteResults {
  return {
    ...now,
    runs: [...earlier.runs, ...now.runs],
    versions: { ...earlier.versions, ...now.versions },
    candidates: earlier.candidates,
    tasks: earlier.tasks,
  };
}

function inSuiteOrder(suite: Suite, tasks: Readonly<Record<string, TaskResults>>): Record<string, TaskResults> {
  return Object.fromEntries(
    suite.tasks.flatMap(({ name }) => (tasks[name] === undefined ? [] : [[name, tasks[name]]])),
  );
}
