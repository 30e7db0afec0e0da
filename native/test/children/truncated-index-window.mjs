// The index array is itself a window over another file, which is truncated: reading it faults inside the kernel, which
// must end in an error too.
import { truncateSync } from 'node:fs';
import { fail, mapColumn, native, writeColumn } from './setup.mjs';

const path = process.argv[2];
writeColumn(path, 100_000);
const indexPath = `${path}.indices`;
writeColumn(indexPath, 100_000);
const table = mapColumn(path);
const indices = new Float64Array(native.window(mapColumn(indexPath).mapping, 0, 800_000));
const out = new Float64Array(100_000);
const column = Int32Array.of(0);
truncateSync(indexPath, 0);
for (const use of [
  () => native.gatherSync(table.segments, column, indices, [out], null, 2),
  () => native.gather(table.segments, column, indices, [out], null, 2),
]) {
  let code = 'nothing';
  try {
    await use();
  } catch (error) {
    code = error.code;
  }
  if (code !== 'ERR_READ') fail(code);
}
console.log('alive');
