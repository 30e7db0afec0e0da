#!/usr/bin/env node
// `npm run bench:scale-out`: what it costs to go beyond one process. `workers`: a question over 1, 2 and 4 workers of
// BullMQ beside the same question in one process. `bridge`: all values and a sum by group through the Python package
// beside Parquet read by pyarrow, in the same engine. Without a name both. Answers are compared before a figure is
// told; candidates take turns. `--rows 4000000`, `--rounds 3`, `--engines duckdb,dask`, `--save`
// (results/scale-out.md). Needs redis-server
// (COLKIT_REDIS_SERVER), and for `bridge` the environment that `npm run test:engines` made (or COLKIT_ENGINES).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commit, writePart } from '../../packages/columna/dist/index.js';
import { median, table } from './report.mjs';
import { runWorkers } from './workers.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'bench', '.cache', 'scale-out');
const ENGINES = join(ROOT, 'packages', 'tooling', '.cache', 'engines');
const PARTS = 4;
const ROW_GROUP_ROWS = 125_000;
const REGIONS = ['AMER', 'APAC', 'EMEA', 'LATAM', 'MEA'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '4000000' },
    rounds: { type: 'string', default: '3' },
    save: { type: 'boolean' },
    engines: { type: 'string', default: 'pyarrow,duckdb,dask,ray,spark' },
  },
});
const [rows, rounds] = [Number(values.rows), Number(values.rounds)];
const chosen = positionals.length > 0 ? positionals : ['workers', 'bridge'];
const folder = join(CACHE, `orders-${rows}`);
if (!existsSync(join(folder, 'done'))) await makeOrders();

const count = rows.toLocaleString('en-US');
const machine = `${cpus()[0].model}, ${cpus().length} cores`;
const texts = [`# Beyond one process\n\n${count} orders in ${PARTS} files, row groups of 125,000; ${machine}.\n`];
if (chosen.includes('workers')) texts.push(await workers());
if (chosen.includes('bridge')) texts.push(bridge());
console.log(texts.join('\n'));
if (values.save) writeFileSync(join(ROOT, 'bench', 'results', 'scale-out.md'), texts.join('\n'));

async function workers() {
  const results = await runWorkers({ folder, rounds });
  const { splits } = results[0].samples[0];
  const lines = results.map(({ name, samples }) => {
    const of = (pick) => median(samples.map(pick));
    return [
      name,
      `${of(({ ms }) => ms).toFixed(0)}`,
      `${of(({ cpuMs }) => cpuMs).toFixed(0)}`,
      `${of(({ cpuMs }) => cpuMs / splits).toFixed(1)}`,
      `${of(({ serverMs }) => serverMs).toFixed(0)}`,
      `${of(({ peakMiB }) => peakMiB).toFixed(0)}`,
    ];
  });
  return [
    '## Workers of BullMQ\n',
    `Groups of the rows that a predicate keeps, ${splits} splits; medians of ${rounds} rounds in turn.\n`,
    table(['', 'ms', 'CPU ms, all processes', 'CPU ms a split', 'CPU ms of Redis', 'peak MiB of a process'], lines),
  ].join('\n');
}

function bridge() {
  const own = join(ENGINES, 'env', process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  const python = process.env.COLKIT_ENGINES ?? own;
  if (!existsSync(python)) throw new Error('no environment with engines: npm run test:engines makes it');
  const lines = [];
  const sources = join(ROOT, 'packages', 'python', 'src');
  for (const engine of values.engines.split(',')) {
    const here = join(ROOT, 'bench', 'scale-out');
    const { status, stdout, stderr } = spawnSync(python, [join(here, 'bridge.py'), engine, folder, String(rounds)], {
      encoding: 'utf8',
      env: {
        ...process.env,
        COLKIT_PACKAGE: join(ROOT, 'packages', 'colkit'),
        COLKIT_NODE: process.execPath,
        PYTHONPATH: [sources, here].join(delimiter),
        PYSPARK_PYTHON: python,
        RAY_USAGE_STATS_ENABLED: '0',
      },
    });
    const said = stdout.split('\n').find((line) => line.startsWith('RESULT '));
    if (status !== 0 || said === undefined) {
      console.error(`${engine}: left out: ${stderr.trim().split('\n').at(-1)}`);
      continue;
    }
    for (const { task, colkit, parquet, bytes } of JSON.parse(said.slice(7))) {
      const [ours, theirs] = [median(colkit), median(parquet)];
      const ratio = median(colkit.map((each, round) => each / parquet[round]));
      const rate = bytes === null ? '' : `${(bytes / ours / 1e6).toFixed(0)} / ${(bytes / theirs / 1e6).toFixed(0)}`;
      lines.push([engine, task, (ours * 1000).toFixed(0), (theirs * 1000).toFixed(0), ratio.toFixed(2), rate]);
    }
  }
  return [
    '\n## The bridge of Python beside Parquet read by pyarrow\n',
    `Medians of ${rounds} rounds in turn, in one process of the engine, after one that warms up.\n`,
    table(['engine', 'task', 'colkit, ms', 'Parquet, ms', 'ratio', 'MB of Arrow a second, both'], lines),
  ].join('\n');
}

async function makeOrders() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const each = rows / PARTS;
  for (let part = 0; part < PARTS; part += 1) {
    const [id, qty, amount] = [new BigInt64Array(each), new Int32Array(each), new Float64Array(each)];
    const region = new Array(each);
    for (let row = 0; row < each; row += 1) {
      id[row] = BigInt(part * each + row);
      qty[row] = random() * 100;
      amount[row] = Math.round(random() * 1e6) / 100;
      region[row] = REGIONS[Math.trunc(random() * REGIONS.length)];
    }
    const data = { id, qty, amount, region };
    const reference = await writePart(join(folder, 'orders'), data, { rowGroupSize: ROW_GROUP_ROWS });
    await commit(join(folder, 'orders'), [reference], { expected: part });
  }
  writeFileSync(join(folder, 'done'), '');
}
