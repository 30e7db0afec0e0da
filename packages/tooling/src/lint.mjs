#!/usr/bin/env node
// ESLint over each package in a process of its own: rules that know types keep a program for each tsconfig.json, and
// all of them together are more than the 4 GB that Node has. Names choose folders: `npm run lint -- packages/io bench`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './published.mjs';

const eslint = join(createRequire(import.meta.url).resolve('eslint/package.json'), '..', 'bin', 'eslint.js');
const packages = readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name));
const folders = [...packages, 'native', 'bench', 'docs'].filter((folder) =>
  existsSync(join(ROOT, folder, 'tsconfig.json')),
);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : folders;
const failed = chosen.filter((folder) => {
  const { status } = spawnSync(process.execPath, [eslint, folder, '--max-warnings', '0'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  return status !== 0;
});
if (failed.length > 0) {
  console.error(`eslint: ${failed.join(', ')}`);
  process.exitCode = 1;
}
