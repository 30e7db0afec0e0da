// The process ends while gathers run, in the way that argument 3 names.
import { mapColumn, native, scatteredRows, writeColumn } from './setup.mjs';

const [path, way] = process.argv.slice(2);
writeColumn(path, 3_000_000);
const { segments } = mapColumn(path);
const rows = scatteredRows(3_000_000, 3_000_000);
const column = Int32Array.of(0);
let settled = 0;
for (let i = 0; i < 8; i++) {
  const out = new Float64Array(3_000_000);
  native.gather(segments, column, rows, [out], null, 2).then(() => {
    settled++;
    if (out[1] !== 7919) process.exit(9);
  });
}
if (way === 'exit') process.exit(7);
if (way === 'exit-later') setTimeout(() => process.exit(7), 10);
if (way === 'throw') throw new Error('on purpose');
if (way === 'natural') process.on('exit', () => console.log(`settled ${settled}`));
