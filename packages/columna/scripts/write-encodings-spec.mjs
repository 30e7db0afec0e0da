// Puts the paragraph of each encoding, src/columns/encodings/*/spec.md, into the specification,
// docs/formats/columna.md, which so holds all of the format in one page. They keep their order; a new one comes last.
//   node scripts/write-encodings-spec.mjs          writes the page
//   node scripts/write-encodings-spec.mjs --check  exits with 1 where it says something else (a test runs it)
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../src/columns/encodings/', import.meta.url);
const page = fileURLToPath(new URL('../../../docs/formats/columna.md', import.meta.url));

const headingOf = (text) => text.slice(0, text.indexOf('\n'));
const paragraphs = new Map(
  readdirSync(folder)
    .map((name) => new URL(`${name}/spec.md`, folder))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .map((text) => [headingOf(text), text]),
);

const text = readFileSync(page, 'utf8');
// Sections of the page; those of encodings have headings such as "#### PLAIN (0)".
const sections = text.split(/^(?=#### [A-Z]+ \(\d+\)$|## )/m);
const isEncoding = (section) => /^#### [A-Z]+ \(\d+\)\n/.test(section);
const first = sections.findIndex(isEncoding);
const last = sections.findLastIndex(isEncoding);
const known = sections.slice(first, last + 1).map(headingOf);
const order = [...new Set([...known, ...paragraphs.keys()])].filter((heading) => paragraphs.has(heading));
const written = [
  ...sections.slice(0, first),
  ...order.map((heading) => `${paragraphs.get(heading)}\n`),
  ...sections.slice(last + 1),
].join('');

if (!process.argv.includes('--check')) writeFileSync(page, written);
else if (written !== text) {
  console.error(`${page} does not say what src/columns/encodings/*/spec.md say`);
  process.exitCode = 1;
}
