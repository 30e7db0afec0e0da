// How a program becomes one executable: its bundle inside, the addon and the script of the loader's workers beside it.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../published.mjs';
import { byEsbuild } from './node-bundles.mjs';

/** What Node looks for in its own executable. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export const executables = [
  { name: "Bun's executable", bundle: byBun },
  { name: "Node's single executable", bundle: byNode },
];

/** The bundle of the worker is esbuild's; its program is not looked at. */
async function byBun(context, folder) {
  await byEsbuild(context, folder, 'esm', '.mjs');
  const bun = join(context.tools, 'node_modules', '.bin', 'bun');
  run(bun, ['build', '--compile', 'program.mjs', '--outfile', join(folder, 'app')], context.project);
  return 'app';
}

async function byNode(context, folder) {
  const main = join(folder, await byEsbuild(context, folder, 'cjs', '.cjs'));
  const output = join(folder, 'app.blob');
  const config = join(folder, 'sea.json');
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
  run(process.execPath, ['--experimental-sea-config', config], folder);
  const app = join(folder, 'app.exe');
  copyFileSync(process.execPath, app);
  const { inject } = (await context.load('postject')).default;
  await inject(app, 'NODE_SEA_BLOB', readFileSync(output), { sentinelFuse: FUSE });
  return 'app.exe';
}
