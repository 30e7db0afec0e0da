import { bothBackends } from '../../vitest.base.ts';

// Much of it waits for workers and servers: two files at once.
export default bothBackends({
  workers: 2,
  once: [
    'test/loader/lifetime.test.ts',
    'test/loader/hanging-server.test.ts',
    'test/layout/metadata-pages.test.ts',
    'test/write/**',
  ],
});
