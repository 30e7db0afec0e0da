// The pages against the code: every error code is explained, every page is in the navigation, and every snippet of a page is a file that is run.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pageFiles } from './pages.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCS = join(ROOT, 'docs');
const read = (...path) => readFileSync(join(ROOT, ...path), 'utf8');

/** Every `ERR_…` of the sources that users can meet. */
function codesOfSources() {
  const codes = new Set();
  for (const name of ['io', 'table', 'colstore', 'columna', 'syrah']) {
    const folder = join(ROOT, 'packages', name, 'src');
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
      for (const [code] of readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8').matchAll(/ERR_[A-Z][A-Z_]*[A-Z]/g)) codes.add(code);
    }
  }
  return codes;
}

/** Node's own codes, which the sources look for and turn into one of theirs. */
const OF_NODE = new Set(['ERR_MODULE_NOT_FOUND']);

test('every error code of the sources is on the troubleshooting page, and no other', () => {
  const page = new Set([...read('docs/guide/troubleshooting.md').matchAll(/`(ERR_[A-Z_]+)`/g)].map(([, code]) => code));
  const codes = [...codesOfSources()].filter((code) => !OF_NODE.has(code));
  assert.ok(codes.length > 30, `${codes.length} codes`);
  assert.deepEqual(codes.filter((code) => !page.has(code)), [], 'not explained');
  assert.deepEqual([...page].filter((code) => !codes.includes(code)), [], 'explained, but never thrown');
});

test('every page is in the navigation, and every entry of the navigation is a page', () => {
  const links = new Set([...read('docs/site/sidebar.ts').matchAll(/link: '(\/[^']*)'/g)].map(([, link]) => link).filter((link) => link !== '/api/'));
  const pages = new Set(pageFiles().map((path) => `/${relative(DOCS, path).replace(/\.md$/, '').replace(/^index$/, '')}`));
  assert.deepEqual([...pages].filter((page) => !links.has(page)), [], 'in no sidebar');
  assert.deepEqual([...links].filter((link) => !pages.has(link)), [], 'no such page');
});

test('no page has a snippet of its own: what is shown is included from examples/, where it is type-checked and run', () => {
  for (const page of pageFiles()) assert.doesNotMatch(readFileSync(page, 'utf8'), /^```(js|ts|mjs)\b/m, relative(DOCS, page));
});
