#!/usr/bin/env node
// `npm run test:models`: the examples that give batches to TensorFlow.js and ONNX Runtime, docs/examples/models, run
// with these packages from npm, pinned; every line that an example says it prints has to be printed. Exits with 1 where
// one does not work.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../published.mjs';
import { installTools } from './installed.mjs';
import { tinyModel } from './tiny-onnx.mjs';

const PACKAGES = { '@tensorflow/tfjs': '4.22.0', 'onnxruntime-node': '1.30.0', 'onnxruntime-web': '1.30.0' };
const EXAMPLES = join(ROOT, 'docs', 'examples', 'models');
const TIMEOUT_MS = 120_000;

// What onnxruntime-node's script would download is for graphics cards.
const folder = installTools('models', PACKAGES, ['--ignore-scripts']);
const linked = join(folder, 'node_modules', 'syrah');
rmSync(linked, { force: true });
symlinkSync(join(ROOT, 'packages', 'syrah'), linked, 'junction');
const work = join(folder, 'work');
rmSync(work, { recursive: true, force: true });
mkdirSync(work);
await writeItems(join(work, 'train.syr'));
writeFileSync(join(work, 'model.onnx'), tinyModel('int32'));
writeFileSync(join(work, 'model-int64.onnx'), tinyModel('int64'));
for (const name of readdirSync(EXAMPLES).filter((each) => each.endsWith('.mjs'))) {
  const source = readFileSync(join(EXAMPLES, name), 'utf8');
  const module = join(folder, name);
  writeFileSync(module, source);
  const { stdout, stderr, status } = spawnSync(process.execPath, [module], {
    cwd: work,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  const printed = linesOf(stdout).filter((line) => promised(source).includes(line));
  const right = status === 0 && JSON.stringify(printed) === JSON.stringify(promised(source));
  if (!right) process.exitCode = 1;
  console.log(`${name}: ${right ? 'prints what it says' : `WRONG (exit code ${status})\n${stdout}${stderr}`}`);
}

/** A hundred items: two numbers, the second always 3.5, and which of them is the larger. */
async function writeItems(path) {
  const { create, typed } = await import(pathToFileURL(join(folder, 'node_modules', 'syrah', 'dist', 'index.js')));
  const writer = await create(path);
  for (let i = 0; i < 100; i++)
    await writer.addItem({
      features: typed('float16', [i % 8, 3.5]),
      label: BigInt64Array.of(i % 8 > 3 ? 0n : 1n),
    });
  await writer.close();
}

function linesOf(text) {
  return text.split('\n').map((line) => line.trim());
}

function promised(source) {
  return [...source.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line);
}
