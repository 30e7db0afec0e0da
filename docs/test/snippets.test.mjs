// Runs every `js` snippet of every README and docs page (outlines that name things of the reader are marked
// `javascript`), as its reader would: the snippets of a page one after the other, each a module of its own, in one
// empty folder (a later snippet may read what an earlier one wrote). A snippet that throws fails, and so does an import
// that is not a published package.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCS = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(DOCS, '.cache');

/** The Markdown files that users read. */
function pages() {
  const found = [join(ROOT, 'README.md')];
  for (const folder of ['native', 'bench', 'packages', 'docs']) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      if (
        entry.isFile() &&
        entry.name.endsWith('.md') &&
        !/node_modules|[/\\](dist|build|\.cache|test)[/\\]/.test(path)
      )
        found.push(path);
    }
  }
  return found;
}

/** The bodies of the fenced blocks of a language, with their line numbers. */
function snippets(markdown, language) {
  const found = [];
  let open = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === null && line.trim() === `\`\`\`${language}`) open = { line: index + 2, code: [] };
    else if (open !== null && line.trim() === '```') {
      found.push({ line: open.line, code: open.code.join('\n') });
      open = null;
    } else if (open !== null) open.code.push(line);
  }
  assert.equal(open, null, 'a fenced block is not closed');
  return found;
}

let total = 0;
for (const page of pages()) {
  const blocks = snippets(readFileSync(page, 'utf8'), 'js');
  total += blocks.length;
  if (blocks.length === 0) continue;
  test(`${relative(ROOT, page)}: ${blocks.length} snippets run`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'colkit-snippet-'));
    mkdirSync(CACHE, { recursive: true });
    const modules = mkdtempSync(join(CACHE, 'page-'));
    try {
      for (const { line, code } of blocks) {
        const module = join(modules, `line-${line}.mjs`);
        writeFileSync(module, code);
        await promisify(execFile)(process.execPath, [module], { cwd: folder }).catch((error) =>
          assert.fail(`${relative(ROOT, page)}:${line}: ${error.stderr || error.message}`),
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
      rmSync(modules, { recursive: true, force: true });
    }
  });
}

test('there are snippets to run', () => assert.ok(total >= 5, `found ${total}`));
