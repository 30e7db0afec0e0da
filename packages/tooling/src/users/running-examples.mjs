// What `npm run test:models` and `npm run test:recipes` share: packages of ours in a folder with tools of others, and
// examples that are run there; every line that an example says it prints has to be printed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../published.mjs';
import { launchChromium } from './chromium.mjs';
import { serve, webBundles } from './web-bundles.mjs';

const TIMEOUT_MS = 180_000;

/** Links packages of the workspace, built, into node_modules of a folder; an empty folder to work in beside it. */
export function prepare(folder, names) {
  for (const name of names) {
    const linked = join(folder, 'node_modules', name);
    rmSync(linked, { force: true });
    symlinkSync(join(ROOT, 'packages', name), linked, 'junction');
  }
  const work = join(folder, 'work');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  return work;
}

/** Runs a module of Node, from the folder that has its packages; sets the exit code where it prints something else. */
export function runModule(folder, work, path) {
  const module = join(folder, basename(path));
  writeFileSync(module, readFileSync(path));
  run(path, process.execPath, [module], work);
}

export function runPython(python, work, path) {
  run(path, python, [path], work);
}

/** The same in a page, bundled by the folder's esbuild, the files of `work` beside it; where there is a Chromium. */
export async function runInChromium(folder, work, path) {
  const name = `${basename(path)} in Chromium`;
  const browser = await launchChromium(name);
  if (browser === null) return;
  const bundled = join(folder, 'bundled');
  rmSync(bundled, { recursive: true, force: true });
  writeFileSync(join(folder, 'page.mjs'), `${readFileSync(path, 'utf8')}\nglobalThis.answer = true;\n`);
  const load = (tool) => import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(tool)));
  await webBundles.find((each) => each.name === 'esbuild').bundle({ project: folder, load }, bundled);
  const server = await serve([bundled, work]);
  const lines = [];
  try {
    const page = await browser.newPage();
    page.on('console', (message) => lines.push(message.text()));
    page.on('pageerror', (error) => lines.push(String(error)));
    await page.goto(server.address);
    await page.waitForFunction('globalThis.answer !== undefined', undefined, { timeout: TIMEOUT_MS });
    compare(name, path, lines.join('\n'), { isSame: areNear });
  } catch (error) {
    compare(name, path, lines.join('\n'), { status: 1, stderr: String(error) });
  } finally {
    await browser.close();
    server.close();
  }
}

function run(path, program, parameters, cwd) {
  const { stdout, stderr, status } = spawnSync(program, parameters, { cwd, encoding: 'utf8', timeout: TIMEOUT_MS });
  compare(basename(path), path, stdout, { status, stderr });
}

function compare(name, path, stdout, { status = 0, stderr = '', isSame = areEqual } = {}) {
  const promised = promisedLines(readFileSync(path, 'utf8'));
  const printed = linesOf(stdout).filter((line) => promised.some((other) => isSame([line], [other])));
  const right = status === 0 && promised.length > 0 && isSame(printed, promised);
  if (!right) process.exitCode = 1;
  console.log(`${name}: ${right ? 'prints what it says' : `WRONG (exit code ${status})\n${stdout}${stderr}`}`);
}

function areEqual(printed, promised) {
  return JSON.stringify(printed) === JSON.stringify(promised);
}

/** A graphics card rounds otherwise: numbers may differ by 0.02 and a hundredth, words by nothing. */
function areNear(printed, promised) {
  const isNear = (word, other) =>
    word === other || Math.abs(Number(word) - Number(other)) <= 0.02 + 0.01 * Math.abs(Number(other));
  return (
    printed.length === promised.length &&
    promised.every((line, index) => {
      const words = printed[index].split(' ');
      return line.split(' ').every((word, at) => isNear(words[at], word));
    })
  );
}

function linesOf(text) {
  return text.split('\n').map((line) => line.trim());
}

function promisedLines(source) {
  return [...source.matchAll(/(?:\/\/|#) → (.*)$/gm)].map(([, line]) => line);
}
