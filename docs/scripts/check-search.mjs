// Asks the built site's own index, with the site's own settings, what readers type: the first answer has to be on the
// page that is meant.
//   node scripts/check-search.mjs        after `npm run build`
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

/** What stands before each path, as the site was built: '' or '/colkit'. */
const BASE = (process.env.DOCS_BASE ?? '/').replace(/\/$/, '');
const CHUNKS = fileURLToPath(new URL('../.vitepress/dist/assets/chunks', import.meta.url));
/** What is typed, and pages of which the first answer is one. */
const QUESTIONS = [
  ['browser', ['guide/browsers']],
  ['docker alpine', ['guide/servers']],
  ['lambda', ['guide/servers']],
  ['nan', ['guide/predicates', 'guide/query']],
  ['parquet', ['guide/instead-of', 'guide/write']],
  ['next.js', ['guide/bundlers']],
  ['presigned', ['guide/remote']],
  ['group by', ['guide/query']],
  ['bullmq', ['guide/scale-out']],
  ['temporal', ['guide/scale-out']],
  ['ERR_LOCKED', ['guide/troubleshooting']],
];

const fromVitePress = createRequire(
  join(dirname(createRequire(import.meta.url).resolve('vitepress/package.json')), 'package.json'),
);
const MiniSearch = (await import(pathToFileURL(fromVitePress.resolve('minisearch')).href)).default;
const settings = ts.transpileModule(readFileSync(new URL('../site/search.ts', import.meta.url), 'utf8'), {
  compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
}).outputText;
const { boostDocument } = await import(`data:text/javascript,${encodeURIComponent(settings)}`);
const chunk = readdirSync(CHUNKS).find((name) => name.startsWith('@localSearchIndexroot'));
const index = MiniSearch.loadJSON((await import(pathToFileURL(join(CHUNKS, chunk)).href)).default, {
  // As VitePress's search box asks.
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, boostDocument },
});

let wrong = 0;
for (const [question, pages] of QUESTIONS) {
  const found = index.search(question).slice(0, 3);
  if (!pages.some((page) => found[0]?.id.startsWith(`${BASE}/${page}`))) {
    wrong += 1;
    console.log(`${question}: ${found.map(({ id }) => id).join(', ')}; expected ${pages.join(' or ')}`);
  }
}
console.log(`${QUESTIONS.length} questions to the search, ${wrong} answered with another page`);
process.exitCode = wrong === 0 ? 0 : 1;
