import { defineConfig } from 'playwright/test';
import base from '../playwright.config.ts';

/** Components alone in a browser, which wait for nothing but the CPU. */
export default defineConfig({
  ...base,
  testIgnore: [],
  outputDir: '../../../artefacts/components',
  globalSetup: [],
  workers: 1,
});
