import { bothBackends } from '../../vitest.base.ts';

export default bothBackends({
  once: ['test/loader/lifetime.test.ts', 'test/loader/hanging-server.test.ts', 'test/write/**'],
});
