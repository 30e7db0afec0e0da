import { bothBackends } from '../../vitest.base.ts';

// Servers, caches of blocks, threads, and files that fail are a matter of TypeScript.
export default bothBackends({
  once: [
    'test/durable/file-sink-faults.test.ts',
    'test/durable/takeover.test.ts',
    'test/gather/gather-positional.test.ts',
    'test/options/every-function.test.ts',
    'test/source/cache.test.ts',
    'test/source/cache-processes.test.ts',
    'test/source/http-*.test.ts',
    'test/threads/thread-pool.test.ts',
  ],
});
