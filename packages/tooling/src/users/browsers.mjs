#!/usr/bin/env node
// `npm run test:browsers -- [firefox webkit …] [--short]`: the tests of the builds for browsers in Firefox, in WebKit
// and in WebKit without what Safari has since 26, or in those that are named (chromium too, in which `npm test` runs
// them). Which of them the machine has not is said. Exits with 1 where a test fails.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../published.mjs';

const BROWSERS = ['firefox', 'webkit', 'older-webkit'];
const COLUMNA = ['test/bundle/browser.test.ts'];
const COLKIT = ['formats', 'any-table', 'datasets', 'without-features'].map(
  (name) => `test/bundle/${name}-in-browsers.test.ts`,
);

const given = process.argv.slice(2);
const isShort = given.includes('--short');
const named = given.filter((name) => name !== '--short');
let failed = 0;
for (const browser of named.length > 0 ? named : BROWSERS) {
  failed += test('columna', COLUMNA, browser);
  if (!isShort) failed += test('colkit', COLKIT, browser);
}
process.exitCode = failed === 0 ? 0 : 1;

function test(name, files, browser) {
  console.log(`${browser}: ${name}`);
  const { status } = spawnSync('npx', ['vitest', 'run', ...files, '--project', 'js'], {
    cwd: join(ROOT, 'packages', name),
    stdio: 'inherit',
    env: { ...process.env, COLKIT_BROWSER: browser },
  });
  return status === 0 ? 0 : 1;
}
