// The pool of result memory: blocks come back when their buffers are collected and are handed out again. Run with
// --expose-gc.
import { setImmediate as turn } from 'node:timers/promises';
import { fail, native } from './setup.mjs';

const MEBI = 1 << 20;
const collect = async () => {
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await turn();
  }
};
const expectStats = (what, idle, live) => {
  const stats = native.poolStats();
  if (stats.idleBytes !== idle || stats.liveBytes !== live) fail(`${what}: ${JSON.stringify(stats)}`);
};

const allocate = (bytes) => {
  const array = new Uint8Array(native.allocatePooled(bytes));
  if (array.length !== bytes) fail(`asked for ${bytes}, got ${array.length}`);
  return array.fill(9);
};

expectStats('at the start', 0, 0);
allocate(0);
allocate(1000);
expectStats('small ones are ordinary', 0, 0);
let held = allocate(7 * MEBI + 5);
expectStats('a block of its class', 0, 8 * MEBI);
await collect();
expectStats('still held', 0, 8 * MEBI);
if (held[7 * MEBI] !== 9) fail('contents');
held = null;
await collect();
expectStats('collected', 8 * MEBI, 0);
held = allocate(8 * MEBI);
expectStats('handed out again', 0, 8 * MEBI);
native.setPoolLimit(4 * MEBI);
held = null;
await collect();
expectStats('more than the limit is given back', 0, 0);
native.setPoolLimit(0);
allocate(3 * MEBI);
await collect();
expectStats('no reuse', 0, 0);
if (native.poolStats().limitBytes !== 0) fail('limit');
console.log('done');
