#!/usr/bin/env node
// `npm run test:recipes`: the recipes with tools of others, docs/examples/recipes/tools, run with these tools, pinned:
// packages of npm, and of PyPI in an environment of its own by COLKIT_PYTHON or python3. Exits with 1 where one does
// not print what it says.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../published.mjs';
import { installTools } from './installed.mjs';
import { prepare, runModule, runPython } from './running-examples.mjs';
import { linearModel } from './tiny-onnx.mjs';

const PACKAGES = { '@duckdb/node-api': '1.5.6-r.1', '@tensorflow/tfjs': '4.22.0', 'onnxruntime-node': '1.30.0' };
const PYTHON_PACKAGES = ['pandas==3.1.1', 'polars==2.1.0', 'duckdb==2.0.0', 'pyarrow==26.0.1'];
const RECIPES = join(ROOT, 'docs', 'examples', 'recipes', 'tools');
const COMMAND = join(ROOT, 'packages', 'colkit', 'bin', 'colkit.js');
const ORDERS = 'order_id,region,amount\n1,EMEA,10.5\n2,APAC,7.25\n3,EMEA,2\n4,,3\n';

// What onnxruntime-node's script would download is for graphics cards.
const folder = installTools('recipes', PACKAGES, ['--ignore-scripts']);
const work = prepare(folder, ['columna', 'colkit']);
const python = pythonWith(PYTHON_PACKAGES);
linkCommand();
for (const name of readdirSync(RECIPES)) {
  const place = join(work, name);
  mkdirSync(place);
  if (name.endsWith('.mjs')) {
    writeFileSync(join(place, 'model.onnx'), linearModel());
    runModule(folder, place, join(RECIPES, name));
  } else {
    writeFileSync(join(place, 'orders.csv'), ORDERS);
    spawnSync(process.execPath, [COMMAND, 'convert', 'orders.csv', 'orders.cna'], { cwd: place });
    runPython(python, place, join(RECIPES, name));
  }
}

/** `npx colkit` finds what is installed, here what was built. */
function linkCommand() {
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'colkit'), { force: true });
  symlinkSync(COMMAND, join(bin, 'colkit'));
  chmodSync(COMMAND, 0o755);
}

/** The interpreter of an environment with these packages, made once. */
function pythonWith(packages) {
  const home = join(ROOT, 'packages', 'tooling', '.cache', 'recipes-python');
  const bin = join(home, process.platform === 'win32' ? 'Scripts' : 'bin');
  if (existsSync(join(home, 'made'))) return join(bin, 'python');
  rmSync(home, { recursive: true, force: true });
  for (const [program, ...parameters] of [
    [process.env.COLKIT_PYTHON ?? 'python3', '-m', 'venv', home],
    [join(bin, 'pip'), 'install', '--quiet', ...packages],
  ]) {
    const { status } = spawnSync(program, parameters, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed`);
  }
  writeFileSync(join(home, 'made'), '');
  return join(bin, 'python');
}
