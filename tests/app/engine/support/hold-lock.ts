import { takeLock } from '#app/engine/disk/folder-lock.ts';
import { ownIdentity } from '#app/engine/disk/process-identity.ts';

/** `hold-lock.ts FOLDER NAME` takes the lock, prints `held` or `null`, and keeps it until it is killed. */
const [folder = '', name = ''] = process.argv.slice(2);
const lock = await takeLock(folder, name, await ownIdentity());
process.stdout.write(`${lock === null ? 'null' : 'held'}\n`);
setInterval(() => undefined, 60_000);
