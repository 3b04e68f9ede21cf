import base from '../e2e/playwright.config.ts';

/** Duration of the soak in minutes, set by `npm run soak`. */
const minutes = Number(process.env['FLAMEBENCH_SOAK_MINUTES'] ?? '2');

export default {
  ...base,
  testDir: '.',
  outputDir: '../../artefacts/soak',
  globalSetup: '../e2e/build.setup.ts',
  workers: 1,
  // Includes time for opening, the last memory measurement and a slow last action.
  timeout: (minutes + 5) * 60_000,
  // Targets that are gone are not waited for; see `step`.
  use: { ...base.use, actionTimeout: 5000 },
};
