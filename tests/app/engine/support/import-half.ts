import { createReadStream, statSync } from 'node:fs';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { importBundle } from '#app/engine/experiments/import-bundle.ts';
import { openLibrary } from '#app/engine/library/library.ts';

/**
 * `import-half.ts LIBRARY BUNDLE` imports a bundle whose second half never arrives; prints a dot after the first half.
 */
const [path = '', bundle = ''] = process.argv.slice(2);
const library = await openLibrary(path);

async function* half(): AsyncGenerator<Uint8Array> {
  const end = Math.floor(statSync(bundle).size / 2);
  for await (const chunk of createReadStream(bundle, { end }) as AsyncIterable<Uint8Array>) yield chunk;
  process.stdout.write('.');
  await new Promise<void>((resolve) => setTimeout(resolve, 600_000));
}

await importBundle(library, await openExperiments(library), half());
