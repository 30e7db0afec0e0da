// Programs of users in one folder with no node_modules beside it, as bundlers make them of the published builds: they
// run, find the addon where its file lies beside them or their executable, and the loader's worker script, or say what
// to do.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { afterAll, expect, it } from 'vitest';

const PROGRAM = `
  import { mkdtempSync, rmSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  import * as colstore from 'colstore';
  import * as columna from 'columna';
  import * as syrah from 'syrah';
  async function main() {
    const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
    await colstore.write(join(folder, 'a.cstore'), { x: Float64Array.of(1, 2, 3) });
    const table = await colstore.open(join(folder, 'a.cstore'));
    await columna.write(join(folder, 'a.cna'), { x: Int32Array.of(1, 2, 3) });
    const { x } = await columna.read(join(folder, 'a.cna'));
    const writer = await syrah.create(join(folder, 'a.syr'));
    for (let i = 0; i < 8; i++) await writer.addItem({ x: Float32Array.of(i) });
    await writer.close();
    const dataset = await syrah.SyrahDataset.open(join(folder, 'a.syr'), ['x']);
    let worker = 'found';
    try {
      for await (const batch of new syrah.DataLoader(dataset, { batchSize: 4, workers: 1 })) void batch;
    } catch (error) {
      worker = error.message;
    }
    const sum = await table.column('x').sum();
    table.close();
    rmSync(folder, { recursive: true });
    console.log(JSON.stringify({ sum, length: x.length, backend: colstore.backendInfo().backend, worker }));
  }
  main();
`;
const ADDON = fileURLToPath(new URL('../../../../native/build/Release/colkit_native.node', import.meta.url));

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-bundle-'));
  folders.push(folder);
  return folder;
}

/** The one script of the folder `app.EXTENSION`, and on request what stands beside it. */
async function bundled(format: 'cjs' | 'esm', withWorker: boolean): Promise<string> {
  const folder = newFolder();
  const common = {
    absWorkingDir: import.meta.dirname,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    logLevel: 'error',
  } as const;
  const extension = format === 'cjs' ? '.cjs' : '.mjs';
  const path = join(folder, `app${extension}`);
  await esbuild({ ...common, stdin: { contents: PROGRAM, resolveDir: import.meta.dirname }, outfile: path });
  const entryPoints = { 'loader-worker': 'syrah/loader-worker' };
  if (withWorker) await esbuild({ ...common, entryPoints, outdir: folder, outExtension: { '.js': extension } });
  return path;
}

function answerOf(script: string, program = process.execPath): { worker: string; backend: string } {
  // Package managers name folders of modules, which a user's folder has not.
  const env = { ...process.env, COLKIT_BACKEND: 'auto', NODE_PATH: '' };
  const text = execFileSync(program, [script], { encoding: 'utf8', env, timeout: 60_000, cwd: tmpdir() });
  return JSON.parse(text) as { worker: string; backend: string };
}

const isOnce = process.env['COLKIT_BACKEND'] === 'js';

it.runIf(isOnce).each(['cjs', 'esm'] as const)('esbuild, %s for Node: one file runs', async (format) => {
  const script = await bundled(format, false);
  const { worker, ...others } = answerOf(script);
  expect(others).toEqual({ sum: 6, length: 3, backend: 'js' });
  expect(worker).toContain('in a bundle, make syrah/loader-worker one more entry that is named loader-worker.js');
});

it.runIf(isOnce && existsSync(ADDON)).each(['cjs', 'esm'] as const)(
  'esbuild, %s for Node: addon and worker script beside it are found',
  async (format) => {
    const script = await bundled(format, true);
    copyFileSync(ADDON, join(script, '..', 'colkit_native.node'));
    expect(answerOf(script)).toEqual({ sum: 6, length: 3, backend: 'native', worker: 'found' });
  },
);

it.runIf(isOnce && existsSync(ADDON))('beside an executable, which has the bundle inside, they are found', async () => {
  const script = await bundled('esm', true);
  const folder = newFolder();
  const executable = join(folder, 'app.exe');
  copyFileSync(process.execPath, executable);
  copyFileSync(ADDON, join(folder, 'colkit_native.node'));
  renameSync(join(script, '..', 'loader-worker.mjs'), join(folder, 'loader-worker.mjs'));
  expect(answerOf(script, executable)).toEqual({ sum: 6, length: 3, backend: 'native', worker: 'found' });
});

it.runIf(isOnce)('Vite, for the web: parts and the worker are files of their own', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="/main.js"></script>');
  writeFileSync(
    join(folder, 'main.js'),
    `import { col, open } from 'colstore'; import { scan } from 'columna'; import { DataLoader } from 'syrah';
     globalThis.use = [col, open, scan, DataLoader];`,
  );
  await vite({
    configFile: false,
    logLevel: 'error',
    root: folder,
    // The packages of this repository, as if they were installed there.
    resolve: {
      alias: ['colstore', 'columna', 'syrah'].map((name) => ({
        find: new RegExp(`^${name}$`),
        replacement: fileURLToPath(
          new URL(`../../../${name}/dist/browser/${name === 'columna' ? 'reading' : 'browser'}.js`, import.meta.url),
        ),
      })),
    },
    // Making it small is most of the work, and nothing of this.
    build: { outDir: 'out', minify: false, rollupOptions: { external: ['apache-arrow'] } },
  });
  const files = readdirSync(join(folder, 'out/assets'));
  expect(files.filter((name) => name.startsWith('loader-worker')).length).toBe(1);
  for (const part of ['answers', 'arrange-rows', 'parse', 'settle-steps'])
    expect(files.some((name) => name.startsWith(`${part}-`))).toBe(true);
});
