// A user's program (users/types.ts), compiled over the installed packages with the settings that real projects have.
// All of them look into our declarations, too.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, run } from './published.mjs';

const PROGRAM = fileURLToPath(new URL('../users/types.ts', import.meta.url));
const COMMON = { strict: true, skipLibCheck: false, noEmit: true, target: 'es2022' };
const IN_NODE = { lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] };
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

/** @param folder of a project with all packages installed. @throws where one of them does not compile. */
export function compileForUsers(folder) {
  for (const { name, file, ...options } of PROJECTS) {
    copyFileSync(PROGRAM, join(folder, file));
    const config = `tsconfig.${file}.json`;
    writeFileSync(join(folder, config), JSON.stringify({ compilerOptions: { ...COMMON, ...options }, files: [file] }));
    run(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', config], folder);
    console.log(`  TypeScript, ${name}: compiles, and so do all declarations`);
  }
}
