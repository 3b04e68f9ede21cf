import { openLibrary } from '#app/engine/library/library.ts';

/**
 * `write-capture.ts LIBRARY` records into a library until it is killed; prints the capture's ID, then `.` for each
 * append.
 */
const library = await openLibrary(process.argv[2] ?? '');
const writer = await library.create({
  name: 'cut off',
  origin: 'recorded',
  primaryFile: 'raw.txt',
  otherFiles: ['raw.perf.data'],
  state: 'recording',
});
process.stdout.write(`${writer.id}\n`);
for (;;) {
  await writer.append('raw.perf.data', Buffer.alloc(1000, 'p'));
  await writer.append('raw.txt', Buffer.from('main;work 1\n'));
  process.stdout.write('.');
}
