#!/usr/bin/env node
// `npm run tarballs`: every published package as npm would get it, under tarballs/, for those who install from a clone.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformName } from '../../../native/platform.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TARGET = join(ROOT, 'tarballs');
const PNPM = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).packageManager;

rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
const platform = `native/platforms/${platformName()}`;
const folders = ['native', platform, ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)];
for (const folder of folders) {
  if (!existsSync(join(ROOT, folder, 'package.json'))) continue;
  const { private: isPrivate, main = '' } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  if (isPrivate === true || (main.endsWith('.node') && !existsSync(join(ROOT, folder, main)))) continue;
  execFileSync('npx', ['--yes', PNPM, 'pack', '--pack-destination', TARGET], { cwd: join(ROOT, folder) });
}
console.log(readdirSync(TARGET).join('\n'));
console.log(`\nIn your project: npm install ${join(TARGET, '*.tgz')}`);
