import { expect, test } from 'vitest';
import { judgeGoals } from '../src/report/goals.ts';
import { formatTime, report, summaryTable, table } from '../src/report/report.ts';
import type { Measurement, SuiteResults } from '../src/report/results.ts';
import type { Goal } from '../src/suite.ts';

const measured = (median: number, run = 'r1'): Measurement => ({
  kind: 'measured',
  repeat: 1,
  eventLoopDelay: null,
  readBytes: null,
  run,
  samples: 3,
  median,
  p10: median,
  p90: median,
  min: median,
});
const tasks = {
  t: {
    title: 'work',
    digest: 'd',
    measurements: {
      ours: measured(100),
      peer: measured(400),
      late: measured(400, 'r0'),
      broken: { kind: 'failed', reason: 'why' } as const,
    },
  },
};
const facts = (fileBytes: number): SuiteResults['candidates'][string] => ({
  loadNs: 1,
  fileBytes,
  peakRssBytes: 1,
  peakAnonymousBytes: null,
  hugePages: null,
  run: 'r1',
});
const candidates = { ours: facts(600), peer: facts(1000) };
const ratio = (against: string, atMost: number): Goal => ({
  kind: 'ratio',
  task: 't',
  subject: 'ours',
  against,
  atMost,
});

test('goals are judged by medians', () => {
  const goals = [
    ratio('peer', 1 / 4),
    ratio('peer', 1 / 5),
    ratio('late', 1),
    ratio('broken', 1),
    ratio('nobody', 1),
    { kind: 'time', task: 't', subject: 'ours', atMostNs: 99 } as const,
  ];
  expect(judgeGoals(goals, { tasks, candidates }).map(({ value, reached, note }) => [value, reached, note])).toEqual([
    [0.25, true, null],
    [0.25, false, null],
    [0.25, true, 'the two come from different runs'],
    [null, null, 'broken was not measured'],
    [null, null, 'nobody was not measured'],
    [100, false, null],
  ]);
});

test('goals of size are judged by the files', () => {
  const size = (atMostBytes: number, subject = 'ours'): Goal => ({ kind: 'size', subject, atMostBytes });
  const share = (atMost: number, against = 'peer'): Goal => ({ kind: 'size-ratio', subject: 'ours', against, atMost });
  expect(
    judgeGoals([size(600), size(599), size(1, 'nobody'), share(0.6), share(0.59), share(1, 'nobody')], {
      tasks,
      candidates,
    }).map(({ value, reached }) => [value, reached]),
  ).toEqual([
    [600, true],
    [600, false],
    [null, null],
    [0.6, true],
    [0.6, false],
    [null, null],
  ]);
});

test('two tasks or more make a table of everything', () => {
  const none: SuiteResults = {
    suite: 's',
    title: '',
    baseline: 'ours',
    quick: false,
    cold: false,
    data: { name: 'd', parameters: {} },
    runs: [],
    versions: {},
    missing: [],
    candidates,
    tasks,
    goals: [],
  };
  expect(summaryTable(none)).toBe('');
  const text = summaryTable({
    ...none,
    tasks: { ...tasks, u: { title: '', digest: null, measurements: { ours: measured(5e6) } } },
  });
  expect(text).toMatch(/ours +\| 0\.0 MB \| 100 ns \| 5\.00 ms/);
  expect(text).toMatch(/broken +\| +\| failed/);
});

test('the report names what is slow, what failed and who is missing', () => {
  const results: SuiteResults = {
    suite: 's',
    title: 'a question',
    baseline: 'ours',
    quick: false,
    cold: false,
    data: { name: 'd', parameters: {} },
    runs: [],
    versions: {},
    missing: [{ peer: 'absent', reason: 'not installed\nwith a long story' }],
    candidates,
    tasks,
    goals: judgeGoals([ratio('peer', 1 / 5)], { tasks, candidates }),
  };
  const text = report(results);
  expect(text).toContain('4.00x (another run)');
  expect(text).toMatch(/broken +\| +failed/);
  expect(text).toContain('- broken failed: why');
  expect(text).toContain('- absent: not installed\n'.trimEnd());
  expect(text).toMatch(/ours <= 1\/5 x peer \| +1\/4 \| missed/);
});

test('tables are aligned and leave out what no row has', () => {
  expect(
    table(
      ['who', 'x', 'none'],
      [
        ['a', '1', ''],
        ['bbbb', '22', ''],
      ],
    ),
  ).toBe('| who  |   x |\n|------|----:|\n| a    |   1 |\n| bbbb |  22 |');
});

test.each([
  [12.34, '12.3 ns'],
  [1234, '1.23 us'],
  [1234567, '1.23 ms'],
  [1234567890, '1.23 s'],
])('%d ns', (ns, text) => expect(formatTime(ns)).toBe(text));
