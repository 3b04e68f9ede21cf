import base from '../e2e/playwright.config.ts';

export default {
  ...base,
  testDir: '.',
  outputDir: '../../artefacts/package',
  globalSetup: './build.setup.ts',
  workers: 1,
};
