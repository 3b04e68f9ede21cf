import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '#core/contract/settings.ts';
import { NO_SESSION } from '#core/contract/session.ts';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { openRecentFiles, recentId } from '#app/engine/config/recent-files.ts';
import { openSettingsFile } from '#app/engine/config/user-config.ts';
import { openWindowSessions } from '#app/engine/config/window-sessions.ts';
import { matching, oneLine } from '../support/matching.ts';
import { tempFolder } from '../support/temp-folder.ts';

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

describe('defaultConfigPath', () => {
  const home = '/home/a';
  it.each([
    [{}, 'linux', '/home/a/.config/flamebench'],
    [{ XDG_CONFIG_HOME: '/etc/a' }, 'linux', '/etc/a/flamebench'],
    [{ XDG_CONFIG_HOME: 'relative' }, 'linux', '/home/a/.config/flamebench'],
    [{ FLAMEBENCH_CONFIG: '/tmp/c' }, 'darwin', '/tmp/c'],
    [{}, 'darwin', '/home/a/Library/Application Support/flamebench'],
  ])('%j on %s is %s', (env, platform, path) => {
    expect(defaultConfigPath({ env, platform, home })).toBe(path);
  });
});

describe('settings.json', () => {
  it('stores what differs from the defaults, privately, for the next engine', async () => {
    const folder = join(tempFolder(), 'a', 'b');
    const file = await openSettingsFile(folder);
    expect(file.get()).toEqual(DEFAULT_SETTINGS);
    await file.edit((settings) => ({ ...settings, theme: 'dark' }));
    expect(readJson(join(folder, 'settings.json'))).toEqual({ schemaVersion: 1, theme: 'dark' });
    expect(readdirSync(folder)).toEqual(['settings.json']);
    const next = await openSettingsFile(folder);
    expect(next.get().theme).toBe('dark');
    expect(next.notices).toEqual([]);
    await file.close();
    await next.close();
  });

  it('has all changes once it is closed, also those that nobody awaited', async () => {
    const folder = join(tempFolder(), 'config');
    const file = await openSettingsFile(folder);
    const edits = (['dark', 'light'] as const).map((theme) => file.edit((settings) => ({ ...settings, theme })));
    await file.close();
    expect(readJson(join(folder, 'settings.json'))).toEqual({ schemaVersion: 1, theme: 'light' });
    await Promise.all(edits);
  });

  it('is shared: engines change their own fields and are notified of others’ changes', async () => {
    const folder = tempFolder();
    const [a, b] = [await openSettingsFile(folder), await openSettingsFile(folder)];
    const heard = vi.fn();
    a.onForeignChange(heard);
    await Promise.all([
      a.edit((settings) => ({ ...settings, theme: 'dark' })),
      b.edit((settings) => ({ ...settings, digits: 5 })),
      a.edit((settings) => ({ ...settings, fontPx: 14 })),
    ]);
    await expect.poll(() => a.get()).toMatchObject({ theme: 'dark', digits: 5, fontPx: 14 });
    await expect.poll(() => b.get()).toMatchObject({ theme: 'dark', digits: 5, fontPx: 14 });
    await b.edit((settings) => ({ ...settings, density: 'comfortable' }));
    await expect.poll(() => heard.mock.lastCall).toMatchObject([{ density: 'comfortable' }]);
    await a.close();
    await b.close();
  });

  it.each([
    ['no JSON', '{"theme": "dark"', /not JSON/],
    ['a list', '[1]', /not a JSON object/],
    ['without a version', '{"theme": "dark"}', /its version is none/],
    ['out of limits', '{"schemaVersion": 1, "theme": "dark", "fontPx": 900}', /fontPx is out of range/],
    [
      'a prototype',
      '{"schemaVersion": 1, "__proto__": {"theme": "dark"}, "constructor": 1}',
      /__proto__ is not a setting/,
    ],
  ])('that is %s is kept aside and reported once', async (_what, text, problem) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'settings.json'), text);
    const file = await openSettingsFile(folder);
    expect(file.notices).toEqual([oneLine]);
    expect(file.notices[0]).toMatch(problem);
    const aside = readdirSync(folder).find((name) => name.includes('.kept-'));
    expect(file.notices[0]).toContain(aside);
    expect(readFileSync(join(folder, aside ?? ''), 'utf8')).toBe(text);
    await file.edit((settings) => ({ ...settings, digits: 4 }));
    const next = await openSettingsFile(folder);
    expect(next.notices).toEqual([]);
    expect(next.get().digits).toBe(4);
    expect(({} as { theme?: string }).theme).toBeUndefined();
    await file.close();
    await next.close();
  });

  it('of a newer version is used as far as it is understood, and never changed', async () => {
    const folder = tempFolder();
    const path = join(folder, 'settings.json');
    const text = '{"schemaVersion": 7, "theme": "dark", "hologram": true}';
    writeFileSync(path, text);
    const file = await openSettingsFile(folder);
    expect(file.notices).toEqual([matching(/settings\.json was written by a newer Flamebench \(schema 7, /)]);
    await expect(file.edit((settings) => ({ ...settings, digits: 4 }))).rejects.toMatchObject({
      code: 'newer-config',
      message: matching(/The change is lost when Flamebench exits/),
      remedy: oneLine,
    });
    expect(file.get()).toMatchObject({ theme: 'dark', digits: 4 });
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual([text, ['settings.json']]);
    await file.close();
  });

  it('keeps fields that this version does not know, and names them', async () => {
    const folder = tempFolder();
    const path = join(folder, 'settings.json');
    writeFileSync(path, '{"schemaVersion": 1, "theme": "dark", "fontPx": 14, "hologram": {"depth": 3}}');
    const file = await openSettingsFile(folder);
    expect(file.notices).toEqual([matching(/unknown to this version, and kept: hologram\./)]);
    await file.edit(({ fontPx, ...settings }) => ({ ...DEFAULT_SETTINGS, ...settings, digits: fontPx - 10 }));
    const { fontPx } = DEFAULT_SETTINGS;
    expect(readJson(path)).toEqual({ schemaVersion: 1, theme: 'dark', digits: 4, hologram: { depth: 3 } });
    expect(file.get()).toMatchObject({ fontPx });
    expect(readdirSync(folder)).toEqual(['settings.json']);
    await file.close();
  });

  it('is kept aside once for the same invalid content, however often it is opened', async () => {
    const folder = tempFolder();
    const open = async (text: string): Promise<void> => {
      writeFileSync(join(folder, 'settings.json'), text);
      const file = await openSettingsFile(folder);
      expect(file.notices).toEqual([matching(/A copy is kept as/)]);
      await file.close();
    };
    for (const text of ['{', '{', '{"theme', '{']) await open(text);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it('that is a link is written where it leads to', async () => {
    const folder = tempFolder();
    const [dotfiles, config] = [join(folder, 'dotfiles'), join(folder, 'config')];
    for (const path of [dotfiles, config]) mkdirSync(path);
    const target = join(dotfiles, 'flamebench.json');
    writeFileSync(target, '{"schemaVersion": 1, "theme": "dark"}');
    chmodSync(target, 0o640);
    symlinkSync('../dotfiles/flamebench.json', join(config, 'settings.json'));
    const file = await openSettingsFile(config);
    await file.edit((settings) => ({ ...settings, digits: 4 }));
    expect(readJson(target)).toEqual({ schemaVersion: 1, theme: 'dark', digits: 4 });
    expect([readlinkSync(join(config, 'settings.json')), statSync(target).mode & 0o777]).toEqual([
      '../dotfiles/flamebench.json',
      0o640,
    ]);
    expect([readdirSync(dotfiles), readdirSync(config)]).toEqual([['flamebench.json'], ['settings.json']]);
    rmSync(target);
    await expect(file.edit((settings) => ({ ...settings, digits: 5 }))).rejects.toMatchObject({
      message: matching(/settings\.json can't be written/),
    });
    expect(existsSync(target)).toBe(false);
    await file.close();
  });

  it('that cannot be written still applies changes, and reports it', async () => {
    const folder = tempFolder();
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    const file = await openSettingsFile(join(blocked, 'config'));
    await expect(file.edit((settings) => ({ ...settings, theme: 'dark' }))).rejects.toMatchObject({
      message: matching(/settings\.json can't be written/),
      remedy: matching(/FLAMEBENCH_CONFIG/),
    });
    expect(file.get().theme).toBe('dark');
    await file.close();
  });
});

describe('recent.json', () => {
  it('lists the newest files first, each once, without paths', async () => {
    const folder = tempFolder();
    const [a, b] = [join(folder, 'a.folded'), join(folder, 'b.folded')];
    for (const path of [a, b]) writeFileSync(path, 'main 1\n');
    let now = 0;
    const recent = await openRecentFiles(join(folder, 'config'), () => (now += 1));
    await recent.add([a]);
    await recent.add([b]);
    await recent.add([a]);
    expect(recent.list().map(({ fileName, openedAt }) => [fileName, openedAt])).toEqual([
      ['a.folded', 3],
      ['b.folded', 2],
    ]);
    expect(JSON.stringify(recent.list())).not.toContain(folder);
    expect(await recent.find(recentId(b))).toEqual({ path: b, fileName: 'b.folded', size: 7 });
    const again = await openRecentFiles(join(folder, 'config'));
    expect(again.list()).toEqual(recent.list());
    await again.forget(recentId(a));
    expect(again.list().map(({ fileName }) => fileName)).toEqual(['b.folded']);
    await again.forget(null);
    expect(again.list()).toEqual([]);
    await recent.close();
    await again.close();
  });

  it('keeps what a newer version added to an entry', async () => {
    const folder = tempFolder();
    const path = join(folder, 'recent.json');
    const files = [
      { path: '/a', openedAt: 1, pinned: true },
      { path: '/b', openedAt: 1, pinned: false },
    ];
    writeFileSync(path, JSON.stringify({ schemaVersion: 1, files, order: 'name' }));
    const recent = await openRecentFiles(folder, () => 2);
    await recent.add(['/c']);
    await recent.forget(recentId('/a'));
    const [, b] = files;
    expect(readJson(path)).toEqual({ schemaVersion: 1, files: [{ path: '/c', openedAt: 2 }, b], order: 'name' });
    await recent.close();
  });

  it('reports files that are gone, and entries without a path', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'config'));
    const files = [
      { path: join(folder, 'gone.folded'), openedAt: 1 },
      { path: 'relative', openedAt: 1 },
      { path: 7, openedAt: 1 },
    ];
    writeFileSync(join(folder, 'config', 'recent.json'), JSON.stringify({ schemaVersion: 1, files }));
    const recent = await openRecentFiles(join(folder, 'config'));
    expect(recent.notices[0]).toMatch(/2 of its files have no path/);
    await expect(recent.find(recentId(join(folder, 'gone.folded')))).rejects.toMatchObject({ code: 'file-missing' });
    await expect(recent.find('none')).rejects.toMatchObject({ code: 'not-found' });
    await recent.close();
  });
});

describe('sessions.json', () => {
  const session = {
    tabs: [{ id: 'a', fileName: 'a', source: { kind: 'capture' as const, id: 'x' }, format: null, views: { at: [1] } }],
    groups: [{ tabs: ['a'], active: 'a', share: 1 }],
    activeGroup: 0,
  };

  it('is restored in the first window of the next run, and in the same window after a reload', async () => {
    const folder = tempFolder();
    const run = await openWindowSessions(folder, '/library');
    const first = run.take(null);
    expect(first).toMatchObject({ session: null, again: false });
    expect(run.take(first.windowId)).toMatchObject({ session: NO_SESSION, again: true });
    await run.save(first.windowId, session);
    expect(run.take(first.windowId)).toMatchObject({ windowId: first.windowId, session, again: true });
    expect(run.take(null).session).toBeNull();
    const next = await openWindowSessions(folder, '/library');
    const restored = next.take(first.windowId);
    expect(restored).toMatchObject({ session, again: false });
    expect(next.take(null).session).toBeNull();
    await next.save(restored.windowId, NO_SESSION);
    const last = await openWindowSessions(folder, '/library');
    expect(last.take(null).session).toEqual(NO_SESSION);
    const elsewhere = await openWindowSessions(folder, '/other');
    await elsewhere.save(elsewhere.take(null).windowId, session);
    const back = await openWindowSessions(folder, '/library');
    expect(back.take(null).session).toEqual(NO_SESSION);
    await Promise.all([run, next, last, elsewhere, back].map((sessions) => sessions.close()));
  });

  it('has the tabs of each window, but of a window that was closed by itself', async () => {
    const folder = tempFolder();
    const named = (id: string): typeof session => ({ ...session, tabs: [{ ...session.tabs[0]!, fileName: id }] });
    const taken = (from: Awaited<ReturnType<typeof openWindowSessions>>): (string | undefined)[] =>
      [1, 2, 3].map(() => from.take(null).session?.tabs[0]?.fileName);
    const stored = (): string => readFileSync(join(folder, 'sessions.json'), 'utf8');
    const run = await openWindowSessions(folder, '/library', 1);
    const [one, two, closed] = [run.take(null), run.take(null), run.take(null)];
    await run.save(one.windowId, named('one'));
    await run.save(closed.windowId, named('closed'));
    await run.save(two.windowId, named('two'));
    run.leave(closed.windowId);
    await expect.poll(stored).not.toContain('closed');
    const next = await openWindowSessions(folder, '/library', 1);
    const back = next.take(null);
    expect(back).toMatchObject({ session: named('two'), waiting: 1 });
    // The other window's tabs stay until it is opened.
    await next.save(back.windowId, named('two, changed'));
    const last = await openWindowSessions(folder, '/library', 60_000);
    const both = [last.take(null), last.take(null)];
    expect(both.map((window) => window.session)).toEqual([named('two, changed'), named('one')]);
    // Windows that close together come back in the same run, too.
    for (const { windowId } of both) last.leave(windowId);
    expect(taken(last)).toEqual(['one', 'two, changed', undefined]);
    await Promise.all([run, next, last].map((sessions) => sessions.close()));
  });

  it('may fail to be written when a window has closed, which ends no engine', async () => {
    const folder = join(tempFolder(), 'config');
    writeFileSync(folder, '');
    const run = await openWindowSessions(folder, '/library', 1);
    const [, closed] = [run.take(null), run.take(null)];
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    run.leave(closed.windowId);
    await sleep(100);
    await run.close();
    await sleep(10);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('is kept aside, reported and not restored if it is damaged', async () => {
    const folder = tempFolder();
    const damaged = '{"schemaVersion": 1, "sessions": [{"library": "/library", "session": {"tabs": 3}}]}';
    writeFileSync(join(folder, 'sessions.json'), damaged);
    const sessions = await openWindowSessions(folder, '/library');
    expect(sessions.notices).toEqual([matching(/1 of its sessions can't be read/)]);
    const { windowId, session: restored } = sessions.take(null);
    expect(restored).toBeNull();
    await sessions.save(windowId, session);
    const aside = readdirSync(folder).find((name) => name.includes('.kept-'));
    expect(sessions.notices[0]).toContain(aside);
    expect(readFileSync(join(folder, aside ?? ''), 'utf8')).toBe(damaged);
    await sessions.close();
  });
});

it('an unreadable settings.json is reported, not treated as empty', async () => {
  const folder = tempFolder();
  const path = join(folder, 'settings.json');
  mkdirSync(path);
  const file = await openSettingsFile(folder);
  expect(file.notices[0]).toMatch(/can't be read/);
  expect(existsSync(path)).toBe(true);
  chmodSync(path, 0o700);
  await file.close();
});
