#!/usr/bin/env node
// `npm run bench:browsers`: three million flights over HTTP, in Chromium: columna beside hyparquet, parquet-wasm and
// duckdb-wasm, which read the file as vega-datasets ships it. Each task in a page of its own, in turn, nothing cached;
// answers are compared before a time is told. `--rounds 3`, `--save`. `npm run bench -- peers --install` brings the
// peers.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'bench', '.cache');
const PEERS = join(CACHE, 'peers', 'node_modules');
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const TASKS = ['first answer', 'filter', 'group', 'all values'];
const LIBRARIES = [
  { name: 'columna', file: 'flights-requests.cna' },
  { name: 'columna, default file', page: 'columna', file: 'flights.cna' },
  { name: 'hyparquet', file: 'flights.parquet' },
  { name: 'parquet-wasm', file: 'flights.parquet', needs: 'parquet-wasm/esm/parquet_wasm_bg.wasm' },
  { name: 'duckdb-wasm', file: 'flights.parquet', needs: '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm' },
];
/** As `convert` writes it, and as it is advised for questions over HTTP. */
const FILES = [
  ['flights.cna', []],
  ['flights-requests.cna', ['--mode', 'smallest', '--no-joint', '--row-group-size', '4194304']],
];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const TIMEOUT_MS = 300_000;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, save: { type: 'boolean' } } });
const require = createRequire(join(ROOT, 'packages', 'colkit', 'package.json'));
const { build } = require('esbuild');
const { chromium } = require('playwright-core');
const executablePath = CHROMIUM.find((path) => path !== undefined && existsSync(path));
if (executablePath === undefined) throw new Error('no Chromium here (CHROMIUM names one)');

const site = join(CACHE, 'browsers');
mkdirSync(site, { recursive: true });
const present = LIBRARIES.filter(({ name, needs }) => {
  const there = needs === undefined || existsSync(join(PEERS, needs));
  if (!there) console.log(`${name}: not installed (npm run bench -- peers --install), left out`);
  return there;
});
await prepare();
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
try {
  const samples = new Map(present.map(({ name }) => [name, Object.fromEntries(TASKS.map((task) => [task, []]))]));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const task of TASKS)
      for (const library of present) samples.get(library.name)[task].push(await visit(library, task));
  checkSame(samples);
  const text = report(samples);
  console.log(text);
  if (values.save) writeFileSync(join(ROOT, 'bench', 'results', 'browsers.md'), text);
} finally {
  await browser.close();
}

/** Files, and one bundle for each library. */
async function prepare() {
  const shipped = join(
    dirname(createRequire(join(ROOT, 'bench', 'package.json')).resolve('vega-datasets')),
    '..',
    'data',
  );
  copyFileSync(join(shipped, 'flights-3m.parquet'), join(site, 'flights.parquet'));
  const program = join(ROOT, 'packages', 'colkit', 'bin', 'colkit.js');
  for (const [file, options] of FILES) {
    rmSync(join(site, file), { force: true });
    execFileSync(process.execPath, [program, 'convert', join(site, 'flights.parquet'), join(site, file), ...options]);
  }
  for (const { name, needs, page } of present) {
    if (page !== undefined) continue;
    if (needs !== undefined) copyFileSync(join(PEERS, needs), join(site, needs.replace(/.*\//, '')));
    await build({
      entryPoints: [join(HERE, 'pages', `${name}.js`)],
      outdir: join(site, name),
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      nodePaths: [PEERS, join(ROOT, 'bench', 'node_modules')],
      logLevel: 'warning',
    });
    writeFileSync(
      join(site, `${name}.html`),
      `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/${name}/${name}.js"></script>\n`,
    );
  }
  const worker = '@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js';
  if (existsSync(join(PEERS, worker))) copyFileSync(join(PEERS, worker), join(site, 'duckdb-browser-eh.worker.js'));
}

/** One page: what it answered, and what was asked of the server. */
async function visit({ name, page: program = name, file }, task) {
  const counted = { data: { requests: 0, bytes: 0 }, program: { requests: 0, bytes: 0 } };
  const server = await serve((path, bytes) => {
    const entry = counted[extname(path) === extname(file) ? 'data' : 'program'];
    entry.requests += 1;
    entry.bytes += bytes;
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    await page.goto(`${server.address}${program}.html?file=${file}&task=${encodeURIComponent(task)}`);
    await Promise.race([
      page.waitForFunction('globalThis.answer !== undefined', undefined, { timeout: TIMEOUT_MS }),
      page.waitForEvent('pageerror', { timeout: TIMEOUT_MS }).then((error) => Promise.reject(error)),
    ]);
    return { ...(await page.evaluate('globalThis.answer')), ...counted };
  } catch (error) {
    throw new Error(`${name}, ${task}: ${String(error)}`);
  } finally {
    await context.close();
    server.close();
  }
}

async function serve(count) {
  const files = new Map();
  const bytesOf = (path) => {
    if (!files.has(path)) files.set(path, existsSync(join(site, path)) ? readFileSync(join(site, path)) : null);
    return files.get(path);
  };
  const server = createServer(({ url, method, headers }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const bytes = bytesOf(pathname);
    if (bytes === null) return response.writeHead(404).end();
    const fixed = {
      'content-type': TYPES[extname(pathname)] ?? 'application/octet-stream',
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
    };
    const range = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '');
    const [, first = '', last = ''] = range ?? [];
    const start = range === null ? 0 : first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const end = first === '' || last === '' ? bytes.length : Math.min(bytes.length, Number(last) + 1);
    const part = bytes.subarray(start, end);
    count(pathname, method === 'HEAD' ? 0 : part.length);
    const content = range === null ? {} : { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` };
    response.writeHead(range === null ? 200 : 206, { ...fixed, ...content, 'content-length': part.length });
    return response.end(method === 'HEAD' ? undefined : part);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** @throws where libraries do not answer the same. */
function checkSame(samples) {
  for (const task of TASKS) {
    const texts = [...samples].map(([name, all]) => [name, JSON.stringify(all[task].map(({ found }) => found))]);
    for (const [name, text] of texts)
      if (text !== texts[0][1])
        throw new Error(`${task}: ${name} says ${text.slice(0, 300)}, ${texts[0][0]} ${texts[0][1].slice(0, 300)}`);
  }
}

function report(samples) {
  const names = [...samples.keys()];
  const medianOf = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const row = (label, of) => `| ${label} | ${names.map((name) => of(samples.get(name))).join(' | ')} |`;
  const counted = (kind, task) => (all) => {
    const { bytes, requests } = all[task][0][kind];
    return `${(bytes / 1e6).toFixed(2)} MB, ${requests}`;
  };
  const lines = [
    `| | ${names.join(' | ')} |`,
    `|---|${names.map(() => '--:').join('|')}|`,
    row('program: bytes, requests', counted('program', TASKS[0])),
  ];
  for (const task of TASKS) {
    lines.push(row(`${task}: ms`, (all) => medianOf(all[task].map(({ milliseconds }) => milliseconds)).toFixed(0)));
    lines.push(row(`${task}: data, requests`, counted('data', task)));
  }
  const sizes = [...FILES, ['flights.parquet', []]].map(
    ([file, options]) => `${[file, ...options].join(' ')}: ${statSync(join(site, file)).size} bytes`,
  );
  return (
    `# Flights over HTTP in Chromium\n\n3,000,000 flights, ${sizes.join(', ')}; Chromium ${browser.version()}, ` +
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores; medians of ${values.rounds} pages. ` +
    `Programs are minified, as served; the first answer (the sum of one column) counts from the beginning of the ` +
    `page, the other tasks from opening the file.\n\n${lines.join('\n')}\n`
  );
}
