import { bothBackends } from '../../vitest.base.ts';

// Predicates and rows are worked out on values in memory; gathering, CSV and grouping ask for the addon, but not of the
// small tables of random tests.
export default bothBackends({
  once: [
    'test/aggregate/aggregates.property.test.ts',
    'test/aggregate/item-codes.test.ts',
    'test/arrange/arrange.property.test.ts',
    'test/chunk/**',
    'test/composite/**',
    'test/csv/tokenizer.test.ts',
    'test/input/**',
    'test/json/out.test.ts',
    'test/odd-arguments.test.ts',
    'test/options.test.ts',
    'test/output/access-paths.test.ts',
    'test/output/aggregates.test.ts',
    'test/output/arrow.test.ts',
    'test/output/batch-windows.test.ts',
    'test/output/chains.test.ts',
    'test/parquet/**',
    'test/query/**',
    'test/raw/**',
    'test/text-input/**',
    'test/text-output/**',
    'test/values/**',
    'test/views/**',
  ],
});
