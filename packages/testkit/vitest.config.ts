import { defineConfig } from 'vitest/config';

// What is tested here knows no backend.
export default defineConfig({
  ssr: { resolve: { conditions: ['@colkit/source'], externalConditions: ['@colkit/source'] } },
  test: { testTimeout: 60_000, include: ['test/**/*.test.ts'] },
});
