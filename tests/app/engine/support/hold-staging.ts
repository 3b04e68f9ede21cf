import { mkdirSync } from 'node:fs';
import { withStaging } from '#app/engine/library/staging.ts';

/** `hold-staging.ts LIBRARY NAME` fills a staging folder until it is killed; prints a dot once the folder is there. */
const [path = '', name = ''] = process.argv.slice(2);
await withStaging(path, name, async (folder) => {
  mkdirSync(folder);
  process.stdout.write('.');
  await new Promise<void>((resolve) => setTimeout(resolve, 600_000));
});
