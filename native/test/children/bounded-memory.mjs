// Copies a sparse file of 1 GiB through an output of 8 MiB, with every kind of gather; prints by how many MiB the
// anonymous memory of the process grew at most.
import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { fail, mapColumn, native } from './setup.mjs';

const path = process.argv[2];
const fd = openSync(path, 'w');
ftruncateSync(fd, 2 ** 30);
closeSync(fd);
const anonymous = () => Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
const { mapping, segments, rowCount } = mapColumn(path);
const out = new Float64Array(1 << 20).fill(1);
const column = Int32Array.of(0);
const indices = new Float64Array(1 << 20);
const before = anonymous();
let most = 0;
for (let start = 0; start < rowCount; start += out.length) {
  native.gatherSync(segments, column, { kind: 'range', start, step: 1, count: out.length }, [out], null, 2);
  if (start % (1 << 24) === 0) {
    for (let i = 0; i < indices.length; i++) indices[i] = (start + i * 104729) % rowCount;
    await native.gather(segments, column, indices, [out], null, 2);
    native.readSync(mapping, start * 8, out);
  }
  most = Math.max(most, anonymous() - before);
}
if (out[5] !== 0) fail('bytes');
console.log(Math.round(most));
