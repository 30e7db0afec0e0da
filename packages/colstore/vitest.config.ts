import { bothBackends } from '../../vitest.base.ts';

// Statistics and checks of whole files are worked out in TypeScript.
export default bothBackends({
  once: [
    'test/columns/record-statistics.test.ts',
    'test/layout/statistics-footer.test.ts',
    'test/layout/verify.test.ts',
  ],
});
