import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRecentFiles } from '#app/engine/config/recent-files.ts';
import { openSettingsFile, openUserConfig } from '#app/engine/config/user-config.ts';
import { openWindowSessions } from '#app/engine/config/window-sessions.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { openJournal } from '#app/engine/targets/journal.ts';
import { openSavedTargets } from '#app/engine/targets/saved-targets.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { callCli } from '../../support/call-cli.ts';
import { chunksOf } from './support/bytes.ts';
import { tempFolder } from './support/temp-folder.ts';

/** An unreadable entry never hides or blocks the others. */

/** Damage that may be found in place of a small file. */
const damages: readonly (readonly [string, (path: string) => void])[] = [
  ['empty', (path) => writeFileSync(path, '')],
  ['binary', (path) => writeFileSync(path, Buffer.from([0, 1, 255]))],
  ['cut off', (path) => writeFileSync(path, '{"schemaVersion": 1, "na')],
  ['a list', (path) => writeFileSync(path, '[]')],
  ['a number', (path) => writeFileSync(path, '7')],
  ['nested deeply', (path) => writeFileSync(path, '['.repeat(500_000))],
  ['too large', (path) => writeFileSync(path, Buffer.alloc(9 << 20, ' '))],
  ['a folder', (path) => mkdirSync(path)],
  ['a FIFO', (path) => execFileSync('mkfifo', [path])],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
];

/** Replaces what is there with the damage. */
function put(path: string, damage: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true });
  damage(path);
}

describe.each(damages)('%s', (_what, damage) => {
  test('in place of a capture.json: listed as damaged with all others, and deleted', async () => {
    const path = join(tempFolder(), 'library');
    const library = await openLibrary(path);
    const good = await library.importFile('good.folded', chunksOf('main 1\n'));
    const bad = await library.importFile('bad.folded', chunksOf('main 1\n'));
    put(join(path, bad.id, 'capture.json'), damage);
    const reopened = await openLibrary(path, { recover: () => Promise.resolve({}) });
    expect(await reopened.list()).toMatchObject({ captures: [{ id: good.id }], damaged: [{ id: bad.id }] });
    await reopened.trash(bad.id);
    expect(await reopened.list()).toMatchObject({ captures: [{ id: good.id }], damaged: [] });
    expect(readdirSync(join(path, '.trash'))).toEqual([bad.id]);
  });

  test('in place of locks, notes and raw files: the others are listed', async () => {
    const path = join(tempFolder(), 'library');
    const library = await openLibrary(path);
    const good = await library.importFile('good.folded', chunksOf('main 1\n'));
    const writer = await library.create({
      name: 'cut',
      origin: 'recorded',
      primaryFile: 'raw.txt',
      state: 'recording',
    });
    await writer.append('raw.txt', Buffer.from('main 1\n'));
    for (const name of ['writer.lock', 'writer.lock.0', 'edit.lock', 'notes.json', 'raw.txt'])
      put(join(path, writer.id, name), damage);
    const { captures, damaged } = await (await openLibrary(path)).list();
    expect([...captures, ...damaged].map(({ id }) => id).toSorted()).toEqual([good.id, writer.id].toSorted());
    await writer.discard().catch(() => undefined);
  });

  test('in place of an experiment.json: the others are listed', async () => {
    const path = join(tempFolder(), 'library');
    const library = await openLibrary(path);
    const experiments = await openExperiments(library);
    const [good, bad] = [
      await experiments.create({ name: 'good', before: [], after: [] }),
      await experiments.create({ name: 'bad', before: [], after: [] }),
    ];
    put(join(path, '.experiments', bad.experiment.id, 'experiment.json'), damage);
    expect(await experiments.list()).toMatchObject({
      experiments: [{ experiment: { id: good.experiment.id } }],
      damaged: [{ id: bad.experiment.id }],
    });
    await experiments.trash(bad.experiment.id);
    expect(await experiments.list()).toMatchObject({ experiments: [{}], damaged: [] });
  });

  test('in the journal: the others are cleared, and it is named once', async () => {
    const config = tempFolder();
    const target = createLocalTarget();
    const { end } = await openJournal(config).begin('local', target);
    await end(false);
    const started = join(config, 'started');
    put(join(started, '0000000000000000.json'), damage);
    const journal = openJournal(config);
    await journal.clear('local', target);
    await journal.clear('local', target);
    expect(journal.notes.filter((note) => note.includes('0000000000000000.json'))).toHaveLength(1);
    expect(readdirSync(started)).toEqual(['0000000000000000.json']);
    expect(journal.notes.filter((note) => note.includes('nothing was left running'))).toHaveLength(1);
    await target.dispose();
  });

  test.each(['settings.json', 'recent.json', 'sessions.json', 'targets.json'])(
    'in place of %s: the other files are read, and a line reports it',
    async (name) => {
      const folder = tempFolder();
      const settings = await openSettingsFile(folder);
      await settings.edit((now) => ({ ...now, digits: 4 }));
      await settings.close();
      const targets = await openSavedTargets(folder);
      await targets.save('ssh://web1', 'web');
      await targets.close();
      put(join(folder, name), damage);
      const config = await openUserConfig(folder, '/library');
      const saved = await openSavedTargets(folder);
      if (name !== 'settings.json') expect(config.settings.get().digits).toBe(4);
      if (name !== 'targets.json') expect(saved.list()).toMatchObject([{ name: 'web' }]);
      expect([...config.notices(), ...saved.notices]).toEqual([expect.stringContaining(name)]);
      await config.close();
      await saved.close();
    },
  );

  test('in place of a recording’s note: the capture must be trusted, nothing else', async () => {
    const folder = tempFolder();
    const configPath = join(folder, 'config');
    const library = await openLibrary(join(folder, 'library'), { configPath });
    const target = { kind: 'local', host: 'here', kernel: null, arch: null, cpuCount: null } as const;
    const writer = await library.create({ name: 'a', origin: 'recorded', primaryFile: 'raw.txt', target });
    const document = await writer.finish();
    expect(await library.mayReadHere(document, target)).toBe('recorded');
    put(join(configPath, 'recorded', readdirSync(join(configPath, 'recorded'))[0]!), damage);
    expect(await library.mayReadHere(document, target)).toBeNull();
    expect((await library.list()).captures).toHaveLength(1);
  });

  test('in place of a whole folder of the library: the others are listed, or a link refused', async () => {
    const path = join(tempFolder(), 'library');
    const library = await openLibrary(path);
    const good = await library.importFile('good.folded', chunksOf('main 1\n'));
    for (const name of ['20260101-000000-00000000', '.trash', '.tmp', '.changed']) put(join(path, name), damage);
    await library.tag(good.id, ['mine']);
    expect((await library.list()).captures).toMatchObject([{ id: good.id }]);
    const reopened = openLibrary(path, { recover: () => Promise.resolve({}) });
    if (lstatSync(join(path, '.tmp')).isSymbolicLink()) {
      // Several folders are prepared at once; any of the links may be met first.
      const refusal: unknown = expect.stringMatching(/ \.(tmp|trash) is a link/);
      await expect(reopened).rejects.toMatchObject({ code: 'not-a-library', message: refusal });
    } else expect((await (await reopened).list()).captures).toMatchObject([{ id: good.id }]);
  });
});

test('an invalid row, tab or setting leaves the others of its file', async () => {
  const folder = tempFolder();
  const write = (name: string, content: object): void =>
    writeFileSync(join(folder, name), JSON.stringify({ schemaVersion: 1, ...content }));
  write('settings.json', { digits: 4, theme: 7 });
  write('recent.json', { files: [{ path: '/a', openedAt: 1 }, { path: 7 }, null] });
  write('targets.json', { targets: [{ id: 'ssh://web1', name: 'web', connectedAt: null }, { id: 7 }] });
  const tab = (id: string): object => ({ id, fileName: id, source: { kind: 'dropped' }, format: null, views: null });
  const groups = [
    { tabs: ['a', 'bad'], active: 'bad', share: 0.5 },
    { tabs: ['bad'], active: 'bad', share: 0.5 },
  ];
  write('sessions.json', {
    sessions: [
      { library: '/mine', session: { tabs: [tab('a'), { ...tab('bad'), source: 7 }], groups, activeGroup: 1 } },
      { library: '/other', session: 7 },
    ],
  });
  const [settings, recent, targets, sessions] = [
    await openSettingsFile(folder),
    await openRecentFiles(folder),
    await openSavedTargets(folder),
    await openWindowSessions(folder, '/mine'),
  ];
  expect(settings.get().digits).toBe(4);
  expect(recent.list()).toMatchObject([{ fileName: 'a' }]);
  expect(targets.list()).toMatchObject([{ name: 'web' }]);
  expect(sessions.take(null).session).toEqual({
    tabs: [tab('a')],
    groups: [{ tabs: ['a'], active: 'a', share: 0.5 }],
    activeGroup: 0,
  });
  expect(sessions.notices[0]).toMatch(/1 of its sessions.*1 of its tabs/);
  for (const file of [settings, recent, targets, sessions]) {
    expect(file.notices).toHaveLength(1);
    await file.close();
  }
});

test('a list of something else is reported, not treated as empty', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'recent.json'), '{"schemaVersion": 1, "files": 7}');
  writeFileSync(join(folder, 'targets.json'), '{"schemaVersion": 1, "targets": {}}');
  const [recent, targets] = [await openRecentFiles(folder), await openSavedTargets(folder)];
  for (const file of [recent, targets]) {
    expect(file.notices).toEqual([expect.stringContaining('not a list')]);
    await file.close();
  }
});

test('documents that are large together leave the list usable', async () => {
  const path = join(tempFolder(), 'library');
  const library = await openLibrary(path);
  const good = await library.importFile('good.folded', chunksOf('main 1\n'));
  const text = JSON.stringify({ ...good, tags: ['x'.repeat(7 << 20)] });
  const large = Array.from({ length: 12 }, (_none, at) => `20260101-000000-${String(at).padStart(8, '0')}`);
  for (const id of large) {
    mkdirSync(join(path, id));
    writeFileSync(join(path, id, 'capture.json'), text);
  }
  const { captures, damaged } = await (await openLibrary(path)).list();
  expect(captures.map(({ id }) => id)).toContain(good.id);
  expect(captures.length + damaged.length).toBe(13);
  expect(damaged.length).toBeGreaterThan(0);
  expect(captures.reduce((bytes, one) => bytes + JSON.stringify(one).length, 0)).toBeLessThan(65 << 20);
});

test('a damaged folder of any name can be listed and deleted, even if the trash has that name', async () => {
  const path = join(tempFolder(), 'library');
  const library = await openLibrary(path);
  const good = await library.importFile('good.folded', chunksOf('main 1\n'));
  const broken = (name: string): void => {
    mkdirSync(join(path, name), { recursive: true });
    writeFileSync(join(path, name, 'capture.json'), '{');
  };
  for (const round of [1, 2]) {
    broken('My Capture');
    expect((await library.list()).damaged).toMatchObject([{ id: 'My Capture' }]);
    await library.trash('My Capture');
    expect(readdirSync(join(path, '.trash'))).toHaveLength(round);
  }
  for (const name of ['..', '.trash', '../outside', 'My Capture/..', '']) {
    await expect(library.trash(name)).rejects.toMatchObject({ code: 'not-found' });
  }

  broken('20260101-000000-00000000');
  const list = await callCli(['captures', '--library', path]);
  expect(list.stdout).toMatch(new RegExp(`^${good.id} .*good`, 'm'));
  expect(list.stdout).toMatch(/^20260101-000000-00000000 .*broken.*capture\.json: /m);
  const json = await callCli(['captures', 'list', '--json', '--library', path]);
  expect(JSON.parse(json.stdout)).toMatchObject({ captures: [{ id: good.id }], broken: [{}] });
  const gone = await callCli(['captures', 'delete', 'nothing', '20260101-000000-00000000', '--library', path]);
  expect([gone.code, gone.stdout]).toEqual([2, '20260101-000000-00000000 moved to the trash\n']);
  expect(gone.stderr).toContain('nothing');
  expect(existsSync(join(path, '20260101-000000-00000000'))).toBe(false);
  expect((await library.list()).damaged).toEqual([]);
});
