// Mutation tests: `pnpm mutants [AREA…] [-- OPTIONS OF STRYKER]`, such as
//   pnpm mutants columna -- -m packages/columna/src/layout/footer.ts
// A mutant is a small change of a source file; one that no test notices shows a check that no test needs. Results are
// kept in .cache/mutants, so that a second run tries only what changed. Fails where a mutant survives that is not
// justified (`survivors.mjs`).
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AREAS } from './areas.mjs';
import { forgetStaticSurvivors, survivorsOf } from './survivors.mjs';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');
const parameters = process.argv.slice(2);
const border = parameters.indexOf('--');
const asked = border < 0 ? parameters : parameters.slice(0, border);
const options = border < 0 ? [] : parameters.slice(border + 1);
const unknown = asked.filter((name) => !(name in AREAS));
if (unknown.length > 0) {
  console.error(`unknown area ${unknown.join(', ')}; one of ${Object.keys(AREAS).join(', ')}`);
  process.exit(1);
}

const { resolve } = createRequire(join(ROOT, 'package.json'));
const stryker = join(dirname(resolve('@stryker-mutator/core/package.json')), 'bin/stryker.js');
const config = join(ROOT, 'packages/tooling/src/mutants/stryker.config.mjs');
const results = [];
for (const area of asked.length > 0 ? asked : Object.keys(AREAS)) {
  const environment = { ...process.env, COLKIT_MUTANT_AREA: area, COLKIT_MUTANT_ORIGIN: ROOT };
  const command = [stryker, 'run', config, ...options];
  forgetStaticSurvivors(join(ROOT, `.cache/mutants/${area}-incremental.json`));
  const { status } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit', env: environment });
  if (status !== 0) process.exit(status ?? 1);
  results.push([area, await survivorsOf(join(ROOT, `.cache/mutants/${area}.json`), area)]);
}
for (const [area, { counts, open, stale }] of results) {
  console.log(`${area}: ${[...counts].map(([status, count]) => `${count} ${status}`).join(', ')}`);
  console.log(`  ${open.length} unexplained survivors${open.map((text) => `\n  ${text}`).join('')}`);
  if (stale.length > 0) console.log(`  justified, but no survivors:${stale.map((text) => `\n  ${text}`).join('')}`);
  if (open.length > 0) process.exitCode = 1;
}
