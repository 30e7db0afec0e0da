import { bothBackends } from '../../vitest.base.ts';

// The longest suite: both of its projects at once, so that it is not the last one, alone.
export default bothBackends({ workers: 2 });
