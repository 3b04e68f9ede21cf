import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { callCli } from '../../support/call-cli.ts';
import { chunksOf } from '../engine/support/bytes.ts';
import { tempFolder } from '../engine/support/temp-folder.ts';

test('notes are added, listed, changed and deleted without a window', async () => {
  const path = join(tempFolder(), 'library');
  const library = await openLibrary(path);
  const { id } = await library.importFile('server.folded', chunksOf('main;work 3\n'));
  const { experiment } = await (await openExperiments(library)).create({ name: 'e', before: [{ id }], after: [] });
  const notes = (...args: string[]) => callCli(['notes', ...args, '--library', path]);
  const json = async (...args: string[]) =>
    JSON.parse((await notes(...args, '--json')).stdout) as Record<string, unknown>;

  expect((await notes('server')).stdout).toBe('No notes.\n');
  const added = await json(
    'server',
    'add',
    'Twice **encoded**',
    '--function',
    'work',
    '--colour',
    'red',
    '--author',
    'Ada',
  );
  expect(added).toMatchObject({ anchor: { kind: 'function', func: { name: 'work', module: '' } }, colour: 'red' });
  const piped = await callCli(['notes', id, 'add', '-', '--path', 'main;work', '--library', path], {
    stdin: 'evil \u001b[31m\n',
  });
  expect(piped.stdout).toMatch(/ added\n$/);
  await notes(experiment.id, 'add', 'shrank', '--function', 'work', '--delta');
  expect(await json(experiment.id)).toMatchObject({
    notes: [{ number: 1, anchor: { kind: 'delta' }, text: 'shrank' }],
  });

  const listed = (await notes('server')).stdout;
  expect(listed).toContain('1  work · red · Ada · ');
  expect(listed).toContain('    Twice **encoded**\n');
  expect(listed).toContain('work (call path of 2)');
  expect(listed).toContain(String.raw`    evil \x1b[31m`);
  expect((await notes('server', '--search', 'ada twice')).stdout).not.toContain('evil');
  expect(await json('server', 'edit', '1', 'Once', '--colour', 'none')).toMatchObject({
    id: added['id'],
    text: 'Once',
    author: 'Ada',
  });
  expect(await json('server', 'delete', added['id'] as string)).toEqual({ deleted: [added['id']] });
  expect((await library.notes(id)).map(({ text }) => text)).toEqual(['evil \u001b[31m\n']);
});

test('a note on a time range counts from the first sample, by the author of the settings', async () => {
  const folder = tempFolder();
  const path = join(folder, 'library');
  const library = await openLibrary(path);
  const line = (time: string): string => `app 7 [000] ${time}: 1000000 cpu-clock:\n\t 4005d0 work+0x10 (/bin/app)\n\n`;
  const script = ['10.000000', '11.000000', '12.500000'].map(line).join('');
  const { id } = await library.importFile('app.perf-script.txt', chunksOf(script));
  writeFileSync(join(folder, 'settings.json'), '{"schemaVersion": 1, "noteAuthor": "Ada"}');
  const env = { FLAMEBENCH_CONFIG: folder };
  const notes = (...args: string[]) => callCli(['notes', id, ...args, '--library', path], { env });
  expect((await notes('add', 'a pause', '--time', '1..2.5')).stderr).toBe('');
  expect((await notes()).stdout).toContain('1.000 s to 2.500 s · Ada');
  const outside = await notes('add', 'x', '--time', '7..8');
  expect(outside).toMatchObject({ code: 2 });
  expect(outside.stderr).toContain('outside the profile');
});

test.each([
  [['nowhere'], 'nowhere'],
  [['server', 'toast'], "unknown action 'toast'"],
  [['server', 'add'], 'needs a text'],
  [['server', 'add', ' '], 'not blank'],
  [['server', 'add', 'x', 'y'], 'one text'],
  [['server', 'add', 'x', '--colour', 'pink'], 'invalid colour'],
  [['server', 'add', 'x', '--delta', '--function', 'f'], 'for experiments'],
  [['server', 'add', 'x', '--path', 'a', '--function', 'f'], 'exclude'],
  [['server', 'add', 'x', '--time', '0..1'], 'no sample in this profile has a timestamp'],
  [['server', 'add', 'x', '--time', '0..1', '--function', 'f'], 'excludes'],
  [['server', 'edit', '7', 'x'], "no note '7'"],
  [['server', 'delete'], 'needs a note'],
])('refuses %j with one line', async (args, message) => {
  const path = join(tempFolder(), 'library');
  const library = await openLibrary(path);
  await library.importFile('server.folded', chunksOf('main;work 3\n'));
  const { code, stderr } = await callCli(['notes', ...args, '--library', path]);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(message);
});
