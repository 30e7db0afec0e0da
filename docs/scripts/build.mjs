// The whole site: the API pages from the doc comments, then the pages. A link to nothing, a doc comment that points to
// nothing and a result file that is not JSON are errors, and so is a workbench that does not work in Chromium.
import { rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

rmSync(join(DOCS, 'api'), { recursive: true, force: true });
run(join(DOCS, 'scripts/build-data.mjs'));
run(join(dirname(require.resolve('typedoc/package.json')), 'bin/typedoc'));
run(join(dirname(require.resolve('vitepress/package.json')), 'bin/vitepress.js'), 'build');
run(join(DOCS, 'scripts/check-search.mjs'));
run(join(DOCS, 'scripts/check-head.mjs'));
run(join(DOCS, 'scripts/check-workbench.mjs'));
run(join(DOCS, 'scripts/compare-pictures.mjs'));

function run(program, ...parameters) {
  const { status } = spawnSync(process.execPath, [program, ...parameters], { cwd: DOCS, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
