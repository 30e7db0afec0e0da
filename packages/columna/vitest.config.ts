import { bothBackends } from '../../vitest.base.ts';

export default bothBackends();
