import { bothBackends } from '../../vitest.base.ts';

export default bothBackends({
  once: ['test/columns/encodings.test.ts', 'test/write/**'],
});
