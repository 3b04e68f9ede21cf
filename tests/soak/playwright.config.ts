import base from '../e2e/playwright.config.ts';

/** Minutes that the soak takes; `npm run soak` sets them. */
const minutes = Number(process.env['FLAMEBENCH_SOAK_MINUTES'] ?? '3');

export default {
  ...base,
  testDir: '.',
  outputDir: '../../artefacts/soak',
  globalSetup: '../e2e/build.setup.ts',
  workers: 1,
  // Opening, the last look at memory and a slow last action come on top.
  timeout: (minutes + 5) * 60_000,
  // What is not there any more is waited for no longer; see `step`.
  use: { ...base.use, actionTimeout: 5000 },
};
