#!/usr/bin/env node
// ESLint over each package in a process of its own: rules that know types keep a program for each tsconfig.json, and
// all of them together are more than the 4 GB that Node has. Two of them at a time, the ones with most files first.
// Names choose folders: `npm run lint -- packages/io bench`.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './published.mjs';

const AT_ONCE = 2;

const eslint = join(createRequire(import.meta.url).resolve('eslint/package.json'), '..', 'bin', 'eslint.js');
const packages = readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name));
const folders = [...packages, 'native', 'bench', 'docs'].filter((folder) =>
  existsSync(join(ROOT, folder, 'tsconfig.json')),
);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : folders;
const waiting = chosen.toSorted((a, b) => fileCount(b) - fileCount(a));
const failed = [];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift())
      if (!(await passes(folder))) failed.push(folder);
  }),
);
if (failed.length > 0) {
  console.error(`eslint: ${failed.join(', ')}`);
  process.exitCode = 1;
}

function fileCount(folder) {
  const path = join(ROOT, folder);
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .reduce((sum, entry) => sum + (entry.isDirectory() ? fileCount(join(folder, entry.name)) : 1), 0);
}

/** What it prints comes in one piece. */
async function passes(folder) {
  const child = spawn(process.execPath, [eslint, folder, '--max-warnings', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.stdout.write(output);
  return status === 0;
}
