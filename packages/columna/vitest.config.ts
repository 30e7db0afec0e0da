import { bothBackends } from '../../vitest.base.ts';

export default bothBackends({
  once: ['test/write/csv-import.test.ts'],
});
