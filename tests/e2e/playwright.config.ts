import path from 'node:path';
import { defineConfig } from 'playwright/test';
import { chromiumPath } from './chromium-path.ts';

export default defineConfig({
  testDir: '.',
  testIgnore: 'components/**',
  outputDir: '../../artefacts/e2e',
  globalSetup: './build.setup.ts',
  // Two cores, and a third test while others wait for recordings and for what they watch.
  workers: 3,
  fullyParallel: true,
  // Only ends a test that hangs: what its steps wait for has limits of its own.
  timeout: 120_000,
  // As in vitest.config.ts.
  retries: process.env['CI'] === undefined ? 0 : 1,
  expect: {
    timeout: 10_000,
    toMatchAriaSnapshot: { pathTemplate: '{testDir}/snapshots/{arg}{ext}' },
    toHaveScreenshot: {
      pathTemplate: '{testDir}/snapshots/{arg}{ext}',
      // Other versions of Chromium smooth text slightly differently; a row that moved or a changed palette exceeds
      // this.
      threshold: 0.05,
      maxDiffPixelRatio: 0.01,
    },
  },
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Playwright resets the browser's context between tests, but keeps its process, which has compiled the scripts.
    reuseContext: true,
    // Each step of an animation is drawn by the CPU, which the tests share; those of motion turn it on.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: chromiumPath(),
      // Chromium's crash reports and GTK's settings would be in the home.
      env: { ...process.env, XDG_CONFIG_HOME: path.resolve('artefacts/chromium'), GSETTINGS_BACKEND: 'memory' },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        // Two threads per page compete with the tests for two cores.
        '--num-raster-threads=1',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Draws text as other machines do.
        '--disable-lcd-text',
        '--font-render-hinting=none',
      ],
    },
  },
});
