import { bothBackends } from '../../vitest.base.ts';

// Much of it waits for workers and servers: two files at once. Run once: metadata, orders, remote files and sources of
// the caller, which are TypeScript, and the example that trains for seconds, whose reads others do with the addon.
export default bothBackends({
  workers: 2,
  once: [
    'test/examples.test.ts',
    'test/items/concurrent.test.ts',
    'test/layout/large-metadata.test.ts',
    'test/layout/metadata.test.ts',
    'test/layout/metadata-pages.test.ts',
    'test/loader/batches-ahead.test.ts',
    'test/loader/hanging-server.test.ts',
    'test/loader/lifetime.test.ts',
    'test/loader/order/golden-orders.test.ts',
    'test/loader/order/permutation.test.ts',
    'test/loader/own-source.test.ts',
    'test/remedies.test.ts',
    'test/shards/browser-build.test.ts',
    'test/shards/cache.test.ts',
    'test/shards/remote.test.ts',
    'test/write/**',
  ],
});
