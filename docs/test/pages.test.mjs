// The pages against the code: every error code is explained, every page is in the navigation, and every snippet of a
// page is a file that is run.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pageFiles } from './pages.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCS = join(ROOT, 'docs');
const read = (...path) => readFileSync(join(ROOT, ...path), 'utf8');

const ERRORS = read('packages/io/src/errors/errors.ts');
/** The codes that the error family has: the members of its union. */
const CODES = codesIn(/export type ColkitErrorCode =([^;]+);/.exec(ERRORS)?.[1] ?? '');
/** `CorruptFileError` -> the codes that its constructor takes. */
const CLASSES = new Map(
  ERRORS.split(/^export (?:abstract )?class /m)
    .slice(1)
    .map((text) => [/^\w+/.exec(text)[0], codesIn(text)]),
);
/** The addon's own word, which no error of the packages carries; the page says what becomes of it. */
const OF_ADDON = 'ERR_NO_EXTERNAL_BUFFERS';
/** Node's words, which the sources look at. */
const OF_NODE = ['ERR_MODULE_NOT_FOUND', 'ERR_INVALID_ARG_VALUE'];

function codesIn(text) {
  return new Set(text.match(/ERR_[A-Z_]*[A-Z]/g));
}

/** The text of every source of the packages but the declaration of the codes. */
function sources() {
  return ['io', 'table', 'colstore', 'columna', 'syrah'].flatMap((name) => {
    const folder = join(ROOT, 'packages', name, 'src');
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'errors.ts')
      .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'));
  });
}

/**
 * The sections of the troubleshooting page: the code, the text below its heading, and what is said of all codes of the
 * chapter.
 */
function explanations() {
  return read('docs/guide/troubleshooting.md')
    .split(/^## /m)
    .slice(1)
    .flatMap((chapter) => {
      const [head, ...sections] = chapter.split(/^### /m);
      return sections.map((section) => ({
        code: /^`(\w+)`$/m.exec(section)?.[1],
        text: section.slice(section.indexOf('\n')),
        head,
      }));
    });
}

test('the error codes are those of the family, and each of them is thrown somewhere', () => {
  assert.ok(CODES.size > 30, `${CODES.size} codes`);
  const text = sources().join('\n');
  // Classes that say their code themselves.
  const implied = ['OutOfRangeError', 'UnknownColumnError', 'ClosedError'].flatMap((name) =>
    text.includes(`new ${name}(`) ? [...CLASSES.get(name)] : [],
  );
  assert.deepEqual(
    [...CODES].filter((code) => !text.includes(`'${code}'`) && !implied.includes(code)),
    [],
    'thrown nowhere',
  );
  const strange = [...codesIn(text)].filter((code) => !CODES.has(code) && code !== OF_ADDON && !OF_NODE.includes(code));
  assert.deepEqual(strange, [], 'not of the family');
});

test('every error code, and no other, has a section on the troubleshooting page: cause, class, what to do', () => {
  const found = explanations();
  assert.deepEqual(found.map(({ code }) => code).sort(), [...CODES].sort());
  for (const { code, text, head } of found) {
    assert.match(text, /^\n\n\S[^→]{10,}\n\n→ \S.{10,}\n/, code);
    const named = [...CLASSES.keys()].filter((name) => text.startsWith(`\n\n\`${name}\``));
    const class_ = named[0] ?? /^Class `(\w+)`/m.exec(head)?.[1];
    assert.ok(CLASSES.get(class_)?.has(code), `${code} is no code of ${class_}`);
  }
  const page = codesIn(read('docs/guide/troubleshooting.md'));
  page.delete(OF_ADDON);
  assert.deepEqual(
    [...page].filter((code) => !CODES.has(code)),
    [],
    'mentioned, but of no error',
  );
});

test('every page is in the navigation, and every entry of the navigation is a page', () => {
  const links = new Set(
    [...read('docs/site/sidebar.ts').matchAll(/link: '(\/[^']*)'/g)]
      .map(([, link]) => link)
      .filter((link) => link !== '/api/'),
  );
  const pages = new Set(
    pageFiles().map(
      (path) =>
        `/${relative(DOCS, path)
          .replace(/\.md$/, '')
          .replace(/(^|\/)index$/, '$1')}`,
    ),
  );
  assert.deepEqual(
    [...pages].filter((page) => !links.has(page)),
    [],
    'in no sidebar',
  );
  assert.deepEqual(
    [...links].filter((link) => !pages.has(link)),
    [],
    'no such page',
  );
});

test('no page has a snippet of its own: what is shown is included from examples/, where it is checked and run', () => {
  for (const page of pageFiles())
    assert.doesNotMatch(readFileSync(page, 'utf8'), /^```(js|ts|mjs)\b/m, relative(DOCS, page));
});

/** The cells of the rows of a Markdown table. */
const cellsOf = (table) =>
  table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

test('the figures of the README are those of the saved run', () => {
  const saved = readdirSync(join(ROOT, 'bench/results')).filter((name) => /^w1-(?!cold-).*\.md$/.test(name));
  assert.equal(saved.length, 1);
  const [head, , ...rows] = cellsOf(/### All tasks, medians\n\n((?:\|.*\n)+)/.exec(read('bench/results', saved[0]))[1]);
  const medians = new Map(
    rows.map(([candidate, ...cells]) => [
      candidate,
      new Map(cells.map((cell, i) => [head[i + 1], cell.replace(/ us$/, ' µs')])),
    ]),
  );
  const shown = cellsOf(/^## How fast\n[^]*?\n\n((?:\|.*\n)+)/m.exec(read('README.md'))[1]).slice(2);
  const expected = ['a-new', 'b-new', 'c-copy', 'g-mask', 'e-small'].map((task) =>
    ['colstore/sync-x2', 'plain-js/loop', 'numpy-memmap/take', 'python-colstore/x2'].map((candidate) =>
      medians.get(candidate)?.get(task),
    ),
  );
  assert.deepEqual(
    shown.map(([, ...cells]) => cells),
    expected,
  );
});

test('the rooms of the architecture page are there, and what was in their place is not', () => {
  const page = read('docs', 'architecture.md');
  const rows = page
    .split('## Where each question is answered')[1]
    .split('\n## ')[0]
    .matchAll(/^\| .+ \|$/gm);
  const paths = (cell) => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, path]) => path);
  const exists = (path) =>
    [path, path.replace(/^(\w+)/, 'packages/$1/src')].some((file) => existsSync(join(ROOT, file)));
  let rooms = 0;
  for (const [row] of [...rows].slice(1)) {
    const [, before, now] = row.slice(2, -2).split(' | ');
    for (const room of paths(now)) assert.ok(exists(room), `${room} is not there`);
    for (const gone of paths(before).filter((path) => path.includes('/'))) assert.ok(!exists(gone), `${gone} is there`);
    rooms += paths(now).length;
  }
  assert.ok(rooms > 20, `${rooms} rooms`);
});
