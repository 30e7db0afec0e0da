// Which files a build for browsers is made of, and which of them has a name of a package: one output file a module, so
// that bundlers take the modules that a program uses, and load others when they are asked for.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const STATEMENT = /^(import|export)\s+(?!type\b)(?:([^;'"]*?)\s+from\s+)?'([^']+)';/gm;
const DYNAMIC = /\bimport\('(\.[^']+)'\)/g;

const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;

/** In browsers `X-browser.ts` stands for `X.ts` beside it. */
export function browserFile(file, importer) {
  const other = file.replace(/\.ts$/, '-browser.ts');
  return existsSync(other) && importer !== other ? other : file;
}

/** Every file that `entry` imports, at once or later, itself first. */
export function modulesOf(entry) {
  const found = new Set([resolve(entry)]);
  for (const file of found) {
    const text = readFileSync(file, 'utf8').replace(COMMENT, '');
    const specifiers = [...text.matchAll(STATEMENT)].map(([, , , specifier]) => specifier);
    for (const [, specifier] of text.matchAll(DYNAMIC)) specifiers.push(specifier);
    for (const specifier of specifiers)
      if (specifier.startsWith('.')) found.add(browserFile(resolve(dirname(file), specifier), file));
  }
  return [...found];
}

/** Each name that a file with nothing but re-exports gives -> the file that has it, and its name there. */
export function exportsOf(entry) {
  const names = new Map();
  for (const [, word, clause, specifier] of readFileSync(entry, 'utf8').matchAll(STATEMENT)) {
    if (word !== 'export' || clause === undefined) continue;
    const file = browserFile(resolve(dirname(entry), specifier), entry);
    if (clause.trim() === '*') for (const [name, at] of exportsOf(file)) names.set(name, at);
    else for (const { from, to } of namesOf(clause)) names.set(to, { file, name: from });
  }
  return names;
}

/** `{ a, b as c, type D }` -> a and b, with what they are called outside. */
export function namesOf(clause) {
  return clause
    .replace(/^\{|\}$/g, '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => {
      const [from, to = from] = part.split(/\s+as\s+/);
      return { from, to };
    });
}

/** A module's name in the build: its path below the folder of sources, without the ending. */
export function moduleName(sources, file) {
  return relative(sources, file).replace(/\.ts$/, '');
}

/**
 * Imports of a package of ours by name -> imports of the modules that have the names.
 * @param barrels package -> { sources, names: exportsOf(its entry) }
 */
export function directImports(text, barrels) {
  return text.replace(STATEMENT, (statement, word, clause, specifier) => {
    const barrel = barrels.get(specifier);
    if (barrel === undefined || clause === undefined || !clause.startsWith('{')) return statement;
    return namesOf(clause)
      .map(({ from, to }) => {
        const at = barrel.names.get(from);
        if (at === undefined) throw new Error(`${specifier} has no ${from} for browsers`);
        const name = at.name === to ? to : `${at.name} as ${to}`;
        return `${word} { ${name} } from '${barrel.prefix}/${moduleName(barrel.sources, at.file)}';`;
      })
      .join('\n');
  });
}

/** The packages of ours below the formats, as `directImports` takes them. `packages`: the folder of packages. */
export function barrelsIn(packages) {
  const barrel = (name, folder, entry, prefix) => {
    const sources = join(packages, folder, 'src');
    return [name, { sources, prefix, names: exportsOf(join(sources, entry)) }];
  };
  return new Map([
    barrel('@colkit/io', 'io', 'browser.ts', '@colkit/io/modules'),
    barrel('@colkit/io/effects', 'io', 'effects/browser.ts', '@colkit/io/modules'),
    barrel('@colkit/io/durable', 'io', 'durable-browser.ts', '@colkit/io/modules'),
    barrel('@colkit/io/threads', 'io', 'threads/browser.ts', '@colkit/io/modules'),
    ...['index.ts', 'csv/index.ts', 'json/index.ts', 'parquet/index.ts'].map((entry) =>
      barrel(`@colkit/table/${dirname(entry)}`.replace(/\/\.$/, ''), 'table', entry, '@colkit/table/modules'),
    ),
  ]);
}
