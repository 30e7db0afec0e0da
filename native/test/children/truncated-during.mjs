// Another process takes the end of the file away and puts it back, over and over, while this one gathers: each gather
// ends with its bytes or with ERR_FILE_CHANGED.
import { spawn } from 'node:child_process';
import { fail, mapColumn, native, scatteredRows, writeColumn } from './setup.mjs';

const path = process.argv[2];
const rowCount = 2_000_000;
writeColumn(path, rowCount);
const { mapping, segments } = mapColumn(path);
const rows = scatteredRows(300_000, rowCount);
const mask = new Uint8Array(rowCount).fill(1, 0, 300_000);
const out = new Float64Array(300_000);
const column = Int32Array.of(0);

const code =
  `const fs = require('fs'); console.log('go'); for (;;) { fs.truncateSync(process.argv[1], 4096); ` +
  `fs.truncateSync(process.argv[1], ${rowCount * 8}); }`;
const other = spawn(process.execPath, ['-e', code, path], { stdio: ['ignore', 'pipe', 'inherit'] });
await new Promise((resolve) => other.stdout.once('data', resolve));

let failed = 0;
let ended = 0;
const uses = [
  () => native.gatherSync(segments, column, rows, [out], null, 1),
  () => native.gatherSync(segments, column, rows, [out], null, 2),
  () => native.gather(segments, column, rows, [out], null, 2),
  () => native.gatherSync(segments, column, { kind: 'mask', mask, count: 300_000 }, [out], null, 2),
  () =>
    native.gather(segments, column, { kind: 'range', start: rowCount - 1, step: -5, count: 300_000 }, [out], null, 1),
  () => native.copyRanges(mapping, Float64Array.of(0), Float64Array.of(2_400_000), out, Float64Array.of(0), 1),
  () => native.readSync(mapping, 8_000_000, out),
];
for (let i = 0; i < 350; i++) {
  try {
    await uses[i % uses.length]();
    ended++;
  } catch (error) {
    if (error.code !== 'ERR_FILE_CHANGED') fail(`${error.code}: ${error.message}`);
    failed++;
  }
}
other.kill('SIGKILL');
if (failed === 0) fail('no gather saw the truncation');
console.log(`alive after ${failed + ended} gathers`);
