// Runs the whole test suite on other Node versions: `npm run test:node -- 22 24`. Each comes from the registry into a
// folder of its own (as a devDependency it would take over every command of the workspace). The addon is the same
// binary: Node-API does not change with the version.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const versions = process.argv.slice(2);
if (versions.length === 0) versions.push('22', '24');

let failed = 0;
for (const version of versions) {
  const folder = join(ROOT, '.cache', `node-${version}`);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const bin = join(folder, 'node_modules', name, 'bin');
  const found = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim();
  console.log(`[colkit] tests on Node ${found}`);
  const { status } = spawnSync(join(bin, 'node'), [join(ROOT, 'packages/tooling/src/run.mjs'), 'test'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, NODE_MATRIX: version, PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
  console.log(`[colkit] Node ${found}: ${status === 0 ? 'passed' : 'FAILED'}`);
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
