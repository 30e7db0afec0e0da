// A question over 1, 2 and 4 workers of BullMQ, each a process, beside the same in one process. CPU is that of all
// threads of the process that asks and of the workers while the question is open, and of the server by itself.
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(new URL('process.mjs', import.meta.url));
const WORKERS = [1, 2, 4];
/** About a row group each. */
const TARGET_BYTES = 1;

export async function runWorkers({ folder, rounds }) {
  const server = await startServer();
  try {
    const found = new Map();
    let expected;
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1)
      for (const workers of [0, ...WORKERS]) {
        const { answer, ...sample } = await measure(workers, folder, server);
        expected ??= answer;
        if (answer !== expected) throw new Error(`${workers} workers: ${answer}\nbut expected\n${expected}`);
        if (round > 0) found.set(workers, [...(found.get(workers) ?? []), sample]);
      }
    const splits = found.get(1)[0].splits;
    return [...found].map(([workers, samples]) => ({
      name: workers === 0 ? 'one process' : `${workers} worker${workers === 1 ? '' : 's'}`,
      samples: samples.map((sample) => ({ ...sample, splits })),
    }));
  } finally {
    await server.stop();
  }
}

async function measure(workers, folder, server) {
  const orders = join(folder, 'orders');
  const common = { orders, port: server.port, queue: 'bench', targetBytes: TARGET_BYTES };
  const all = await Promise.all([
    start({ ...common, role: workers === 0 ? 'whole' : 'ask' }),
    ...Array.from({ length: workers }, () => start({ ...common, role: 'work' })),
  ]);
  try {
    const before = await Promise.all(all.map((each) => each.ask('usage')));
    const serverBefore = server.cpuMs();
    const { ms, answer, splits } = await all[0].ask('run');
    const serverMs = server.cpuMs() - serverBefore;
    const after = await Promise.all(all.map((each) => each.ask('usage')));
    const cpuMs = after.reduce((sum, { cpuMs: each }, index) => sum + each - before[index].cpuMs, 0);
    // Of those that read: who asks holds states alone.
    const readers = workers === 0 ? after : after.slice(1);
    return { ms, cpuMs, serverMs, peakMiB: Math.max(...readers.map(({ peakMiB }) => peakMiB)), answer, splits };
  } finally {
    await Promise.all(all.map((each) => each.end()));
  }
}

async function start(options) {
  const child = fork(PROCESS, [JSON.stringify(options)]);
  const ended = new Promise((done) => child.once('exit', done));
  const next = () =>
    new Promise((done, fail) => {
      const onEnd = (code) => fail(new Error(`${options.role} ended with ${code}`));
      child.once('exit', onEnd);
      child.once('message', (message) => {
        child.off('exit', onEnd);
        if (message.error === undefined) done(message);
        else fail(new Error(message.error));
      });
    });
  await next();
  return {
    ask: (what) => {
      const reply = next();
      child.send(what);
      return reply;
    },
    end: () => {
      child.kill();
      return ended;
    },
  };
}

async function startServer() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'colkit-bench-'));
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const child = spawn(process.env.COLKIT_REDIS_SERVER ?? 'redis-server', options, { stdio: 'ignore' });
  const ended = new Promise((done, fail) => {
    child.once('exit', done);
    child.once('error', fail);
  });
  ended.catch(() => undefined);
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 200) throw new Error('redis-server did not start (COLKIT_REDIS_SERVER names it)');
    await later(50);
  }
  return {
    port,
    cpuMs: () => cpuOf(child.pid),
    stop: async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of another process, in steps of 10 ms; where there is no /proc, not known. */
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

function answers(port) {
  return new Promise((done) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}
