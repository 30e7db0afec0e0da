// What a loader worker runs: opens the files itself (the page cache is shared), then makes one batch for each task of a
// message. Its own entry of the build.
import { workerData } from 'node:worker_threads';
import { open } from '../../open.ts';
import { BatchMaker } from '../batch-maker.ts';
import { packError } from '../loader-errors.ts';
import { loadProcessModule } from '../process-module.ts';
import { buffersOf, packValue } from './wire.ts';
import type { ResultMessage, TaskMessage, WorkerData } from './wire.ts';

const { port, ...start } = workerData as WorkerData;
port.postMessage({ loaded: true });
const maker = prepare();
// Where it fails, every task is answered with the reason: that is to be asked for as soon as it is known.
const tellReady = (): void => port.postMessage({ ready: true });
maker.then(tellReady, tellReady);
port.on('message', (tasks: readonly TaskMessage[]) => {
  // Each in a turn of its own: a batch is sent before the next is begun, except where it waits for something.
  for (const { batch, task } of tasks) setImmediate(() => void answer(batch, async () => (await maker).make(task)));
});

async function prepare(): Promise<BatchMaker> {
  const module =
    start.processModule === null
      ? null
      : await loadProcessModule(
          start.processModule,
          start.parts.map(({ keys }) => keys),
        );
  const parts = await Promise.all(start.parts.map(async ({ handle, keys }) => ({ file: await open(handle), keys })));
  return new BatchMaker(parts, { seed: start.seed, module, collate: start.collate, inWorker: true });
}

async function answer(batch: number, make: () => Promise<unknown>): Promise<void> {
  const send = (message: ResultMessage, buffers: readonly ArrayBuffer[]): void => port.postMessage(message, buffers);
  try {
    const value = packValue(await make());
    // What a process module made may share memory that it keeps: unless it was collated into our own, it is copied.
    const own = start.processModule === null || start.collate?.kind === 'stack' || start.collate?.kind === 'pad';
    send({ batch, value }, own ? [...buffersOf(value)] : []);
  } catch (error) {
    send({ batch, error: packError(error) }, []);
  }
}
