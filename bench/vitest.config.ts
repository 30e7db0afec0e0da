// The harness is measured by nothing: its tests run once, against built child processes and small peers of their own.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['@colkit/source'], externalConditions: ['@colkit/source'] } },
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000 },
});
