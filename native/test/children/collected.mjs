// Handles that nobody holds any more: a job keeps what it needs, and what was mapped goes away with its last user. Run
// with --expose-gc.
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { fail, mapColumn, native, scatteredRows, writeColumn } from './setup.mjs';

const path = process.argv[2];
const rowCount = 500_000;
writeColumn(path, rowCount);
const mapped = () =>
  process.platform === 'linux'
    ? readFileSync('/proc/self/maps', 'utf8')
        .split('\n')
        .filter((line) => line.endsWith(path)).length
    : 0;
const collect = async () => {
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await turn();
  }
};

const jobs = (() => {
  const { segments } = mapColumn(path);
  return Array.from({ length: 6 }, () => {
    const out = new Float64Array(rowCount);
    return native
      .gather(segments, Int32Array.of(0), scatteredRows(rowCount, rowCount), [out], null, 2)
      .then(() => out[1]);
  });
})();
globalThis.gc();
for (const value of await Promise.all(jobs)) if (value !== 7919) fail(`a job read ${value}`);
await collect();
if (mapped() !== 0) fail('the mapping of a collected handle is still there');

// A window outlives its mapping's handle and its closing, and goes when it is collected itself.
let window = (() => {
  const { mapping } = mapColumn(path);
  const buffer = native.window(mapping, 8, 80);
  native.closeMapping(mapping);
  return new Float64Array(buffer);
})();
await collect();
if (window[0] !== 1 || window[9] !== 10) fail('the window lost its bytes');
if (process.platform === 'linux' && mapped() !== 1) fail(`${mapped()} mappings, not the window's alone`);
window = null;
await collect();
if (mapped() !== 0) fail('a collected window is still mapped');

// Closing without a job running unmaps at once.
const closing = mapColumn(path);
native.closeMapping(closing.mapping);
if (mapped() !== 0) fail('a closed mapping is still there');
console.log('done');
