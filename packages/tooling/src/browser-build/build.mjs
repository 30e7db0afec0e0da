// The build for browsers of one package: dist/browser, one file a module, without types and comments. Imports of our
// lower packages name the module that has what is imported (`@colkit/io/modules/…`), not the package: a file that gives
// everything again would tie together for some bundlers what is to be loaded apart.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { barrelsIn, browserFile, directImports, moduleName, modulesOf, namesOf } from './modules.mjs';

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));
/** What is imported by an expression is found where the program runs: bundlers must leave it alone. */
const COMPUTED_IMPORT = /\bimport\((?!['"`])/g;
/** What a barrel passes on by name. */
const REEXPORT = /^export \{([^}]*)\} from (['"])([^'"]+)\2;$/gm;
const RELATIVE = /(\bfrom |\bimport |\bimport\(|new URL\()(['"])(\.[^'"]+\.ts)\2/g;

/** @param folder of the package; @param entries files below src: the public ones, and scripts of workers. */
export function buildForBrowsers(folder, entries) {
  const sources = join(folder, 'src');
  const out = join(folder, 'dist', 'browser');
  const barrels = barrelsIn(PACKAGES);
  rmSync(out, { recursive: true, force: true });
  for (const file of new Set(entries.flatMap((entry) => modulesOf(join(sources, entry))))) {
    const to = join(out, `${moduleName(sources, file)}.js`);
    mkdirSync(dirname(to), { recursive: true });
    const text = moduleText(file, barrels);
    writeFileSync(to, isBarrel(text) ? nameByName(text, out, to) : text);
  }
}

/** Whether a module does nothing but pass on what others have. */
function isBarrel(text) {
  return (
    text
      .replace(REEXPORT, '')
      .replace(/^export \* from .*;$/gm, '')
      .trim() === '' && text.includes('export {')
  );
}

/**
 * A barrel that passes on each name by a module of its own. Bundlers that split (esbuild) take all that a module on the
 * way imports by name to be the program's: with one such barrel, what is to be loaded later is loaded at once.
 */
function nameByName(text, out, to) {
  // Numbers, because some file systems take Scan.js and scan.js to be one.
  let number = 0;
  return text.replace(REEXPORT, (_, clause, quote, specifier) =>
    namesOf(clause)
      .map(({ from, to: name }) => {
        const file = join(out, 'names', relative(out, to).replace(/\.js$/, ''), `${String(number++)}.js`);
        const target = specifier.startsWith('.') ? resolve(dirname(to), specifier) : null;
        const path = target === null ? specifier : pathFrom(file, target);
        mkdirSync(dirname(file), { recursive: true });
        const clause = from === name ? name : `${from} as ${name}`;
        writeFileSync(file, `export { ${clause} } from ${quote}${path}${quote};\n`);
        return `export * from '${pathFrom(to, file)}';`;
      })
      .join('\n'),
  );
}

function pathFrom(file, target) {
  const path = relative(dirname(file), target).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** One module as it is in the build. */
export function moduleText(file, barrels) {
  const { outputText } = ts.transpileModule(directImports(readFileSync(file, 'utf8'), barrels), {
    fileName: file,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      removeComments: true,
    },
  });
  const text = outputText.replace(COMPUTED_IMPORT, 'import(/* webpackIgnore: true */ /* @vite-ignore */ ');
  return text.replace(RELATIVE, (_, before, quote, specifier) => {
    const target = browserFile(resolve(dirname(file), specifier), file);
    return `${before}${quote}${pathFrom(file, target).replace(/\.ts$/, '.js')}${quote}`;
  });
}
