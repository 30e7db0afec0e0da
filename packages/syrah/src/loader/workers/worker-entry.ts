// What a loader worker runs: opens the files itself (the page cache is shared), then makes one batch for each task. Its
// own entry of the build.
import { answerTasks } from '@colkit/io/threads';
import { open } from '../../open.ts';
import { openShards } from '../../shards/open-shards.ts';
import { isShardsHandle } from '../../shards/shards-handle.ts';
import { BatchMaker } from '../batch-maker.ts';
import type { BatchTask } from '../batch-maker.ts';
import { packError } from '../loader-errors.ts';
import { loadProcessModule } from '../process-module.ts';
import { buffersOf, packValue } from './wire.ts';
import type { WorkerStart } from './wire.ts';

answerTasks<WorkerStart, BatchTask>({
  async prepare({ parts, processModule, collate, cast, seed }) {
    const module =
      processModule === null
        ? null
        : await loadProcessModule(
            processModule,
            parts.map(({ keys }) => keys),
          );
    const opened = await Promise.all(
      parts.map(async ({ handle, keys }) => ({
        file: isShardsHandle(handle) ? await openShards(handle) : await open(handle),
        keys,
      })),
    );
    const maker = new BatchMaker(opened, { seed, module, collate, cast, inWorker: true });
    // What a process module made may share memory that it keeps: unless it was collated into our own, it is copied.
    const own = processModule === null || collate?.kind === 'stack' || collate?.kind === 'pad';
    // What a process module does after an answer, ending the thread for one, must not lose it.
    const mayWait = processModule === null;
    return async (task) => {
      const value = packValue(await maker.make(task));
      return own ? { value, transfer: [...buffersOf(value)], mayWait } : { value };
    };
  },
  pack: packError,
});
