// Another thread writes wild numbers into the index and mask arrays while gathers run on them: each ends with bytes or
// an error, and nothing outside the mapping is touched.
import { Worker } from 'node:worker_threads';
import { fail, mapColumn, native, writeColumn } from './setup.mjs';

const path = process.argv[2];
const rowCount = 200_000;
writeColumn(path, rowCount);
const { mapping, segments } = mapColumn(path);
const shared = (Type, length) => new Type(new SharedArrayBuffer(length * Type.BYTES_PER_ELEMENT));
const arrays = {
  float64: shared(Float64Array, 100_000),
  int32: shared(Int32Array, 100_000),
  bigint: shared(BigInt64Array, 100_000),
  mask: shared(Uint8Array, rowCount),
  lengths: shared(Float64Array, 1000),
};
arrays.mask.fill(1, 0, 50_000);
const code = `const { workerData: a, parentPort } = require('node:worker_threads'); parentPort.postMessage(0);
  for (let i = 0; ; i++) { const k = (i * 7919) % 100000; const wild = i % 3 === 0;
    a.float64[k] = wild ? 1e15 : 0; a.int32[k] = wild ? -2000000000 : 0; a.bigint[k] = wild ? 1n << 60n : 0n;
    a.mask[k] ^= 1; a.lengths[i % 1000] = wild ? 1e12 : 8; }`;
const worker = new Worker(code, { eval: true, workerData: arrays });
await new Promise((resolve) => worker.once('message', resolve));
const out = new Float64Array(rowCount);
const column = Int32Array.of(0);
const zeros = new Float64Array(1000);
const allowed = new Set(['ERR_INDEX_OUT_OF_RANGE', 'ERR_ARGUMENT']);
for (let i = 0; i < 400; i++) {
  const uses = [
    () => native.gather(segments, column, arrays.float64, [out], null, 2),
    () => native.gatherSync(segments, column, arrays.int32, [out], null, 1),
    () => native.gather(segments, column, arrays.bigint, [out], null, 1),
    () => native.gatherSync(segments, column, { kind: 'mask', mask: arrays.mask, count: 50_000 }, [out], null, 2),
    () => native.copyRanges(mapping, zeros, arrays.lengths, out, zeros, 2),
  ];
  try {
    await uses[i % uses.length]();
  } catch (error) {
    if (!allowed.has(error.code)) fail(`${error.code}: ${error.message}`);
  }
}
await worker.terminate();
console.log('alive');
