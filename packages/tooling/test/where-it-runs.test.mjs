// The page that says where everything runs: each line names a test that exists, and each runtime, bundler and platform
// that was promised has its line.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PLATFORMS } from '../../../native/platforms.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const { scripts } = JSON.parse(read('package.json'));
const { bin: commands } = JSON.parse(read('packages/tooling/package.json'));
const page = read('docs/where-it-runs.md');
/** The table of places; those of other sections are of something else. */
const places = page.slice(0, page.indexOf('\n## '));
const rows = [...places.matchAll(/^\| (?!where|---|imports)(.*) \| (.*) \| (.*) \|$/gm)].map((match) => match.slice(1));

test('each line names a test that exists', () => {
  assert.ok(rows.length >= 12);
  const files = [...page.matchAll(/`(packages\/[^`]+\.test\.ts|native\/[^`]+\.test\.ts)`/g)].map(([, path]) => path);
  const names = files.map((path) => path.split('/').at(-1));
  for (const path of files) assert.ok(existsSync(new URL(path, ROOT)), path);
  for (const [where, , by] of rows) {
    for (const [, command] of by.matchAll(/npm run ([\w:-]+)/g)) assert.ok(scripts[command] !== undefined, command);
    const named = [...by.matchAll(/`((?:try|pre)[\w-]+)`/g)].map(([, name]) => name);
    for (const name of named) assert.ok(commands[name] !== undefined, name);
    const short = [...by.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name]) => name);
    for (const name of short) assert.ok(names.includes(name), `${name} (${where})`);
    assert.match(by, /`|every suite|the same/, where);
  }
});

test('runtimes, bundlers and platforms each have a line', () => {
  const told = rows.map(([where]) => where).join('\n');
  for (const name of ['Node 20', '22', '24', 'Bun', 'Deno', 'Electron', 'Chromium', 'Firefox', 'WebKit', 'Web Worker'])
    assert.ok(told.includes(name), name);
  for (const name of ['esbuild', 'webpack', 'rollup', 'Vite', 'Next.js', 'CommonJS', 'modules'])
    assert.ok(told.includes(name), name);
  const platforms = read('docs/native.md');
  for (const name of Object.keys(PLATFORMS)) {
    assert.ok(told.includes(`\`${name}\``), name);
    assert.ok(platforms.includes(`| ${name} |`) || platforms.includes(`${name},`), name);
  }
});
