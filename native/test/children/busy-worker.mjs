// A worker that starts gathers, says so, and then does what it is told: wait to be terminated, or exit by itself while
// they run.
import { parentPort, workerData } from 'node:worker_threads';
import { mapColumn, native, scatteredRows } from './setup.mjs';

const { segments, rowCount } = mapColumn(workerData.path);
const rows = scatteredRows(rowCount, rowCount);
const column = Int32Array.of(0);
const jobs = Array.from({ length: workerData.jobs }, () => {
  const out = workerData.pooled ? new Float64Array(native.allocatePooled(8 * rowCount)) : new Float64Array(rowCount);
  return native.gather(segments, column, rows, [out], null, 2).then(() => out[1]);
});
parentPort.postMessage('started');
if (workerData.then === 'exit') process.exit(0);
if (workerData.then === 'finish') parentPort.postMessage(await Promise.all(jobs));
