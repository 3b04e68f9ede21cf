import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findElectron, hasDisplay } from '#app/cli/open/find-electron.ts';
import { browserCommands, openInBrowser } from '#app/cli/open/open-browser.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each<[string, string[], boolean, string[][]]>([
  [
    'linux',
    ['/bin/chromium', '/bin/xdg-open'],
    false,
    [['/bin/chromium', '--window-size=1400,900', '--app='], ['/bin/xdg-open']],
  ],
  ['linux', ['/bin/chromium'], true, [['/bin/chromium', '--no-sandbox', '--window-size=1400,900', '--app=']]],
  ['linux', ['/bin/xdg-open'], true, [['/bin/xdg-open']]],
  ['linux', [], false, []],
  ['darwin', [], false, [['open']]],
  [
    'darwin',
    ['/Applications/Chromium.app'],
    false,
    [['open', '-n', '-a', '/Applications/Chromium.app', '--args', '--window-size=1400,900', '--app='], ['open']],
  ],
  ['win32', [], false, [['cmd.exe', '/d', '/c', 'start', '""']]],
])('opens on %s with %j, root %j', (platform, present, isRoot, argvs) => {
  const find = (program: string): string | null => present.find((path) => path.endsWith(program)) ?? null;
  expect(browserCommands({ platform, isRoot, find }).map(({ argv }) => argv)).toEqual(argvs);
});

/** Creates a program that records its arguments and the page that they name, then exits with `code`. */
function fakeBrowser(code: number): { path: string; notes: string } {
  const folder = tempFolder();
  const [path, notes] = [join(folder, 'browser'), join(folder, 'notes')];
  const page = '$(echo "$1" | sed "s,.*file://,,")';
  writeFileSync(path, `#!/bin/sh\n{ echo "$*"; ls -l "${page}"; cat "${page}"; } > ${notes}\nexit ${code}\n`);
  chmodSync(path, 0o755);
  return { path, notes };
}

test('opens the page through a private file, without the token in an argv', async () => {
  const url = 'http://127.0.0.1:1234/#token=secret';
  const [broken, good] = [fakeBrowser(1), fakeBrowser(0)];
  const commands = [{ argv: ['/missing/browser'] }, { argv: [broken.path] }, { argv: [good.path, '--app='] }];
  const opened = await openInBrowser(url, commands);
  const [argv = '', listing = '', page = ''] = readFileSync(good.notes, 'utf8').split('\n');
  expect(argv).toMatch(/^--app=file:\/\/\/.*\/open\.html$/);
  expect(argv).not.toContain('secret');
  expect(listing).toMatch(/^-rw-------/);
  expect(page).toContain(`content="0; url=${url}"`);
  const file = argv.replace('--app=file://', '');
  expect(existsSync(file)).toBe(true);
  await opened?.forget();
  expect(existsSync(file)).toBe(false);
  expect(existsSync(join(file, '..'))).toBe(false);
});

test('leaves nothing behind if no browser starts', async () => {
  const broken = fakeBrowser(3);
  expect(await openInBrowser('http://127.0.0.1:1/#token=x', [{ argv: [broken.path] }])).toBeNull();
  const [argv = ''] = readFileSync(broken.notes, 'utf8').split('\n');
  expect(existsSync(argv.replace('file://', ''))).toBe(false);
});

test('finds Electron where its own package looks, if there is a display', () => {
  const folder = tempFolder();
  const display = { DISPLAY: ':0' };
  const at = (env: Record<string, string>, platform = 'linux'): unknown => findElectron({ env, platform, folder });
  expect(at({})).toEqual({ reason: 'there is no display for Electron' });
  expect(at(display)).toEqual({ reason: 'Electron is not installed' });
  expect(at({ ...display, ELECTRON_OVERRIDE_DIST_PATH: folder })).toEqual({
    reason: `ELECTRON_OVERRIDE_DIST_PATH has no Electron: ${folder}/electron is missing`,
  });
  writeFileSync(join(folder, 'electron'), '');
  expect(at({ ...display, ELECTRON_OVERRIDE_DIST_PATH: folder })).toEqual({ executable: join(folder, 'electron') });
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({ DISPLAY: '' }, 'linux')).toBe(false);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});
