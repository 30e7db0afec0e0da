// A user's program (users/types.ts), compiled over the installed packages with the settings that real projects have: by
// the repository's TypeScript, or also by the lowest that docs/where-it-runs.md promises and the newest. All of them
// look into our declarations, too.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, run } from './published.mjs';
import { installTools } from './users/installed.mjs';

const PROGRAM = fileURLToPath(new URL('../users/types.ts', import.meta.url));
const COMMON = { strict: true, skipLibCheck: false, noEmit: true, target: 'es2022' };
const IN_NODE = { lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] };
/** In 5.6 and before `Uint8Array` has no type parameter. */
const OTHER_VERSIONS = { 'typescript-5.7': 'npm:typescript@5.7.3', 'typescript-7.0': 'npm:typescript@7.0.2' };
const PROJECTS = [
  { name: 'CommonJS, node16', file: 'types.cts', module: 'node16', ...IN_NODE },
  { name: 'modules, node16, lib es2022', file: 'types.mts', module: 'node16', ...IN_NODE },
  {
    name: 'for browsers',
    file: 'types.ts',
    module: 'esnext',
    moduleResolution: 'bundler',
    customConditions: ['browser'],
    lib: ['es2022', 'dom'],
    types: [],
  },
];

/**
 * @param folder of a project with all packages installed. @param isForAll by other versions too, which npm brings.
 * @throws where one of them does not compile.
 */
export function compileForUsers(folder, isForAll) {
  const compilers = [join(ROOT, 'node_modules', 'typescript')];
  if (isForAll) {
    const others = join(installTools('typescript', OTHER_VERSIONS), 'node_modules');
    for (const name of Object.keys(OTHER_VERSIONS)) compilers.push(join(others, name));
  }
  for (const { name, file, ...options } of PROJECTS) {
    copyFileSync(PROGRAM, join(folder, file));
    const config = `tsconfig.${file}.json`;
    writeFileSync(join(folder, config), JSON.stringify({ compilerOptions: { ...COMMON, ...options }, files: [file] }));
    for (const compiler of compilers) {
      const { version } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8'));
      run(process.execPath, [join(compiler, 'bin', 'tsc'), '-p', config], folder);
      console.log(`  TypeScript ${version}, ${name}: compiles, and so do all declarations`);
    }
  }
}
