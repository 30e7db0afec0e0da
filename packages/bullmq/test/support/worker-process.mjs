// A worker in a process of its own, as it is published: told by its arguments, and killed (or stopped) by itself where
// a test wants it, once. Prints what happens, a word a line.
import { Job } from 'bullmq';
import { createScanWorker } from '../../dist/index.js';

const { port, queue, allow, killAt, after = 0, worker: more } = JSON.parse(process.argv[2]);
let left = after;

function reached(where) {
  if (where !== killAt) return;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
}

function around(name, before, behind) {
  const original = Job.prototype[name];
  Job.prototype[name] = async function (...parameters) {
    reached(before);
    const result = original.apply(this, parameters);
    // The command is on its way, the answer is not here.
    reached(`${before}-sent`);
    const answer = await result;
    reached(behind);
    return answer;
  };
}
around('moveToCompleted', 'computed', 'completed');
around('moveToFailed', 'failing', 'failed');

const worker = createScanWorker({
  connection: { host: '127.0.0.1', port },
  queue,
  allow: (path) => {
    console.log('picked');
    reached('picked');
    // Somewhere in the reading.
    if (killAt === 'reading') setTimeout(() => reached('reading'), Math.random() * 4);
    if (killAt === 'failing' || killAt === 'failing-sent' || killAt === 'failed') throw new Error('not this time');
    return path.startsWith(allow);
  },
  worker: more,
});
worker.on('error', (error) => console.log(`error ${error.message.split('\n')[0]}`));
worker.on('completed', () => reached('told'));
await worker.waitUntilReady();
reached('idle');
console.log('ready');
