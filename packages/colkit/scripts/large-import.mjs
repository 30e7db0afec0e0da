// A large CSV file is imported in Chromium, from the origin's private files into a scratch file of them: the memory of
// the renderer must not grow by more than a bound. Needs the built packages, Chromium and Linux (/proc).
// pnpm --filter colkit run test:large-import [MEGABYTES]
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

const MEGABYTES = Number(process.argv[2] ?? 200);
/** A row group or two, 64 MiB of encoded values, and what the collector has not taken yet. */
const MOST_GROWTH = 256;
const FOLDER = fileURLToPath(new URL('..', import.meta.url));

const PROGRAM = `
  import { openTable } from 'colkit/convert';
  async function work() {
    const root = await navigator.storage.getDirectory();
    const csv = await root.getFileHandle('large.csv', { create: true });
    const out = await csv.createWritable();
    await out.write('id,price,name,day\\n');
    let rows = 0;
    for (let bytes = 0; bytes < ${String(MEGABYTES)} * 1e6; ) {
      let text = '';
      for (let i = 0; i < 20000; i++, rows++)
        text += rows + ',' + ((rows * 7919) % 10007) / 8 + ',name ' + (rows % 5000) + ',2024-01-' +
          String(1 + (rows % 28)).padStart(2, '0') + '\\n';
      bytes += text.length;
      await out.write(text);
    }
    await out.close();
    postMessage({ isReady: true });
    const scratch = await root.getFileHandle('large.cna', { create: true });
    const { table, imported } = await openTable(await csv.getFile(), { scratch });
    postMessage({ rows, found: await table.count(), bytes: imported.byteLength });
  }
  if (typeof document === 'undefined') work().catch((error) => postMessage({ error: String(error.stack) }));
  else {
    globalThis.told = [];
    new Worker('/program.js', { type: 'module' }).onmessage = ({ data }) => globalThis.told.push(data);
  }
`;

const { outputFiles } = await build({
  stdin: { contents: PROGRAM, resolveDir: FOLDER, sourcefile: 'program.js' },
  absWorkingDir: FOLDER,
  bundle: true,
  splitting: true,
  outdir: 'out',
  write: false,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
});
const scripts = new Map(
  outputFiles.map(({ path, contents }) => [`/${basename(path).replace('stdin', 'program')}`, contents]),
);
const server = createServer((request, response) => {
  const script = scripts.get(request.url);
  response
    .writeHead(200, { 'content-type': script === undefined ? 'text/html' : 'text/javascript' })
    .end(script ?? '<!doctype html><script type="module" src="/program.js"></script>');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  let [before, most, last] = [null, 0, null];
  while (last?.rows === undefined) {
    last = await page.evaluate('globalThis.told?.at(-1)');
    if (last?.error !== undefined) throw new Error(last.error);
    if (last?.isReady === true) before ??= largestRenderer();
    if (before !== null) most = Math.max(most, largestRenderer());
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  console.log(`${MEGABYTES} MB of CSV, ${last.found} rows, ${last.bytes} bytes of .cna: ${before} MB, then ${most} MB`);
  if (last.found !== last.rows || before === null || most - before > MOST_GROWTH) process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
}

/** Resident megabytes. */
function largestRenderer() {
  let most = 0;
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('--type=renderer')) continue;
      const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      most = Math.max(most, Math.round(Number(kilobytes) / 1000));
    } catch {
      // The process ended meanwhile.
    }
  }
  return most;
}
