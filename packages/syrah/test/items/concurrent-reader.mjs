// Opens a file by the handle that it is given, in a process or a thread, reads every item in an order of its own, and
// tells the sum.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { openSync } from '../../dist/index.js';

function sumOf(handle) {
  const file = openSync(handle);
  let sum = 0;
  for (let i = 0; i < file.itemCount; i += 1) {
    const { label, features } = file.getItemSync((i * 769) % file.itemCount);
    sum += label[0] * features.reduce((total, value) => total + value, 0);
  }
  file.close();
  return sum;
}

if (isMainThread) {
  process.once('message', (handle) => {
    process.send(sumOf(handle), () => process.exit(0));
  });
} else {
  parentPort.postMessage(sumOf(workerData));
}
