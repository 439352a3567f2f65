// Vitest: every *.test.ts below test/, in processes of their own, since some tests start servers.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Against hanging, not against being slow: nothing here tests speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
