// One process of the benchmark: it answers the question by itself, asks workers, or is one.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createScanWorker, runDistributed } from '../../packages/bullmq/dist/index.js';
import { openDataset } from '../../packages/columna/dist/index.js';

const { Queue } = createRequire(new URL('../../packages/bullmq/package.json', import.meta.url))('bullmq');
const { role, orders, port, queue, targetBytes } = JSON.parse(process.argv[2]);
const connection = { host: '127.0.0.1', port };
const WHERE = 'qty < 50 and amount > 10.5';
const AGGREGATES = { n: 'count', total: { sum: 'amount' }, most: { max: 'id' } };

const asked = role === 'ask' ? new Queue(queue, { connection }) : undefined;
if (role === 'work') {
  const worker = createScanWorker({ connection, queue, allow: orders });
  worker.on('error', () => undefined);
  await worker.waitUntilReady();
}
await asked?.waitUntilReady();

process.on('message', (what) => {
  const work = what === 'usage' ? usage : role === 'ask' ? ask : whole;
  Promise.resolve()
    .then(work)
    .catch((error) => ({ error: String(error?.stack ?? error) }))
    .then((reply) => process.send(reply));
});
process.send({ ready: true });

function usage() {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, peakMiB: peakKibibytes() / 1024 };
}

/** Of this program alone: what `resourceUsage` tells on Linux begins with the peak of the one that started it. */
function peakKibibytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

async function ask() {
  const start = performance.now();
  const dataset = await openDataset(orders);
  let splits = 0;
  const answer = await runDistributed(
    asked,
    dataset,
    { where: WHERE, aggregates: AGGREGATES, by: ['region'], targetBytes },
    { onProgress: ({ splitCount }) => (splits = splitCount) },
  );
  dataset.close();
  return { ms: performance.now() - start, answer: text(answer), splits };
}

async function whole() {
  const start = performance.now();
  const dataset = await openDataset(orders);
  const found = await dataset.where(WHERE).groupBy('region').agg(AGGREGATES);
  const answer = Object.fromEntries(['region', ...Object.keys(AGGREGATES)].map((name) => [name, found.columns[name]]));
  dataset.close();
  return { ms: performance.now() - start, answer: text(answer), splits: 1 };
}

/** Groups in an order of their own. */
function text(answer) {
  const { region, ...others } = answer;
  const order = [...region.keys()].sort((one, other) => (region[one] < region[other] ? -1 : 1));
  return JSON.stringify(
    order.map((group) => [region[group], ...Object.values(others).map((all) => String(all[group]))]),
  );
}
