// Opens windows in one turn of the event loop until one is refused; they go when they were collected and the loop has
// turned. Run with --expose-gc.
import { setImmediate as turn } from 'node:timers/promises';
import { fail, mapColumn, native, writeColumn } from './setup.mjs';

const path = process.argv[2];
writeColumn(path, 1000);
const { mapping } = mapColumn(path);
const { limit } = native.windowStats();
if (limit < 1000 || limit > 16384) fail(`a limit of ${limit}`);
let code = null;
for (let i = 0; code === null && i < 70_000; i++) {
  try {
    native.window(mapping, 0, 8000);
  } catch (error) {
    code = error.code;
  }
}
const at = native.windowStats().count === limit ? 'the limit' : native.windowStats().count;
for (let i = 0; i < 5; i++) {
  globalThis.gc();
  await turn();
}
native.window(mapping, 0, 8);
console.log(`${code} at ${at}, ${native.windowStats().count - 1} after they were collected`);
