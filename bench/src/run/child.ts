// A Node candidate's process: loads one peer module (argument 1) and answers the harness's requests, one line of JSON
// each. Times are taken in here, around the work alone.
import { realpathSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHECKOUT_VARIABLE, useCheckout } from '../checkouts/checkout.ts';
import { addToDigests } from '../report/digest.ts';
import type { Peer, Task, Workload } from '../checkouts/peer.ts';
import type { ChildMemory, Clock, Delay, Description, OutputDigest, Prepared, Reply, Request } from './protocol.ts';

/** What has been prepared; requests for tasks need it. */
interface Session {
  readonly workload: Workload;
  /** Runs so far by task: the next iteration number. */
  readonly iterations: Map<string, number>;
}

/** Nanoseconds since some moment. */
const CLOCKS: Readonly<Record<Clock, () => number>> = {
  wall: () => Number(process.hrtime.bigint()),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1000;
  },
};

const modulePath = process.argv[2];
if (modulePath === undefined) throw new Error('the path of a peer module is expected');
// stdout belongs to the protocol; what a library prints goes to stderr.
console.log = console.info = console.debug = console.warn = (...words: unknown[]) => console.error(...words);

const peer = await importPeer(modulePath);
let session: Session | null = null;
let lastTask = '';
for await (const line of createInterface({ input: process.stdin })) {
  const request = parseRequest(line);
  const reply: Reply = await answer(request).then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error: describeError(error) }),
  );
  await new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(reply)}\n`, () => resolve()));
  if (request.op === 'close') process.exit(0);
}

async function answer(request: Request): Promise<unknown> {
  switch (request.op) {
    case 'describe':
      return describe();
    case 'build':
      await peer.load();
      await suiteOf(request.suite).build?.(request.context);
      return null;
    case 'prepare': {
      await peer.load();
      const workload = await suiteOf(request.suite).prepare(request.variant, request.context);
      session = { workload, iterations: new Map() };
      return {
        files: workload.files,
        tasks: Object.entries(workload.tasks).map(([name, { kind }]) => ({ name, kind })),
      } satisfies Prepared;
    }
    case 'load': {
      const start = process.hrtime.bigint();
      await current().workload.load();
      return Number(process.hrtime.bigint() - start);
    }
    case 'check':
      return check(request.task, request.iterations);
    case 'run':
      return run(request);
    case 'delay':
      return delay(request.task, request.samples, request.budgetMs);
    case 'memory':
      return { peakRssBytes: process.resourceUsage().maxRSS * 1024 } satisfies ChildMemory;
    case 'close':
      await session?.workload.close();
      return null;
  }
}

async function describe(): Promise<Description> {
  const suites = Object.fromEntries(Object.entries(peer.suites).map(([name, { variants }]) => [name, variants]));
  const known = { name: peer.name, onRequest: peer.onRequest === true, suites };
  try {
    return { ...known, missing: null, versions: await peer.load() };
  } catch (error) {
    return { ...known, missing: describeError(error), versions: {} };
  }
}

async function check(name: string, iterations: number): Promise<readonly OutputDigest[]> {
  const task = taskOf(name);
  let digests: OutputDigest[] = [];
  for (let i = 0; i < iterations; i++) digests = addToDigests(digests, await task.outputs(await task.run(i)));
  return digests;
}

async function run({
  task: name,
  samples,
  repeat,
  budgetMs,
  clock = 'wall',
}: Extract<Request, { op: 'run' }>): Promise<number[]> {
  const task = taskOf(name);
  const { iterations } = current();
  const times: number[] = [];
  const end = performance.now() + budgetMs;
  do {
    const from = iterations.get(name) ?? 0;
    iterations.set(name, from + repeat);
    times.push(
      task.kind === 'sync'
        ? timeSync(task, from, from + repeat, CLOCKS[clock])
        : await timeAsync(task, from, from + repeat, CLOCKS[clock]),
    );
  } while (times.length < samples && performance.now() < end);
  return times;
}

function timeSync(task: Extract<Task, { kind: 'sync' }>, from: number, to: number, now: () => number): number {
  const start = now();
  for (let i = from; i < to; i++) task.run(i);
  return (now() - start) / (to - from);
}

async function timeAsync(
  task: Extract<Task, { kind: 'async' }>,
  from: number,
  to: number,
  now: () => number,
): Promise<number> {
  const start = now();
  for (let i = from; i < to; i++) await task.run(i);
  return (now() - start) / (to - from);
}

/** How long a timer of 1 ms was late while the task was awaited: what a server's other requests would feel. */
async function delay(name: string, samples: number, budgetMs: number): Promise<Delay> {
  const task = taskOf(name);
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const end = performance.now() + budgetMs;
  histogram.enable();
  for (let i = 0; i === 0 || (i < samples && performance.now() < end); i++) await task.run(i);
  // Only a timer that has fired twice says anything, and on a busy machine that takes longer than its 1 ms.
  do await new Promise((resolve) => setTimeout(resolve, 3));
  while (histogram.count === 0);
  histogram.disable();
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - 1);
  return { meanMs: late(histogram.mean), maxMs: late(histogram.max) };
}

function current(): Session {
  if (session === null) throw new Error('not prepared');
  return session;
}

function taskOf(name: string): Task {
  const { workload } = current();
  const task = workload.tasks[name];
  if (task === undefined) throw new Error(`unknown task ${name}`);
  if (name === lastTask) return task;
  lastTask = name;
  // What one task kept and left is not the next one's time and memory: where collecting can be asked for, it is done
  // between two tasks.
  workload.release?.();
  globalThis.gc?.();
  task.ready?.();
  return task;
}

function suiteOf(name: string): Peer['suites'][string] {
  const suite = peer.suites[name];
  if (suite === undefined) throw new Error(`${peer.name} takes no part in suite ${name}`);
  return suite;
}

/**
 * A module that cannot even be imported is a peer that is missing, with the reason: the harness reports it like any
 * other.
 */
async function importPeer(path: string): Promise<Peer> {
  try {
    const checkout = process.env[CHECKOUT_VARIABLE];
    if (checkout !== undefined && checkout !== '') useCheckout(checkout);
    const module = (await import(pathToFileURL(realpathSync(path)).href)) as { peer?: Peer };
    if (module.peer === undefined) throw new Error('the module exports no `peer`');
    return module.peer;
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    return { name: basename(path).replace(/\.m?js$/, ''), load: () => Promise.reject(reason), suites: {} };
  }
}

function parseRequest(line: string): Request {
  return JSON.parse(line) as Request;
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
