import { defineConfig } from 'playwright/test';

export default defineConfig({
  testDir: '.',
  outputDir: '../../artefacts/electron',
  // One Electron at a time, since each is one user's desktop.
  workers: 1,
  timeout: 60_000,
  // As in vitest.config.ts.
  retries: process.env['CI'] === undefined ? 0 : 1,
  use: { actionTimeout: 10_000 },
  globalSetup: './build.setup.ts',
});
