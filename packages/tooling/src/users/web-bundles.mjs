// How each bundler makes a folder for the web of a program, and what the program finds in Chromium. Those that need no
// settings get none; what is set is what docs/guide/bundlers.md and browsers.md tell users to set.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The loader's workers run a script of their own, which webpack, Parcel and Vite find: else it is one more entry. */
const WORKER = 'syrah/loader-worker';

export const webBundles = [
  { name: 'esbuild', bundle: byEsbuild },
  { name: 'webpack', bundle: (context, folder) => byWebpack(context, folder, 'page.mjs') },
  { name: 'webpack, own worker', bundle: (context, folder) => byWebpack(context, folder, 'own-worker.mjs') },
  { name: 'rollup', bundle: byRollup },
  { name: 'Parcel', bundle: byParcel },
];

async function byEsbuild({ project, load }, folder) {
  const { build } = await load('esbuild');
  await build({
    absWorkingDir: project,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: folder,
    entryPoints: { app: 'page.mjs', [WORKER]: WORKER },
    logLevel: 'warning',
  });
  writePage(folder, 'app.js');
}

async function byWebpack({ project, load }, folder, page) {
  const { default: webpack } = await load('webpack');
  const compiler = webpack({
    mode: 'production',
    target: 'web',
    context: project,
    entry: { app: `./${page}` },
    output: { path: folder, filename: '[name].js', publicPath: '/' },
  });
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, result) => (error ? reject(error) : compiler.close(() => resolve(result))));
  });
  if (stats.hasErrors()) throw new Error(stats.toString({ colors: false }));
  writePage(folder, 'app.js');
}

async function byRollup({ project, load }, folder) {
  const { rollup } = await load('rollup');
  const { default: nodeResolve } = await load('@rollup/plugin-node-resolve');
  const bundle = await rollup({
    input: { app: join(project, 'page.mjs'), [WORKER]: WORKER },
    plugins: [nodeResolve({ rootDir: project, browser: true })],
    onwarn({ code, message }) {
      if (code !== 'UNRESOLVED_IMPORT') console.log(`rollup: ${message}`);
    },
  });
  await bundle.write({ dir: folder, format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' });
  await bundle.close();
  writePage(folder, 'app.js');
}

/** Its settings stand in the program's package.json. */
function byParcel({ project, tools }, folder) {
  const manifest = join(project, 'package.json');
  const before = readFileSync(manifest, 'utf8');
  const settings = { '@parcel/resolver-default': { packageExports: true }, alias: { 'apache-arrow': false } };
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(before), ...settings }));
  writePage(project, 'page.mjs');
  try {
    const parcel = join(tools, 'node_modules', 'parcel', 'lib', 'bin.js');
    const build = ['build', 'index.html', '--dist-dir', folder, '--no-cache', '--no-source-maps'];
    const { status, stdout, stderr } = spawnSync(process.execPath, [parcel, ...build], {
      cwd: project,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stdout + stderr);
  } finally {
    writeFileSync(manifest, before);
  }
}

/** The page that runs a script of the folder. */
export function writePage(folder, script) {
  const icon = '<link rel="icon" href="data:,">';
  writeFileSync(join(folder, 'index.html'), `<!doctype html>${icon}<script type="module" src="/${script}"></script>\n`);
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

/** Serves the folders, the first that has a file, by ranges; gives its address and what ends it. */
export async function serve(folders) {
  const files = new Map();
  for (const folder of [...folders].reverse())
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      if (entry.isFile()) files.set(path.slice(folder.length).replaceAll('\\', '/'), path);
    }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = files.get(pathname === '/' ? '/index.html' : pathname);
    if (path === undefined || !existsSync(path)) return response.writeHead(404).end();
    const bytes = readFileSync(path);
    const type = { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' };
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
    if (range === null) return response.writeHead(200, type).end(bytes);
    const [, first, last] = range;
    const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const end = first === '' || last === '' ? bytes.length : Math.min(bytes.length, Number(last) + 1);
    const content = `bytes ${start}-${end - 1}/${bytes.length}`;
    return response.writeHead(206, { ...type, 'content-range': content }).end(bytes.subarray(start, end));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** What the page's program finds. */
export async function inChromium(browser, address) {
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  // Vite's server for development tells by it that it is connected.
  page.on('console', (message) => message.type() !== 'debug' && faults.push(message.text()));
  try {
    await page.goto(address);
    // Asked again where the page is loaded again, which that server does when it finds one more package.
    const answer = await page.waitForFunction('globalThis.answer', undefined, { timeout: 30_000 });
    return { ...(await answer.jsonValue()), ...(faults.length > 0 ? { faults } : {}) };
  } catch (error) {
    return { error: String(error), faults };
  } finally {
    await page.close();
  }
}
