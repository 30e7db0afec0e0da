// The file was truncated after it was mapped: everything that materialises throws ERR_FILE_CHANGED, and the process
// lives.
import { truncateSync } from 'node:fs';
import { fail, mapColumn, native, scatteredRows, writeColumn } from './setup.mjs';

const path = process.argv[2];
const rowCount = 1_000_000;
writeColumn(path, rowCount);
const { mapping, segments } = mapColumn(path);
const out = new Float64Array(1000);
const column = Int32Array.of(0);
const rows = scatteredRows(1000, rowCount);
native.gatherSync(segments, column, rows, [out], null, 0);

for (const size of [rowCount * 8 - 1, 5000, 0]) {
  truncateSync(path, size);
  const mask = new Uint8Array(rowCount).fill(1, 0, 1000);
  const zero = Float64Array.of(0);
  const uses = {
    indices: () => native.gatherSync(segments, column, rows, [out], null, 0),
    range: () => native.gatherSync(segments, column, { kind: 'range', start: 0, step: 1, count: 1000 }, [out], null, 0),
    mask: () => native.gatherSync(segments, column, { kind: 'mask', mask, count: 1000 }, [out], null, 0),
    readSync: () => native.readSync(mapping, 0, out),
    copyRangesSync: () => native.copyRangesSync(mapping, zero, Float64Array.of(8), out, zero, 0),
    gather: () => native.gather(segments, column, rows, [out], null, 0),
    copyRanges: () => native.copyRanges(mapping, zero, Float64Array.of(8), out, zero, 0),
    window: () => native.window(mapping, 0, 8),
  };
  for (const [name, use] of Object.entries(uses)) {
    let code = 'nothing';
    try {
      await use();
    } catch (error) {
      code = error.code;
    }
    if (code !== 'ERR_FILE_CHANGED') fail(`${name} at size ${size}: ${code}`);
  }
  if (native.currentFileSize(mapping) !== size) fail('currentFileSize');
}
console.log('alive');
