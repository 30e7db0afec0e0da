// What the tests of examples share: a TypeScript file -> a module that Node runs in an empty folder, and what it says
// that it prints.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';

const CACHE = fileURLToPath(new URL('../.cache', import.meta.url));

/** What stands behind `// → `, in order: what the example prints. */
export function promised(source) {
  return plain([...source.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line).join(' '));
}

/** Without what Node's inspector adds for the eye: line breaks, and that an object has no prototype. */
function plain(text) {
  return text.replaceAll('[Object: null prototype] ', '').replace(/\s+/g, ' ').trim();
}

/**
 * Compiles an example (types removed, nothing else changed), runs it as its reader would, and gives what it printed.
 */
export async function runExample(path) {
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), {
    fileName: path,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  mkdirSync(CACHE, { recursive: true });
  const modules = mkdtempSync(join(CACHE, 'example-'));
  const folder = mkdtempSync(join(tmpdir(), 'colkit-example-'));
  try {
    const module = join(modules, `${basename(path, '.ts')}.mjs`);
    writeFileSync(module, outputText);
    const { stdout } = await promisify(execFile)(process.execPath, [module], { cwd: folder });
    return plain(stdout);
  } finally {
    for (const made of [modules, folder]) rmSync(made, { recursive: true, force: true });
  }
}
