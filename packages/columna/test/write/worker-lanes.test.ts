// Threads that have answered everything wait for another use; those at work when it is given up, or beside one that
// failed, end.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { WorkerLanes } from '../../src/write/worker-lanes.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-lanes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let scripts = 0;
/** Answers with the thread's number; 'exit' ends it, 'never' is not answered. */
function threadNumbers(): URL {
  const path = join(folder, `thread-${String(scripts++)}.mjs`);
  writeFileSync(
    path,
    `import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', ({ number, question }) => {
  if (question === 'exit') process.exit(3);
  if (question !== 'never') parentPort.postMessage({ number, result: threadId });
});`,
  );
  return pathToFileURL(path);
}
const lanesOf = (script: URL, threads = 2): WorkerLanes<string, number> =>
  new WorkerLanes(script, { threads, doing: 'count' });
const both = async (lanes: WorkerLanes<string, number>): Promise<number[]> =>
  (await Promise.all([lanes.ask('', []), lanes.ask('', [])])).sort((a, b) => a - b);

it('are taken again', async () => {
  const script = threadNumbers();
  const first = lanesOf(script);
  const numbers = await both(first);
  expect(new Set(numbers).size).toBe(2);
  await first.close();
  await first.close();
  await expect(first.ask('', [])).rejects.toThrow('closed');
  const second = lanesOf(script);
  expect(await both(second)).toEqual(numbers);
  const beside = lanesOf(script);
  for (const number of await both(beside)) expect(numbers).not.toContain(number);
  await second.close();
  await beside.close();
  const other = lanesOf(threadNumbers(), 1);
  expect(numbers).not.toContain(await other.ask('', []));
  await other.close();
});

it('end while at work', async () => {
  const script = threadNumbers();
  const first = lanesOf(script);
  const numbers = await both(first);
  const never = first.ask('never', []);
  const [closed] = await Promise.all([first.close(), expect(never).rejects.toThrow('closed')]);
  expect(closed).toBeUndefined();
  const second = lanesOf(script);
  expect((await both(second)).filter((number) => numbers.includes(number))).toHaveLength(1);
  await second.close();
});

it('end beside one that failed', async () => {
  const script = threadNumbers();
  const first = lanesOf(script);
  const numbers = await both(first);
  await expect(first.ask('exit', [])).rejects.toThrow('exit code 3');
  await first.close();
  const second = lanesOf(script);
  for (const number of await both(second)) expect(numbers).not.toContain(number);
  await second.close();
});
