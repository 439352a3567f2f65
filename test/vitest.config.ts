// Vitest: every *.test.ts below test/, in processes of their own, since some tests start servers.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    pool: 'forks',
  },
});
