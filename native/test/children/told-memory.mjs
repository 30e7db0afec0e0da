// Buffers, pooled and ordinary, that are dropped and collected at any time: what V8 counts never falls below what else
// there is, and it is told of all of them in the end. Prints the least and the most of its count in MiB, beyond that of
// the start.
import { setTimeout as turnOf } from 'node:timers/promises';
import { loadNative } from '../../index.js';

const { binding } = loadNative();
const start = process.memoryUsage().external;
let [least, most] = [start, start];
let kept = [];
const ordinary = (bytes) => {
  const { buffer } = Buffer.allocUnsafeSlow(bytes);
  binding.tellOrdinary(bytes);
  return buffer;
};
for (let round = 0; round < 300; round++) {
  for (let i = 0; i < 5; i++) kept.push(binding.allocatePooled((1 + ((7 * round + 3 * i) % 20)) << 20));
  for (let i = 0; i < 20; i++) kept.push(ordinary((32 + ((11 * round + 5 * i) % 900)) << 10));
  if (round % 3 === 0) kept = kept.slice(-(round % 7));
  if (round % 5 === 0) {
    kept = [];
    globalThis.gc();
  }
  await turnOf(0);
  const { external } = process.memoryUsage();
  least = Math.min(least, external);
  most = Math.max(most, external);
}
console.log(JSON.stringify([least, most].map((bytes) => Math.round((bytes - start) / 2 ** 20))));
