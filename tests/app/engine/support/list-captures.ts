import { openLibrary } from '#app/engine/library/library.ts';

/** `list-captures.ts LIBRARY CONFIG` lists the captures as a new process does, and prints their IDs. */
const [path = '', configPath = ''] = process.argv.slice(2);
const { captures } = await (await openLibrary(path, { configPath })).list();
process.stdout.write(`${captures.map(({ id }) => id).join(' ')}\n`);
process.exit();
