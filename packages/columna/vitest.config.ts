import { bothBackends } from '../../vitest.base.ts';

// The longest suite: both of its projects at once, so that it is not the last one, alone. The forms for browsers never
// have the addon.
export default bothBackends({ workers: 2, once: ['test/columns/deflate-browser.test.ts'] });
