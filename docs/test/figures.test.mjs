// Results -> charts: what is measured is drawn, what is not there is said to be not there, and text of the harness
// cannot become markup.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const DOCS = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(join(DOCS, '.cache'), { recursive: true });
const folder = mkdtempSync(join(DOCS, '.cache', 'figures-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const results = join(folder, 'results');
mkdirSync(results);
process.env.COLKIT_RESULTS = results;
/** The modules of the site as Node can load them. */
const load = async (name) => {
  await build({
    root: DOCS,
    logLevel: 'error',
    configFile: false,
    build: {
      ssr: join(DOCS, 'site', name),
      outDir: join(folder, name.replace(/\W/g, '-')),
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: 'out.mjs' } },
    },
  });
  return import(pathToFileURL(join(folder, name.replace(/\W/g, '-'), 'out.mjs')).href);
};
const { chartsFor, overview, NONE } = await load('figures/page.ts');
const { pictureOf } = await load('picture.ts');

const machine = {
  cpu: 'test cpu',
  cores: 2,
  memoryBytes: 2 ** 34,
  platform: 'linux-x64',
  kernel: '6',
  transparentHugePages: null,
  node: '20.19.0',
};
const measured = (median) => ({
  kind: 'measured',
  repeat: 1,
  eventLoopDelay: null,
  readBytes: null,
  run: 'r',
  samples: 15,
  median,
  p10: median * 0.9,
  p90: median * 1.2,
  min: median * 0.8,
});
const facts = (fileBytes) => ({
  loadNs: 1e6,
  fileBytes,
  peakRssBytes: 1e8,
  peakAnonymousBytes: null,
  hugePages: null,
  run: 'r',
});
const run = {
  suite: 'w9',
  title: 'a question',
  baseline: 'colstore/sync',
  quick: false,
  cold: false,
  data: { name: 'd', parameters: {} },
  runs: [
    {
      id: 'r',
      date: '2026-11-21T00:00:00Z',
      revision: { commit: '0123456789abcdef', modified: false },
      machine,
      cache: { asked: 'warm', cachedShare: 1 },
      loadAverage: 0,
    },
  ],
  versions: { colstore: { colstore: '0.1.0' } },
  missing: [{ peer: 'absent', reason: 'no such peer' }],
  candidates: { 'colstore/sync': facts(2e6), 'plain <b>{{ 1 }}</b>': facts(4e6) },
  tasks: {
    take: {
      title: 'take rows',
      digest: null,
      measurements: {
        'plain <b>{{ 1 }}</b>': measured(4e6),
        'colstore/sync': measured(2e6),
        'slow-poke': { kind: 'not offered' },
        broken: { kind: 'failed', reason: 'it broke' },
      },
    },
    view: { title: 'view rows', digest: null, measurements: { 'colstore/sync': { kind: 'not offered' } } },
  },
  goals: [
    {
      goal: { kind: 'ratio', task: 'take', subject: 'colstore/sync', against: 'plain', atMost: 0.5 },
      value: 0.5,
      reached: true,
      note: null,
    },
  ],
};

test('no results: the page says so', () => assert.equal(chartsFor(null, null), NONE));

test('a run of files that are not cached stands on the page of its suite alone, which says so', () => {
  const cold = {
    ...run,
    suite: 'w7',
    title: 'cold',
    cold: true,
    runs: [{ ...run.runs[0], cache: { asked: 'cold', cachedShare: 0 } }],
  };
  writeFileSync(join(results, 'w7-cold.json'), JSON.stringify(cold));
  assert.match(chartsFor('w7', null), /page cache cold/);
  for (const part of ['take', 'medians', 'sizes']) assert.equal(chartsFor('w7', part), NONE);
  rmSync(join(results, 'w7-cold.json'));
});

test('a run is drawn with its conditions, its sizes, its goals and what is missing', () => {
  writeFileSync(join(results, 'w9-test.json'), JSON.stringify(run));
  const page = chartsFor(null, null);
  assert.match(page, /^## w9: a question$/m);
  assert.match(page, /test cpu, 2 cores/);
  assert.match(page, /### take: take rows/);
  assert.match(page, /### view: view rows\n\nNot measured\./);
  assert.match(page, /Without a bar: slow-poke \(not offered\), broken \(failed\)/);
  assert.match(page, /### Sizes of the files/);
  assert.match(page, /2\.000 MB/);
  assert.match(page, /### Goals[\s\S]*reached/);
  assert.match(page, /absent: no such peer/);
});

test('the table of all tasks alone', () => {
  const page = chartsFor('w9', 'medians');
  assert.match(page, /^\*\*a question\*\*\n\n\| candidate .*\| *take \|/);
  assert.match(page, /\| colstore\/sync +\|/);
  assert.doesNotMatch(page, /<svg|###|Goals/);
  assert.equal(chartsFor('absent', 'medians'), NONE);
});

test('bars are as long as their values, the fastest first, ours in our colour', () => {
  const page = chartsFor('w9', 'take');
  const bars = [...page.matchAll(/<rect class="(bars-\w+)"[^>]* width="([\d.]+)%"/g)].map(([, colour, width]) => [
    colour,
    Number(width),
  ]);
  assert.deepEqual(
    bars.map(([colour]) => colour),
    ['bars-ours', 'bars-peer'],
  );
  assert.ok(Math.abs(bars[1][1] / bars[0][1] - 2) < 0.01, String(bars));
  assert.match(page, /2\.00 ms/);
});

test('text cannot become markup or a template', () => {
  const page = chartsFor(null, null);
  assert.doesNotMatch(page, /<b>|\{\{/);
  assert.doesNotMatch(pictureOf('0 | <b>{{ x }} | 1 | head'), /<b>|\{\{/);
});

test('a suite or task that is not there: no chart', () => {
  assert.equal(chartsFor('w0', null), NONE);
  assert.equal(chartsFor('w9', 'absent'), NONE);
});

test('a sweep is drawn as curves, with its tables', () => {
  const points = [
    { x: 1000, y: 2e6 },
    { x: 10_000, y: 2e7 },
  ];
  const curves = [{ name: 'colstore <b>{{ 1 }}</b>', points, growth: { exponent: 1, fixed: 0, perUnit: 2000 } }];
  const sweep = {
    suite: 'w9',
    sweep: 'rows',
    title: 'more rows',
    unit: 'rows',
    quick: false,
    runs: run.runs,
    panels: [{ title: 'take', unit: 'ns', curves }],
  };
  writeFileSync(join(results, 'w9-rows.json'), JSON.stringify(sweep));
  const page = chartsFor(null, null);
  assert.match(page, /^## w9, rows: more rows$/m);
  assert.match(page, /<figure class="figure curves" v-pre><svg [^\n]*<polyline/);
  assert.match(page, /### take\n\n\| candidate/);
  assert.doesNotMatch(page, /<b>|\{\{|is not a record/);
});

test('a JSON file that is no record is named; a broken one fails the build', () => {
  writeFileSync(join(results, 'notes.json'), '{"hello": 1}');
  assert.match(chartsFor(null, null), /`notes\.json` is not a record/);
  writeFileSync(join(results, 'notes.json'), '{');
  assert.throws(() => chartsFor(null, null), SyntaxError);
  rmSync(join(results, 'notes.json'));
});

test('a picture has a box a line and refuses a kind that it does not know', () => {
  const picture = pictureOf('0 | magic | 8 bytes | head\n8 | rows | | data\nend | | | end\n');
  assert.equal([...picture.matchAll(/class="bytes-row/g)].length, 3);
  assert.match(picture, /aria-label="Bytes in order: 0, magic, 8 bytes; 8, rows; end"/);
  assert.throws(() => pictureOf('0 | a | b | nonsense'), /offset \| what \| size \| kind/);
});

test('the sizes of files alone, and a line for each suite', () => {
  const sizes = chartsFor('w9', 'sizes');
  assert.match(sizes, /4\.000 MB/);
  assert.doesNotMatch(sizes, /###/);
  assert.equal(chartsFor('w0', 'sizes'), NONE);
  assert.match(overview(), /^\| \[w9\]\(\/figures\/w9\) \| a question; more rows \| 2 \| colstore, plain &lt;b&gt;/m);
});
