import { functionsWithOptions } from '@colkit/testkit/functions-with-options';
import { acceptedOptions } from '@colkit/testkit/refused-options';
import type { CallWithOptions } from '@colkit/testkit/refused-options';
import type { Queue } from 'bullmq';
import type { Dataset } from 'columna';
import { expect, test } from 'vitest';
import * as bullmq from '../src/index.ts';
import type { DistributedPlan, ScanWorkerOptions } from '../src/index.ts';

test('the public surface', () => {
  expect(Object.keys(bullmq).sort()).toEqual(['SplitError', 'createScanWorker', 'runDistributed']);
});

const [queue, dataset] = [{} as Queue, {} as Dataset];
const CALLS: Readonly<Record<string, CallWithOptions>> = {
  createScanWorker: (options) => bullmq.createScanWorker(options as ScanWorkerOptions),
  runDistributed: (options) => bullmq.runDistributed(queue, dataset, { aggregates: { n: 'count' } }, options),
};

test('these are all functions that take options', () => {
  expect(functionsWithOptions(new URL('../src/index.ts', import.meta.url))).toEqual(Object.keys(CALLS).sort());
});

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await acceptedOptions(call)).toEqual([]);
});

test('plans are checked like options', async () => {
  expect(
    await acceptedOptions((plan) => bullmq.runDistributed(queue, dataset, plan as unknown as DistributedPlan)),
  ).toEqual([]);
});

const connection = { host: '127.0.0.1', port: 9 };

test.each([
  [undefined],
  [{}],
  [{ connection, queue: 'scans' }],
  [{ connection, allow: '/data' }],
  [{ queue: 'scans', allow: '/data' }],
  [{ connection, queue: 'scans', allow: '' }],
  [{ connection, queue: 'scans', allow: ['/data', 5] }],
  [{ connection, queue: 'scans', allow: '/data', source: { timeoutMS: 5 } }],
  [{ connection, queue: 'scans', allow: '/data', source: { within: '/' } }],
  [{ connection, queue: 'scans', allow: '/data', worker: { connection } }],
])('a worker is refused: %j', (options) => {
  expect(() => bullmq.createScanWorker(options as unknown as ScanWorkerOptions)).toThrow(
    expect.objectContaining({ code: 'ERR_ARGUMENT' }),
  );
});
