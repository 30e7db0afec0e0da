// The syrah part of the demo: digits written to one .syr file, read at random, and loaded in shuffled batches, beside a
// naive reader of the same bytes; both see the same items.
import { closeSync, openSync as openFile, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataLoader, SyrahDataset, backendInfo, create, openSync } from 'syrah';
import type { SyrahFile, Tensor } from 'syrah';
import pc from 'picocolors';
import { PIXELS, readDigits } from './digits.ts';
import type { Digit } from './digits.ts';
import { startProgress } from './progress.ts';
import { shuffledItems } from './random.ts';
import { megabytes, print, printTable } from './summary.ts';

const BATCH = 32;
const SHOWN = 2;
const HEADER_BYTES = 22;
const LABEL_BYTES = 4;
const ITEM_BYTES = LABEL_BYTES + 4 * PIXELS;
const REPEATS = 5;

/** What a pass over all items saw: equal for everybody who saw every item once. */
interface Seen {
  items: number;
  labels: number;
  brightness: number;
}

export async function syrahPart(folder: string): Promise<void> {
  const path = join(folder, 'digits.syr');
  await writeDigits(path);
  print('');
  print(pc.bold('digits.syr: training items by number, and a loader that shuffles them'));
  using file = openSync(path);
  const order = shuffledItems(file.itemCount);
  for (const item of order.subarray(0, SHOWN)) drawDigit(file, item);
  const loader = new DataLoader<[Tensor<Float32Array>, Tensor<Int32Array>]>(
    new SyrahDataset(file, ['pixels', 'label']),
    { batchSize: BATCH, shuffle: true, seed: 7 },
  );
  const rows = [
    ...(backendInfo().backend === 'native'
      ? [
          await compare(
            'view an item',
            file.itemCount,
            () => viewed(file, order),
            () => readOneByOne(path, order),
          ),
        ]
      : []),
    await compare(
      'read an item (copy)',
      file.itemCount,
      () => copied(file, order),
      () => readOneByOne(path, order),
    ),
    await compare(
      `epoch in shuffled batches of ${String(BATCH)}`,
      file.itemCount,
      () => loaded(loader),
      () => stackOneByOne(path, order),
    ),
  ];
  print('');
  printTable([['', 'syrah', 'naive reader', 'gain'], ...rows]);
  print('');
  print(pc.green('all saw the same items'));
}

async function writeDigits(path: string): Promise<void> {
  const reading = startProgress('read  digits of mnist');
  const digits: Digit[] = readDigits();
  reading.end(`${digits.length.toLocaleString('en')} digits of JSON`);
  const writing = startProgress('write digits.syr');
  await using writer = await create(path);
  for (const digit of digits) {
    await writer.addItem({ label: digit.label, pixels: digit.pixels });
    writing.update(writer.itemCount, digits.length);
  }
  await writer.close();
  writing.end(megabytes(statSync(path).size));
}

/** Every other row of a digit: characters are twice as high as wide. */
function drawDigit(file: SyrahFile, item: number): void {
  const { label, pixels } = file.getItemSync(item) as unknown as Digit;
  print(pc.dim(`item ${String(item)}, label ${String(label[0])}`));
  for (let row = 2; row < 28; row += 2) {
    const line = Array.from(
      pixels.subarray(row * 28, (row + 1) * 28),
      (brightness) => ' .:*#'[Math.min(4, Math.floor(brightness * 5))],
    )
      .join('')
      .trimEnd();
    if (line !== '') print(`  ${line}`);
  }
}

async function compare(
  name: string,
  items: number,
  ours: () => Seen | Promise<Seen>,
  naive: () => Seen,
): Promise<string[]> {
  const [a, b] = [await fastest(ours), await fastest(naive)];
  if (
    a.seen.items !== b.seen.items ||
    a.seen.labels !== b.seen.labels ||
    Math.abs(a.seen.brightness - b.seen.brightness) > 1e-3
  )
    throw new Error(`${name}: syrah and the naive reader differ`);
  const rate = (milliseconds: number): string => `${Math.round(items / milliseconds).toLocaleString('en')} items/ms`;
  return [name, rate(a.milliseconds), rate(b.milliseconds), `${(b.milliseconds / a.milliseconds).toFixed(1)}x`];
}

async function fastest(run: () => Seen | Promise<Seen>): Promise<{ seen: Seen; milliseconds: number }> {
  let seen = await run();
  let milliseconds = Infinity;
  for (let i = 0; i < REPEATS; i++) {
    const start = performance.now();
    seen = await run();
    milliseconds = Math.min(milliseconds, performance.now() - start);
  }
  return { seen, milliseconds };
}

function viewed(file: SyrahFile, order: Int32Array): Seen {
  const seen = { items: 0, labels: 0, brightness: 0 };
  for (const item of order) see(seen, file.viewItem(item) as unknown as Digit);
  return seen;
}

function copied(file: SyrahFile, order: Int32Array): Seen {
  const seen = { items: 0, labels: 0, brightness: 0 };
  for (const item of order) see(seen, file.getItemSync(item) as unknown as Digit);
  return seen;
}

async function loaded(loader: DataLoader<[Tensor<Float32Array>, Tensor<Int32Array>]>): Promise<Seen> {
  const seen = { items: 0, labels: 0, brightness: 0 };
  for await (const [pixels, labels] of loader) seeBatch(seen, pixels.data, labels.data);
  return seen;
}

/** A read call for each array, into an array of its own: what one writes without a library. */
function readOneByOne(path: string, order: Int32Array): Seen {
  const seen = { items: 0, labels: 0, brightness: 0 };
  const fd = openFile(path, 'r');
  for (const item of order) see(seen, readDigit(fd, item));
  closeSync(fd);
  return seen;
}

function stackOneByOne(path: string, order: Int32Array): Seen {
  const seen = { items: 0, labels: 0, brightness: 0 };
  const fd = openFile(path, 'r');
  for (let start = 0; start < order.length; start += BATCH) {
    const batch = order.subarray(start, start + BATCH);
    const [pixels, labels] = [new Float32Array(batch.length * PIXELS), new Int32Array(batch.length)];
    for (const [k, item] of batch.entries()) {
      const digit = readDigit(fd, item);
      pixels.set(digit.pixels, k * PIXELS);
      labels.set(digit.label, k);
    }
    seeBatch(seen, pixels, labels);
  }
  closeSync(fd);
  return seen;
}

function readDigit(fd: number, item: number): Digit {
  const [label, pixels] = [new Int32Array(1), new Float32Array(PIXELS)];
  readSync(fd, label, 0, LABEL_BYTES, HEADER_BYTES + item * ITEM_BYTES);
  readSync(fd, pixels, 0, 4 * PIXELS, HEADER_BYTES + item * ITEM_BYTES + LABEL_BYTES);
  return { label, pixels };
}

/** Touches the label and the middle of the picture: who views pays for what is looked at. */
function see(seen: Seen, { label, pixels }: Digit): void {
  seen.items += 1;
  seen.labels += label[0] ?? 0;
  seen.brightness += pixels[PIXELS >> 1] ?? 0;
}

function seeBatch(seen: Seen, pixels: Float32Array, labels: Int32Array): void {
  for (let k = 0; k < labels.length; k++)
    see(seen, { label: labels.subarray(k, k + 1), pixels: pixels.subarray(k * PIXELS, (k + 1) * PIXELS) });
}
