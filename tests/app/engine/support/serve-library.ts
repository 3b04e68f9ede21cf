import { join } from 'node:path';
import { startEngine } from '#app/engine/server.ts';

/** `serve-library.ts FOLDER` runs an engine on the library in a folder, and prints its link. */
const [folder = ''] = process.argv.slice(2);
const engine = await startEngine({
  libraryPath: join(folder, 'library'),
  configPath: join(folder, 'config'),
  staticRoot: folder,
  samplesPath: null,
});
process.stdout.write(`${engine.newUrl()}\n`);
