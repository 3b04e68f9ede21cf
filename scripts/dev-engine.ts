import { main } from '#app/cli/main.ts';

/** The engine of `npm run dev`, from its sources, so that `node --watch` sees them; the command itself runs a bundle. */
process.exitCode = await main(['serve', ...process.argv.slice(2)]);
