import { bothBackends } from '../../vitest.base.ts';

// Jobs and queues know nothing of the addon; what is computed is columna's. With a server (`npm run test:bullmq`) the
// answers are asked of both.
export default bothBackends({ once: ['test/*.test.ts', 'test/redis/kills.test.ts', 'test/redis/restarts.test.ts'] });
