// Vite's builds for the web, and its servers for development, by its plainest configuration: the versions that are in
// use, because each has rules of its own for workers. One setting is needed, and documented: `worker.format` for a
// worker of the user's own in a build by Vite 5 to 7.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writePage } from './web-bundles.mjs';

/** The packages of TOOLS, and whether they make a worker of what is loaded in parts without being told how. */
const VERSIONS = [
  { vite: 'vite-5', name: 'Vite 5', splitsWorkers: false },
  { vite: 'vite-6', name: 'Vite 6', splitsWorkers: false },
  { vite: 'vite', name: 'Vite 7', splitsWorkers: false },
  { vite: 'vite-8', name: 'Vite 8', splitsWorkers: true },
];

export const viteBundles = VERSIONS.flatMap(({ vite, name, splitsWorkers }) => [
  { name, bundle: (context, folder) => build(context, folder, { vite, page: 'page.mjs' }) },
  {
    name: `${name}, own worker`,
    bundle: (context, folder) =>
      build(context, folder, {
        vite,
        page: 'own-worker.mjs',
        settings: splitsWorkers ? {} : { worker: { format: 'es' } },
      }),
  },
  { name: `${name}, dev server`, bundle: (context, _, files) => start(context, files, { vite, page: 'page.mjs' }) },
  {
    name: `${name}, dev server, own worker`,
    bundle: (context, _, files) => start(context, files, { vite, page: 'own-worker.mjs' }),
  },
]);

/** Its modules: for CommonJS, which `load` resolves for, versions 5 and 6 have another form. */
function viteOf(tools, name) {
  return import(pathToFileURL(join(tools, 'node_modules', name, 'dist', 'node', 'index.js')).href);
}

async function build({ project, tools }, folder, { vite, page, settings = {} }) {
  const { build: run } = await viteOf(tools, vite);
  writePage(project, page);
  await run({
    configFile: false,
    logLevel: 'error',
    root: project,
    build: { outDir: folder, emptyOutDir: false },
    ...settings,
  });
}

/** A server, as `serve` gives one. */
async function start({ project, tools }, files, { vite, page }) {
  const { createServer } = await viteOf(tools, vite);
  writePage(project, page);
  // What it has made of the packages for another page would be taken.
  rmSync(join(project, 'node_modules', '.vite'), { recursive: true, force: true });
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    root: project,
    publicDir: files,
    server: { host: '127.0.0.1' },
  });
  await server.listen();
  return { address: server.resolvedUrls.local[0], close: () => server.close() };
}
