#!/usr/bin/env node
// `npm run test:engines`: the wheel of packages/python, built and installed as its users have it, in its own tests and
// under DuckDB, Dask, Ray and Spark, which come from PyPI into an environment of their own (a gigabyte) by
// COLKIT_PYTHON or python3. Names choose suites: `npm run test:engines -- duckdb dask`; without names all run.
// `npm run test:python` is the suite `package`: pyarrow, pandas and Polars. Each suite runs its example of
// docs/guide/scale-out.md, too. Spark needs Java 17 or newer. COLKIT_ENGINES names a Python that has what is needed;
// the wheel is installed beside, not into it. Exits with 1 where a suite fails or cannot run.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from '../published.mjs';

const SOURCES = join(ROOT, 'packages', 'python');
const EXAMPLES = join(ROOT, 'docs', 'examples', 'scale-out', 'engines');
const COMMAND = join(ROOT, 'packages', 'colkit');
const ORDERS = 'order_id,region,amount\n1,EMEA,10.5\n2,APAC,7.25\n3,EMEA,2\n4,,3\n';
const ARROW = 'pyarrow==26.0.1';
const BUILD = 'hatchling==1.33.0';
const FRAMES = ['pandas==3.1.1', 'polars==2.1.0'];
/** Tests, example and packages of each suite. */
const SUITES = new Map([
  [
    'package',
    {
      example: 'table.py',
      tests: ['tests.test_table', 'tests.test_conditions', 'tests.test_processes'],
      packages: FRAMES,
    },
  ],
  ['duckdb', { example: 'with_duckdb.py', tests: ['tests.engines.test_duckdb'], packages: ['duckdb==2.0.1'] }],
  [
    'dask',
    {
      example: 'with_dask.py',
      tests: ['tests.engines.test_dask'],
      packages: ['dask[dataframe,distributed]==2026.8.0', ...FRAMES],
    },
  ],
  [
    'ray',
    {
      example: 'with_ray.py',
      tests: ['tests.engines.test_ray'],
      // Ray's own reader of Parquet, which bench compares with, imports aiohttp and does not depend on it.
      packages: ['ray[data]==2.60.0', 'aiohttp==3.14.5', ...FRAMES],
    },
  ],
  [
    'spark',
    {
      example: 'with_spark.py',
      tests: ['tests.engines.test_spark'],
      packages: ['pyspark==4.3.0', ...FRAMES],
      needs: missingJava,
    },
  ],
]);
const TIMEOUT_MS = 600_000;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !SUITES.has(name));
if (unknown.length > 0) throw new Error(`no suite ${unknown.join(', ')}; there are ${[...SUITES.keys()].join(', ')}`);
const chosen = names.length > 0 ? names : [...SUITES.keys()];
const cache = join(ROOT, 'packages', 'tooling', '.cache', 'engines');
const environment = join(cache, 'env');
const python = process.env.COLKIT_ENGINES ?? installed(chosen.flatMap((name) => SUITES.get(name).packages));
const work = join(cache, 'work');
const wheel = installWheel();

const said = chosen.map((name) => [name, suite(name)]);
for (const [name, result] of said) console.log(`${name}: ${result}`);
if (said.some(([, result]) => result !== 'passed')) process.exitCode = 1;

function suite(name) {
  const { tests, example, needs } = SUITES.get(name);
  const missing = needs?.();
  if (missing !== undefined) return missing;
  console.log(`--- ${name}`);
  const { status, error } = runPython(['-m', 'unittest', '--verbose', ...tests], 'inherit');
  if (error !== undefined) return `failed: ${error.message}`;
  if (status !== 0) return `failed with ${status}`;
  return exampleFails(join(EXAMPLES, example)) ?? 'passed';
}

/** A folder of its own: what is imported is the wheel, not the sources. */
function runPython(parameters, stdio) {
  return spawnSync(python, parameters, {
    cwd: work,
    stdio,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    env: {
      ...process.env,
      COLKIT_PACKAGE: COMMAND,
      COLKIT_NODE: process.execPath,
      PYSPARK_PYTHON: python,
      PYTHONPATH: [wheel, work].join(delimiter),
      RAY_USAGE_STATS_ENABLED: '0',
    },
  });
}

/** What an example says that it prints is among what it prints, in that order. */
function exampleFails(path) {
  const orders = join(work, 'orders.csv');
  writeFileSync(orders, ORDERS);
  run(process.execPath, [
    join(COMMAND, 'bin', 'colkit.js'),
    'convert',
    orders,
    join(work, 'orders.cna'),
    '--overwrite',
  ]);
  const { status, stdout, stderr } = runPython([path], 'pipe');
  const promised = [...readFileSync(path, 'utf8').matchAll(/# → (.*)$/gm)].map(([, line]) => line);
  const printed = stdout.split('\n');
  const found = printed.filter((line, index) => promised.includes(line) && line !== printed[index - 1]);
  if (status === 0 && promised.length > 0 && found.join('\n') === promised.join('\n')) return undefined;
  return `failed: ${path} printed\n${stdout}${stderr}`;
}

/** Builds the wheel, and installs it into a folder beside copies of the tests; that folder. */
function installWheel() {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  cpSync(join(SOURCES, 'tests'), join(work, 'tests'), { recursive: true });
  const builder = tools();
  run(builder, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '-w', work, SOURCES]);
  const built = readdirSync(work).filter((name) => name.endsWith('.whl'));
  if (built.length !== 1) throw new Error(`expected one wheel but found ${built.join(', ') || 'none'}`);
  const folder = join(work, 'site');
  run(builder, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, join(work, built[0])]);
  console.log(`${built[0]} is built and installed`);
  return folder;
}

/** A Python that builds wheels. */
function tools() {
  return environmentWith(join(cache, 'build'), [BUILD]);
}

function installed(packages) {
  return environmentWith(environment, [ARROW, ...new Set(packages)]);
}

/** The Python of an environment that has these packages, and keeps what it has. */
function environmentWith(folder, packages) {
  const own = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  const list = join(folder, 'colkit-packages.json');
  const there = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const missing = packages.filter((name) => !there.includes(name));
  if (!existsSync(own)) {
    mkdirSync(folder, { recursive: true });
    run(process.env.COLKIT_PYTHON ?? 'python3', ['-m', 'venv', folder]);
  }
  if (missing.length > 0) {
    run(own, ['-m', 'pip', 'install', '--quiet', ...missing]);
    writeFileSync(list, JSON.stringify([...there, ...missing]));
  }
  return own;
}

function run(command, parameters) {
  const { status, error } = spawnSync(command, parameters, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Spark runs in a Java machine. */
function missingJava() {
  const { status, error } = spawnSync('java', ['-version'], { stdio: 'ignore' });
  if (status === 0 && error === undefined) return undefined;
  return 'cannot run: there is no Java 17 or newer on the PATH (Debian: apt-get install default-jre-headless)';
}
