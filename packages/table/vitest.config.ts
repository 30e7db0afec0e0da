import { bothBackends } from '../../vitest.base.ts';

// Predicates and rows are worked out on values in memory; gathering, CSV and grouping ask for the addon.
export default bothBackends({
  once: [
    'test/chunk/**',
    'test/composite/**',
    'test/input/**',
    'test/json/**',
    'test/odd-arguments.test.ts',
    'test/options.test.ts',
    'test/parquet/**',
    'test/query/**',
    'test/values/**',
    'test/views/**',
  ],
});
