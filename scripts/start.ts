import { main } from '#app/cli/main.ts';
import { buildStale } from './build.ts';
import { needsOf, provision } from './provision.mjs';

/** `npm start [-- FILE…]`: installs what is missing, builds what has changed, and opens the workbench. */
provision(needsOf.start);
try {
  await buildStale(['renderer', 'engine', 'electron', 'cli']);
  process.exitCode = await main(['open', ...process.argv.slice(2)]);
} catch (error) {
  process.stderr.write(`npm start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
