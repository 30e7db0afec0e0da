// Every suite runs twice: once with the native addon, once in pure TypeScript. Where the addon was not built (no
// compiler), only the second runs, unless COLKIT_REQUIRE_NATIVE asks that its absence fails (as it does in CI).
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const seed = fileURLToPath(new URL('./packages/testkit/src/seed.ts', import.meta.url));
const built = fileURLToPath(new URL('./native/build/Release/colkit_native.node', import.meta.url));

/**
 * @param options.once Tests of code that never asks for the addon: they run without it alone.
 * @param options.workers Processes that run test files at the same time; one unless told.
 */
export function bothBackends(options: { testTimeout?: number; once?: readonly string[]; workers?: number } = {}) {
  const withNative = existsSync(built) || process.env['COLKIT_REQUIRE_NATIVE'] === '1';
  const backends = withNative ? ['native', 'js'] : ['js'];
  return defineConfig({
    ssr: { resolve: { conditions: ['@colkit/source'], externalConditions: ['@colkit/source'] } },
    test: {
      testTimeout: options.testTimeout ?? 60_000,
      // Hooks build bundles and start browsers.
      hookTimeout: 60_000,
      // Test files of a backend share their processes and so the modules that they import: half of the time. A test
      // that changes a process-wide setting puts it back.
      isolate: false,
      maxWorkers: options.workers ?? 1,
      // Both projects need the same modules: what one transformed, the other reads.
      experimental: { fsModuleCache: true },
      setupFiles: [seed],
      projects: backends.map((backend) => ({
        extends: true as const,
        test: {
          name: backend,
          env: { COLKIT_BACKEND: backend },
          include: ['test/**/*.test.ts'],
          exclude: backend === 'native' ? [...(options.once ?? [])] : [],
        },
      })),
    },
  });
}
