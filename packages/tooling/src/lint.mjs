#!/usr/bin/env node
// ESLint in two processes at once, each with one program of types for many packages: those that read each other's
// sources, and those that read the declarations of what is built (`npm run build` first). A package in a program of its
// own loads what it imports again. Names choose folders: `npm run lint -- packages/io bench`; of those, types come from
// the tsconfig.json that is nearest.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './published.mjs';

const SOURCES = 'tsconfig.sources.json';
const DEPENDENTS = [
  'tsconfig.dependents.json',
  'packages/colkit/src/page/browser/tsconfig.json',
  'docs/workbench/tsconfig.json',
  'native/tsconfig.json',
];

const eslint = join(createRequire(import.meta.url).resolve('eslint/package.json'), '..', 'bin', 'eslint.js');
const chosen = process.argv.slice(2);
const runs = chosen.length > 0 ? [passes(chosen)] : runsOfAll();
if ((await Promise.all(runs)).includes(false)) process.exitCode = 1;

function runsOfAll() {
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`);
  const folders = [...packages, 'native', 'bench', 'docs'].filter((folder) =>
    existsSync(join(ROOT, folder, 'tsconfig.json')),
  );
  const { include } = JSON.parse(readFileSync(join(ROOT, SOURCES), 'utf8'));
  return [
    passes(include, [SOURCES]),
    passes(
      folders.filter((folder) => !include.includes(folder)),
      DEPENDENTS,
    ),
  ];
}

/** What it prints comes in one piece. */
async function passes(folders, projects) {
  const child = spawn(process.execPath, [eslint, ...folders, '--max-warnings', '0'], {
    cwd: ROOT,
    env: projects === undefined ? process.env : { ...process.env, COLKIT_LINT_PROJECTS: projects.join(',') },
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
