import { bothBackends } from '../../vitest.base.ts';

export default bothBackends({
  once: [
    'test/aggregate/**',
    'test/arrange/**',
    'test/composite/**',
    'test/json/**',
    'test/parquet/**',
    'test/values/**',
  ],
});
