#!/usr/bin/env node
// `npm run tarballs`: every published package as npm would get it, under tarballs/, for those who install from a clone.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { platformName } from '../../../native/platform.js';
import { PNPM, ROOT, binaryFolders, publishedFolders, run } from './published.mjs';

const TARGET = join(ROOT, 'tarballs');

rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
const ownBinary = binaryFolders().built.filter((folder) => folder.endsWith(`/${platformName()}`));
for (const folder of [...publishedFolders(), ...ownBinary])
  run('npx', ['--yes', PNPM, 'pack', '--pack-destination', TARGET], join(ROOT, folder));
console.log(readdirSync(TARGET).join('\n'));
console.log(`\nIn your project: npm install ${join(TARGET, '*.tgz')}`);
