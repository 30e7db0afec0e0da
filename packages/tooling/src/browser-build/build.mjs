// The build for browsers of one package: dist/browser, one file a module, without types and comments. Imports of our
// lower packages name the module that has what is imported (`@colkit/io/modules/…`), not the package: a file that gives
// everything again would tie together for some bundlers what is to be loaded apart.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { barrelsIn, browserFile, directImports, moduleName, modulesOf } from './modules.mjs';

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));
/** What is imported by an expression is found where the program runs: bundlers must leave it alone. */
const COMPUTED_IMPORT = /\bimport\((?!['"`])/g;
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
    writeFileSync(to, moduleText(file, barrels));
  }
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
    const path = relative(dirname(file), target).replaceAll('\\', '/').replace(/\.ts$/, '.js');
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}
