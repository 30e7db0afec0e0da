#!/usr/bin/env node
// `npm run test:bundlers [name …]`: programs of users, bundled by each tool from the packages as npm brings them. For
// Node, and as executables, they run in a folder with no `node_modules` anywhere near, without the addon and with its
// file beside them; for the web in Chromium, where there is one; Next.js is built, started and asked. Exits with 1
// where one does not work.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT, run } from '../published.mjs';
import { launchChromium } from './chromium.mjs';
import { executables } from './executables.mjs';
import { addonPackage, installProject, installTools } from './installed.mjs';
import { tryNext } from './next-app.mjs';
import { TOOLS, nodeBundles } from './node-bundles.mjs';
import { viteBundles } from './vite-bundles.mjs';
import { inChromium, serve, webBundles } from './web-bundles.mjs';

const TIMEOUT_MS = 120_000;
/** What the program finds, whatever made the bundle; what the loader gives is the same in a thread of its own. */
const FOUND = { sum: (3000 * 2999) / 4, taken: [1, 0, 1499.5], read: 3000, scanned: 933 };
const IN_NODE = { ...FOUND, same: true };
const IN_BROWSERS = { ...FOUND, groups: 3, written: [1, 2, 3] };
const EXTERNAL = "serverExternalPackages: ['colstore', 'columna', 'syrah']";
const INCLUDED =
  "outputFileTracingIncludes: { '/*': ['./node_modules/@colkit/**/*', './node_modules/syrah/dist/**/*'] }";
const STANDALONE = `${EXTERNAL}, ${INCLUDED}, output: 'standalone', outputFileTracingRoot: import.meta.dirname`;
const NEXT_APPS = [
  { name: 'Next.js, packages external', config: `export default { ${EXTERNAL} };\n` },
  { name: 'Next.js, bundled', config: 'export default {};\n' },
  { name: 'Next.js, by webpack, bundled', config: 'export default {};\n', build: ['--webpack'] },
  { name: 'Next.js, by webpack, packages external', config: `export default { ${EXTERNAL} };\n`, build: ['--webpack'] },
  { name: 'Next.js, standalone', config: `export default { ${STANDALONE} };\n`, standalone: true },
];

const chosen = process.argv.slice(2);
const isChosen = ({ name }) => chosen.length === 0 || chosen.some((part) => name.toLowerCase().includes(part));
const work = mkdtempSync(join(tmpdir(), 'colkit-bundlers-'));
let failed = 0;
try {
  const tools = installTools('bundlers', TOOLS);
  const project = join(work, 'project');
  mkdirSync(project);
  const hasAddon = installProject(project);
  for (const name of ['program.mjs', 'page.mjs', 'in-worker.mjs', 'own-worker.mjs'])
    copyFileSync(fileURLToPath(new URL(`../../users/${name}`, import.meta.url)), join(project, name));
  const toolPath = createRequire(join(tools, 'package.json'));
  const context = { project, tools, load: (name) => import(pathToFileURL(toolPath.resolve(name)).href) };
  const forNode = nodeBundles.map(({ name, bundle }) => ({ name: `${name}, for Node`, bundle }));
  for (const each of [...forNode, ...executables].filter(isChosen)) await tryForNode(context, each, hasAddon);
  await tryForWeb(
    context,
    [...webBundles, ...viteBundles]
      .map(({ name, bundle }) => ({ name: `${name}, for the web`, bundle }))
      .filter(isChosen),
  );
  for (const app of NEXT_APPS.filter(isChosen)) await tryApp(context, app, hasAddon);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

async function tryForNode(context, { name, bundle }, hasAddon) {
  const folder = newFolder(name);
  const script = await bundle(context, folder);
  // Some bundlers write down where the packages were: nothing must be found there.
  const away = `${context.project}-away`;
  renameSync(context.project, away);
  try {
    check(`${name}, without the addon`, runIn(folder, script), { ...IN_NODE, backend: 'js', view: 'ERR_NOT_MAPPED' });
    if (!hasAddon) return;
    copyFileSync(join(addonPackage(away), 'colkit_native.node'), join(folder, 'colkit_native.node'));
    check(`${name}, with the addon`, runIn(folder, script), { ...IN_NODE, backend: 'native', view: 1 });
  } finally {
    renameSync(away, context.project);
  }
}

async function tryForWeb(context, bundles) {
  const browser = bundles.length === 0 ? null : await launchChromium('for the web');
  if (browser === null) return;
  const files = newFolder('files');
  run(process.execPath, ['program.mjs', files], context.project, { COLKIT_BACKEND: 'auto' });
  try {
    for (const { name, bundle } of bundles) {
      const folder = newFolder(name);
      const server = (await bundle(context, folder, files)) ?? (await serve([folder, files]));
      check(name, await inChromium(browser, server.address), IN_BROWSERS);
      await server.close();
    }
  } finally {
    await browser.close();
  }
}

async function tryApp(context, { name, ...options }, hasAddon) {
  const { route, page, warnings, complaints } = await tryNext(context, newFolder(name), options);
  const right = { sum: 6, read: 3, items: 8, backend: hasAddon ? 'native' : 'js' };
  if (complaints !== '') console.log(complaints);
  if (warnings.length > 0) console.log(warnings.join('\n'));
  say(`${name}, route handler`, isSame(route, right), route);
  say(`${name}, server component`, isSame(page, right), page);
}

function newFolder(name) {
  const folder = join(work, 'out', name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A script, or an executable that has one inside. */
function runIn(folder, program) {
  const path = join(folder, program);
  const [command, parameters] = /\.[cm]?js$/.test(program) ? [process.execPath, [path]] : [path, []];
  const env = { ...process.env, COLKIT_BACKEND: 'auto', NODE_PATH: '', NODE_NO_WARNINGS: '1' };
  const options = { encoding: 'utf8', env, cwd: folder, timeout: TIMEOUT_MS };
  const { stdout, stderr } = spawnSync(command, parameters, options);
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1));
  } catch {
    return { error: (stdout + stderr).slice(-2000) };
  }
}

function check(name, found, expected) {
  const { loaded, byWorkers, ...others } = found;
  say(name, isSame(others, expected) && loaded !== undefined && loaded === byWorkers, found);
}

function say(name, right, found) {
  if (!right) failed++;
  console.log(`${name}: ${right ? 'works' : `WRONG: ${JSON.stringify(found)}`}`);
}

function isSame(a, b) {
  const sorted = (object) => JSON.stringify(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
  return sorted(a) === sorted(b);
}
