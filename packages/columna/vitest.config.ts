import { bothBackends } from '../../vitest.base.ts';

// The longest suite: both of its projects at once, so that it is not the last one, alone. Run once: the search for
// footers and the forms for browsers, which are TypeScript, and tests that ask both backends about the same files.
export default bothBackends({
  workers: 2,
  once: [
    'test/columns/deflate-browser.test.ts',
    'test/columns/matches.test.ts',
    'test/read/aggregate.property.test.ts',
    'test/read/aggregate/numbered-rows.test.ts',
    'test/read/aggregate/top-rows.test.ts',
    'test/read/amplification-memory.test.ts',
    'test/read/file/find-footer.test.ts',
    'test/read/file/hostile-footers.test.ts',
    'test/read/filter/caseless.test.ts',
    'test/read/filter/computed-predicates.test.ts',
    'test/read/filter/listed-values.test.ts',
    'test/read/filter/nulls-beside-others.test.ts',
    'test/read/filter/shared-beginnings.test.ts',
    'test/read/pages/asked-rows.test.ts',
    'test/read/pages/delta-rows.test.ts',
    'test/read/scan.property.test.ts',
    'test/read/text-pages.test.ts',
    'test/reference/one-file.test.ts',
    'test/reference/python.test.ts',
    'test/write/csv-import.test.ts',
    'test/write/long-values.test.ts',
  ],
});
