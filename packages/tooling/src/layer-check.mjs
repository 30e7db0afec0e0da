// The layer check: a package imports only from its left in native <- io <- table <- formats <- colkit, bench, docs,
// demo; folders inside a package in the order of CHAINS; no import cycle between files; no source file over 400 lines.
// Prints every breach and exits with 1.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MAXIMUM_LINES = 400;
/** Files whose being one file is their point. */
const LONGER = new Map([['docs/formats/columna-in-one-file.ts', 500]]);
const SOURCE = /\.(ts|mts|tsx|js|mjs|cc|h|vue|py|css)$/;
const SCRIPT = /\.(ts|mts|tsx|js|mjs)$/;
const FORMATTED = /\.(ts|mts|js|mjs|cc|h)$/;
/** The formatter wraps code and leaves comments alone. */
const MAXIMUM_WIDTH = 120;
const SKIPPED = new Set(['node_modules', 'dist', 'build', '.git', '.turbo', '.cache', 'cache']);

/** Which packages a folder may import; the order is the one of docs/architecture.md. */
const LAYERS = new Map([
  ['native', { name: '@colkit/native', from: [] }],
  ['packages/io', { name: '@colkit/io', from: ['@colkit/native'] }],
  ['packages/table', { name: '@colkit/table', from: ['@colkit/io'] }],
  ['packages/colstore', { name: 'colstore', from: ['@colkit/io', '@colkit/table'] }],
  ['packages/columna', { name: 'columna', from: ['@colkit/io', '@colkit/table'] }],
  ['packages/syrah', { name: 'syrah', from: ['@colkit/io', '@colkit/table'] }],
  ['packages/colkit', { name: 'colkit', from: ['@colkit/io', '@colkit/table', 'colstore', 'columna', 'syrah'] }],
  ['packages/testkit', { name: '@colkit/testkit', from: ['@colkit/io', '@colkit/table'] }],
  [
    'packages/fuzz',
    {
      name: '@colkit/fuzz',
      from: [
        '@colkit/native',
        '@colkit/io',
        '@colkit/table',
        '@colkit/testkit',
        'colkit',
        'colstore',
        'columna',
        'syrah',
      ],
    },
  ],
  ['packages/tooling', { name: '@colkit/tooling', from: [] }],
]);
/** Calls every function of the addon with hostile arguments. */
const FUZZER = 'packages/fuzz';
/** Works on the repository itself and is never published: it may reach into folders by path. */
const TOOLING = 'packages/tooling/src/';
const OURS = new Set([...LAYERS.values()].map((layer) => layer.name));
/** Folders inside a package: none imports from one to its right. */
const CHAINS = [
  [
    'errors',
    'values',
    'options',
    'backend',
    'memory',
    'windows',
    'source',
    'raw',
    'gather',
    'pages',
    'effects',
    'listing',
    'durable',
    'writer',
  ],
  ['layout', 'columns', 'read', 'write', 'inspect'],
  ['layout', 'write', 'streams', 'rewrite'],
  ['layout', 'columns', 'many', 'shards'],
  ['layout', 'write', 'streams', 'shards'],
  ['layout', 'items', 'write'],
  ['layout', 'items', 'loader'],
  ['values', 'chunk', 'views', 'output', 'input', 'text-input', 'csv'],
  ['values', 'chunk', 'views', 'output', 'input', 'text-input', 'json'],
  ['values', 'chunk', 'query', 'aggregate', 'arrange', 'plan', 'output', 'input', 'csv'],
  ['plan', 'output', 'input', 'edit'],
  ['views', 'aggregate', 'arrange', 'plan', 'composite', 'output'],
  ['query', 'aggregate', 'plan', 'raw', 'output'],
  ['values', 'parquet'],
  ['terminal', 'formats', 'items', 'show', 'page', 'verbs', 'program'],
  ['terminal', 'tables', 'page', 'verbs', 'program'],
  ['terminal', 'tables', 'convert', 'verbs', 'program'],
  ['items', 'show', 'convert', 'verbs', 'program'],
];

/** Folders inside a folder, in the same order; what lies beside them is to the right of all. */
const INNER_CHAINS = new Map([
  ['packages/columna/src/read/', ['file', 'pages', 'filter', 'aggregate']],
  ['packages/columna/src/write/', ['values', 'encode', 'threads', 'file', 'stream', 'csv']],
  ['packages/table/src/csv/', ['cells', 'blocks', 'file']],
]);

/** Every breach in the tree below `root`, as sentences. */
export function checkLayers(root) {
  const files = listFiles(root);
  const breaches = [];
  const graph = new Map();
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    const most = LONGER.get(file) ?? MAXIMUM_LINES;
    if (lines > most) breaches.push(`${file}: ${lines} lines, at most ${most}`);
    if (FORMATTED.test(file)) breaches.push(...wideComments(file, text));
    if (!SCRIPT.test(file)) continue;
    const edges = [];
    for (const specifier of imports(text)) {
      if (specifier.startsWith('.')) edges.push(relative(root, resolve(root, dirname(file), specifier)));
      breaches.push(...packageBreaches(file, specifier), ...innerBreaches(root, file, specifier));
    }
    graph.set(file, edges);
  }
  breaches.push(...cycles(graph));
  return breaches;
}

/** Lines of comments that are too wide; directives, addresses and drawings stay on one line. */
function wideComments(file, text) {
  return text.split('\n').flatMap((line, index) => {
    const words = /^\s*(?:\/\/|\/?\*)\s*(.*)$/.exec(line)?.[1];
    if (words === undefined || line.length <= MAXIMUM_WIDTH) return [];
    if (/^eslint-|https?:\/\/| {3}/.test(words)) return [];
    return [`${file}:${index + 1}: a comment of ${line.length} columns, at most ${MAXIMUM_WIDTH}`];
  });
}

function packageBreaches(file, specifier) {
  const owner = [...LAYERS].find(
    ([folder]) => file.startsWith(`${folder}/src/`) || (folder === 'native' && file.startsWith('native/')),
  );
  const target = [...OURS].find((name) => specifier === name || specifier.startsWith(`${name}/`));
  if (owner === undefined || target === undefined) return [];
  const [folder, layer] = owner;
  if (target === layer.name || layer.from.includes(target)) {
    return target === '@colkit/native' && file !== 'packages/io/src/backend/native.ts' && folder !== FUZZER
      ? [`${file}: only packages/io/src/backend/native.ts imports @colkit/native`]
      : [];
  }
  return [
    `${file}: ${layer.name} must not import ${target} (it may import ${layer.from.join(', ') || 'none of ours'}; folder ${folder})`,
  ];
}

function innerBreaches(root, file, specifier) {
  if (!specifier.startsWith('.')) return [];
  const package_ = /^packages\/[^/]+\/src\//.exec(file)?.[0];
  if (package_ === undefined || package_ === TOOLING) return [];
  const target = relative(root, resolve(root, dirname(file), specifier));
  // What npm is told of the package, such as its version.
  if (target === `${dirname(package_)}/package.json`) return [];
  if (!target.startsWith(package_)) return [`${file}: imports ${target} across a package border by path`];
  const [from, to] = [file, target].map((path) => path.slice(package_.length).split('/'));
  if (from.length < 2 || to.length < 2) return [];
  const broken = CHAINS.some((chain) => chain.includes(from[0]) && chain.indexOf(to[0]) > chain.indexOf(from[0]));
  if (broken) return [`${file}: ${from[0]}/ must not import from ${to[0]}/ (${target})`];
  return deeperBreaches(file, target);
}

function deeperBreaches(file, target) {
  for (const [folder, chain] of INNER_CHAINS) {
    if (!file.startsWith(folder) || !target.startsWith(folder)) continue;
    const [from, to] = [file, target].map((path) => path.slice(folder.length).split('/'));
    const orderOf = ([name, ...rest]) => (rest.length === 0 ? chain.length : chain.indexOf(name));
    if (orderOf(from) === -1) return [`${file}: no folder of ${chain.join(', ')}`];
    if (orderOf(to) > orderOf(from)) return [`${file}: ${from[0]} must not import from ${to[0]} (${target})`];
  }
  return [];
}

/** Import specifiers of a module, types included: an arrow is an arrow. */
function imports(text) {
  const found = [];
  for (const match of text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )) {
    found.push(match[1] ?? match[2] ?? match[3]);
  }
  return found;
}

function cycles(graph) {
  const found = [];
  const state = new Map();
  const stack = [];
  const visit = (file) => {
    state.set(file, 'open');
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (state.get(next) === 'open')
        found.push(`import cycle: ${[...stack.slice(stack.indexOf(next)), next].join(' -> ')}`);
      else if (!state.has(next)) visit(next);
    }
    stack.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file);
  return found;
}

function listFiles(root) {
  const files = [];
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (SKIPPED.has(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && SOURCE.test(entry.name)) files.push(path);
    }
  };
  walk('');
  return files;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const breaches = checkLayers(root);
  for (const breach of breaches) console.error(breach);
  console.log(
    `layer check: ${breaches.length === 0 ? 'passed' : `${breaches.length} breaches`} (${listFiles(root).length} files)`,
  );
  process.exitCode = breaches.length === 0 ? 0 : 1;
}
