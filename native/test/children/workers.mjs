// Loads the addon in many workers, some of which end while their gathers run. The main thread itself loads it only at
// the end: until then each last worker that goes would unload the library under the pool's threads.
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const path = process.argv[2];
const rowCount = 1_000_000;
writeFileSync(
  path,
  Float64Array.from({ length: rowCount }, (_, row) => row),
);

function start(workerData) {
  const worker = new Worker(new URL('busy-worker.mjs', import.meta.url), {
    workerData: { path, jobs: 4, ...workerData },
  });
  worker.on('error', (error) => {
    console.error(error);
    process.exit(1);
  });
  return worker;
}

const message = (worker) => new Promise((resolve) => worker.once('message', resolve));
const exit = (worker) => new Promise((resolve) => worker.once('exit', resolve));
/** All that a worker says until it exits. */
const messages = async (worker) => {
  const all = [];
  worker.on('message', (value) => all.push(value));
  await exit(worker);
  return all;
};

for (let round = 0; round < 4; round++) {
  const worker = start({ then: 'wait', pooled: round % 2 === 0 });
  await message(worker);
  await worker.terminate();
}
for (let round = 0; round < 2; round++) await exit(start({ then: 'exit', pooled: round % 2 === 0 }));
const several = Array.from({ length: 4 }, (_, i) => start({ then: 'finish', pooled: i % 2 === 0 }));
for (const [started, values] of await Promise.all(several.map(messages))) {
  if (started !== 'started' || values.length !== 4 || values.some((value) => value !== 7919)) process.exit(2);
}
const { loadNative } = await import('../../index.js');
console.log(`alive, ${loadNative().binding.poolStats().liveBytes} live`);
