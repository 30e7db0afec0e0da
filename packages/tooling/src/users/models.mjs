#!/usr/bin/env node
// `npm run test:models`: the examples that give batches to TensorFlow.js and ONNX Runtime, docs/examples/models, run
// with these packages from npm, pinned; every line that an example says it prints has to be printed. The training run
// once more in Chromium, where there is one: the same module, bundled. Exits with 1 where one does not work.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../published.mjs';
import { installTools } from './installed.mjs';
import { TOOLS } from './node-bundles.mjs';
import { prepare, runInChromium, runModule } from './running-examples.mjs';
import { tinyModel } from './tiny-onnx.mjs';

const PACKAGES = {
  '@tensorflow/tfjs': '4.22.0',
  'onnxruntime-node': '1.30.0',
  'onnxruntime-web': '1.30.0',
  mnist: '1.1.0',
  esbuild: TOOLS.esbuild,
};
const EXAMPLES = join(ROOT, 'docs', 'examples', 'models');

// What onnxruntime-node's script would download is for graphics cards.
const folder = installTools('models', PACKAGES, ['--ignore-scripts']);
const work = prepare(folder, ['syrah']);
await writeItems(join(work, 'train.syr'));
writeFileSync(join(work, 'model.onnx'), tinyModel('int32'));
writeFileSync(join(work, 'model-int64.onnx'), tinyModel('int64'));
for (const name of readdirSync(EXAMPLES).filter((each) => each.endsWith('.mjs')))
  runModule(folder, work, join(EXAMPLES, name));
await runInChromium(folder, work, join(EXAMPLES, 'digits-train.mjs'));

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
