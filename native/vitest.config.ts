// One project: these tests are about the addon itself. Where it was not built they are skipped, all but the loader's,
// unless COLKIT_REQUIRE_NATIVE asks that its absence fails.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'native', include: ['test/**/*.test.ts'], testTimeout: 60_000 },
});
