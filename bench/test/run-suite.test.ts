import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compare } from '../src/checkouts/ab.ts';
import { CandidateProcess } from '../src/run/candidate-process.ts';
import { describePeers, peerFile, selectCandidates } from '../src/run/candidates.ts';
import { Progress } from '../src/run/progress.ts';
import { readResults, writeResults } from '../src/report/results.ts';
import type { SuiteResults } from '../src/report/results.ts';
import { runSuite } from '../src/run/run-suite.ts';
import type { RunOptions } from '../src/run/run-suite.ts';
import { prepareData } from '../src/run/session.ts';
import type { Suite } from '../src/suite.ts';

const task = (name: string) => ({ name, title: `the ${name} task`, rounds: 4, samples: 2, repeat: 2, checks: 3 });
let generated = 0;
const TINY: Suite = {
  name: 'tiny',
  title: 'a suite of the tests',
  baseline: 'steady/one',
  tasks: [task('double'), task('later')],
  goals: [{ kind: 'ratio', task: 'double', subject: 'steady/one', against: 'absent/only', atMost: 1 }],
  data: () => ({ name: 'x2', parameters: { factor: 2 } }),
  generate: (_parameters, directory) => {
    generated++;
    writeFileSync(join(directory, 'raw.bin'), 'raw');
  },
};

let folder = '';
let log = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colkit-bench-'));
  log = join(folder, 'log');
  writeFileSync(log, '');
  process.env['BENCH_TEST_LOG'] = log;
  generated = 0;
});
afterEach(() => {
  delete process.env['BENCH_TEST_LOG'];
  rmSync(folder, { recursive: true, force: true });
});

const lines = (): string[] =>
  readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '');

async function run(
  names: readonly string[],
  change: Partial<RunOptions> = {},
  wanted: readonly string[] = [],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ results: SuiteResults; saved: SuiteResults[] }> {
  const peers = await describePeers(
    names.map((name) => peerFile(join(import.meta.dirname, 'fixtures', name), environment)),
  );
  const saved: SuiteResults[] = [];
  const options = {
    quick: false,
    cold: false,
    rounds: null,
    tasks: [],
    earlier: null,
    skipFinished: false,
    cacheFolder: folder,
    repositoryFolder: folder,
    ...change,
  };
  const results = await runSuite(
    TINY,
    peers,
    selectCandidates(peers, 'tiny', wanted),
    options,
    new Progress(),
    (sofar) => saved.push(sofar),
  );
  return { results, saved };
}

test('candidates take turns in rounds, each with its warm-up, after all results were compared', async () => {
  const { results } = await run(['steady.mjs'], { tasks: ['double'] });
  const check = ['one', 'one', 'one', 'two', 'two', 'two'];
  const warmUp = [...Array<string>(6).fill('one'), ...Array<string>(6).fill('two')];
  const turn = (name: string): string[] => Array<string>(4).fill(name);
  const rounds = [
    ['one', 'two'],
    ['two', 'one'],
    ['two', 'one'],
    ['one', 'two'],
  ].flatMap((order) => order.flatMap(turn));
  expect(lines()).toEqual([
    'load one',
    'load two',
    ...[...check, ...warmUp, ...rounds].map((name) => `double ${name}`),
    'close one',
    'close two',
  ]);
  const measurement = results.tasks['double']?.measurements['steady/two'];
  expect(measurement).toMatchObject({ kind: 'measured', samples: 8, repeat: 2, eventLoopDelay: null });
});

test('a record holds machine, versions, memory, digests, event-loop delays, and is saved after each task', async () => {
  const { results, saved } = await run(['steady.mjs']);
  expect(saved.map(({ tasks }) => Object.keys(tasks))).toEqual([['double'], ['double', 'later'], ['double', 'later']]);
  expect(results.versions).toEqual({ steady: { steady: '1.2.3' } });
  expect(results.runs[0]).toMatchObject({ cache: { asked: 'warm' }, machine: { node: process.versions.node } });
  expect(results.candidates['steady/one']?.peakRssBytes).toBeGreaterThan(1e6);
  expect(results.tasks['double']?.digest).toMatch(/^values:24:[0-9a-f]{8}$/);
  expect(results.tasks['later']?.measurements['steady/one']).toMatchObject({
    kind: 'measured',
    eventLoopDelay: { meanMs: expect.any(Number) as number },
  });
  const path = join(folder, 'deep', 'results.json');
  writeResults(path, results);
  expect(readResults(path)).toEqual(results);
  expect(readResults(join(folder, 'nothing.json'))).toBeNull();
});

test('unequal results stop the run before anything is timed', async () => {
  await expect(run(['steady.mjs', 'wrong.mjs'])).rejects.toThrow(
    /double.*not equal[^]*<- steady\/one, steady\/two[^]*<- wrong\/only/,
  );
  expect(lines().filter((line) => line.startsWith('double'))).toHaveLength(6);
});

test('a missing peer and its reason are in the record, and a goal that needs one is not judged', async () => {
  const { results } = await run(['steady.mjs', 'uninstalled.mjs'], { tasks: ['double'] });
  expect(results.missing).toEqual([
    { peer: 'uninstalled', reason: expect.stringContaining('a-package-that-is-not-installed') as string },
  ]);
  expect(results.goals[0]).toMatchObject({ reached: null, note: 'absent/only was not measured' });
});

test('a failure is recorded for that candidate and task, and the others go on', async () => {
  const { results } = await run(['failing.mjs', 'steady.mjs']);
  expect(results.tasks['double']?.measurements['failing/only']).toEqual({
    kind: 'failed',
    reason: expect.stringContaining('this task never works') as string,
  });
  expect(results.tasks['later']?.measurements['failing/only']).toEqual({
    kind: 'failed',
    reason: expect.stringContaining('exit code 3') as string,
  });
  expect(results.tasks['later']?.measurements['steady/one']?.kind).toBe('measured');
});

test('a task that a candidate does not offer is told as such', async () => {
  const { results } = await run(['wrong.mjs'], {}, ['wrong']);
  expect(results.tasks['later']?.measurements).toEqual({ 'wrong/only': { kind: 'not offered' } });
});

test("data is generated once and a peer's files are built once", async () => {
  await run(['steady.mjs'], { tasks: ['double'] });
  await run(['steady.mjs'], { tasks: ['double'] });
  expect(generated).toBe(1);
});

test('a resumed run leaves finished tasks out and keeps their numbers', async () => {
  const first = (await run(['steady.mjs'], { tasks: ['double'] })).results;
  writeFileSync(log, '');
  const { results } = await run(['steady.mjs'], { earlier: first, skipFinished: true });
  expect(lines().filter((line) => line.startsWith('double'))).toEqual([]);
  expect(results.tasks['double']).toEqual(first.tasks['double']);
  expect(results.tasks['later']?.measurements['steady/two']?.kind).toBe('measured');
  expect(results.runs).toHaveLength(2);
});

test('one candidate can be measured anew; the others keep their numbers, of another run', async () => {
  const first = (await run(['steady.mjs'], { tasks: ['double'] })).results;
  const { results } = await run(['steady.mjs'], { tasks: ['double'], earlier: first }, ['steady/two']);
  const [before, after] = [first, results].map(({ tasks }) => tasks['double']?.measurements);
  expect(after?.['steady/one']).toEqual(before?.['steady/one']);
  expect(after?.['steady/two']).not.toEqual(before?.['steady/two']);
});

test('what is measured anew must compute what the kept numbers stand for', async () => {
  const first = (await run(['steady.mjs'], { tasks: ['double'] })).results;
  await expect(run(['wrong.mjs'], { tasks: ['double'], earlier: first })).rejects.toThrow(/an earlier run/);
});

test('cold samples open the file anew in a process of their own', async () => {
  const { results } = await run(['steady.mjs'], { tasks: ['double'], cold: true, rounds: 2 });
  const measurement = results.tasks['double']?.measurements['steady/one'];
  // Where the system cannot drop pages from its cache, that is what the record says.
  if (measurement?.kind === 'failed') expect(measurement.reason).toContain('could not be dropped');
  else expect(measurement).toMatchObject({ kind: 'measured', samples: 2, repeat: 1 });
  expect(results.runs[0]?.cache.asked).toBe('cold');
});

test('an unknown task is refused', async () => {
  await expect(run(['steady.mjs'], { tasks: ['nothing'] })).rejects.toThrow(/no task nothing; it has double, later/);
});

test('A and B are compared in alternating order, and only when equal', async () => {
  const peers = await describePeers(
    ['steady.mjs', 'wrong.mjs'].map((name) => peerFile(join(import.meta.dirname, 'fixtures', name))),
  );
  const [one, two, wrong] = selectCandidates(peers, 'tiny', []) as [never, never, never];
  const data = await prepareData(TINY, TINY.data(false), folder, new Progress());
  const [comparison] = await compare([task('double')], one, two, data, 5, new Progress());
  expect(comparison?.a.samples).toBe(5);
  expect(comparison?.ratio.low).toBeLessThanOrEqual(comparison?.ratio.high ?? 0);
  await expect(compare([task('double')], one, wrong, data, 5, new Progress())).rejects.toThrow(
    /A steady\/one[^]*B wrong\/only/,
  );
});

test('a candidate that does not answer in time is ended', async () => {
  const silent = new CandidateProcess(
    'silent',
    { program: process.execPath, parameters: ['-e', 'setInterval(() => {}, 1000)'], environment: {} },
    200,
  );
  await expect(silent.request({ op: 'describe' })).rejects.toThrow('silent: describe: no reply within 200 ms');
  await silent.stop();
});
