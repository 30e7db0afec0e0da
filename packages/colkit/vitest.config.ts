import { bothBackends } from '../../vitest.base.ts';

// Much of it waits for browsers and child processes: two files at once.
export default bothBackends({ workers: 2 });
