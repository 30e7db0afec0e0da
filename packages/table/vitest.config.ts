import { bothBackends } from '../../vitest.base.ts';

export default bothBackends({
  once: ['test/composite/**', 'test/json/**', 'test/parquet/**', 'test/values/**'],
});
