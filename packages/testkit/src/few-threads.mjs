// Preloaded (`--import`): of the threads that a process starts the system gives as many as COLKIT_TEST_THREADS says, as
// in a container that limits them; for others `new Worker` throws what Node does.
import { createRequire, syncBuiltinESMExports } from 'node:module';

const threads = createRequire(import.meta.url)('node:worker_threads');
const most = Number(process.env.COLKIT_TEST_THREADS);
let started = 0;

threads.Worker = class extends threads.Worker {
  constructor(...args) {
    if (started === most) throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    started += 1;
    super(...args);
  }
};
syncBuiltinESMExports();
