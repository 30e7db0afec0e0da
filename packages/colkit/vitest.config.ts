import { bothBackends } from '../../vitest.base.ts';

// Much of it waits for browsers and child processes: two files at once. What is built for browsers never has the addon.
export default bothBackends({ workers: 2, once: ['test/bundle/sync-forms.test.ts'] });
