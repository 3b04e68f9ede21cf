import { fileSource } from '#app/engine/files/file-source.ts';
import { importProfile } from '#core/import/import-profile.ts';

/** `node scripts/bench/import-once.ts FILE`: reads a file in a new process and prints the seconds taken. */
const [path = ''] = process.argv.slice(2);
const start = performance.now();
await importProfile(fileSource(path));
process.stdout.write(String((performance.now() - start) / 1000));
