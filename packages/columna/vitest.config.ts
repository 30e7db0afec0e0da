import { bothBackends } from '../../vitest.base.ts';

// The longest suite: both of its projects at once, so that it is not the last one, alone. Run once: the search for
// footers and the forms for browsers, which are TypeScript, and damaged values, which are asked of both backends there.
export default bothBackends({
  workers: 2,
  once: [
    'test/columns/deflate-browser.test.ts',
    'test/read/file/find-footer.test.ts',
    'test/read/pages/asked-rows.test.ts',
  ],
});
