import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'playwright/test';
import { packageLinux } from '../../scripts/package-linux.ts';
import { startEngineProcess } from '../e2e/engine-process.ts';
import { Workbench } from '../e2e/workbench.ts';
import { hasCleanRoot, openCleanRoot } from '../support/clean-root.ts';

test.describe.configure({ mode: 'serial' });

let folder: string;
let deb: string;
/** The unpacked archive. */
let unpacked: string;

test.beforeAll(() => {
  test.setTimeout(300_000);
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-linux-'));
  const options = { output: folder, kinds: ['deb', 'tar.gz'], time: 1_700_000_000, isQuick: true } as const;
  const [debian = '', archive = ''] = packageLinux(options);
  deb = debian;
  execFileSync('tar', ['-C', folder, '-xf', archive]);
  unpacked = archive.slice(0, -'.tar.gz'.length);
});
test.afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const WORK = 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done';

test('the archive runs from any folder, through a link, without a Node on the PATH', () => {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync('/usr/bin/readlink', path.join(bin, 'readlink'));
  symlinkSync(path.join(unpacked, 'bin/flamebench'), path.join(bin, 'flamebench'));
  const run = (...argv: string[]): string =>
    execFileSync(path.join(bin, 'flamebench'), argv, { encoding: 'utf8', env: { PATH: bin, HOME: folder } });
  expect(run('--version')).toMatch(/^flamebench \d/);
  const page = path.join(unpacked, 'share/man/man1/flamebench-record.1.gz');
  expect(execFileSync('gzip', ['-dc', page], { encoding: 'utf8' })).toBe(run('man', 'record'));
  expect(readFileSync(path.join(unpacked, 'share/doc/flamebench/copyright'), 'utf8')).toMatch(/^(?:node|react)$/m);
});

test('a perf.data opens with a double click, and its engine ends with it', async ({ page }) => {
  test.setTimeout(240_000);
  // The desktop's settings of a user, with the archive's files and a browser that keeps what it is given.
  const home = path.join(folder, 'home');
  const bin = path.join(home, 'bin');
  const given = path.join(home, 'given');
  for (const name of ['bin', 'run', 'config', 'data/mime']) mkdirSync(path.join(home, name), { recursive: true });
  chmodSync(path.join(home, 'run'), 0o700);
  cpSync(path.join(unpacked, 'share/applications'), path.join(home, 'data/applications'), { recursive: true });
  cpSync(path.join(unpacked, 'share/mime/packages'), path.join(home, 'data/mime/packages'), { recursive: true });
  symlinkSync(path.join(unpacked, 'bin/flamebench'), path.join(bin, 'flamebench'));
  writeFileSync(
    path.join(bin, 'chromium'),
    `#!/bin/sh\nfor word; do :; done\necho "$word" > ${given}.part\nmv ${given}.part ${given}\n`,
  );
  chmodSync(path.join(bin, 'chromium'), 0o755);
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    DISPLAY: ':0',
    XDG_CURRENT_DESKTOP: 'X-Generic',
    XDG_DATA_HOME: path.join(home, 'data'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_RUNTIME_DIR: path.join(home, 'run'),
  };
  const run = (program: string, ...argv: string[]): string =>
    execFileSync(program, argv, { encoding: 'utf8', env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  run('update-mime-database', path.join(home, 'data/mime'));
  const file = path.join(home, 'a recording');
  run('perf', 'record', '-q', '-e', 'cpu-clock', '-g', '-o', file, '--', 'sh', '-c', WORK);
  expect(run('xdg-mime', 'query', 'filetype', file)).toBe('application/x-perf-data');
  run('xdg-mime', 'default', 'flamebench.desktop', 'application/x-perf-data');
  const opener = spawn('xdg-open', [file], { env, cwd: home, stdio: 'ignore', detached: true });
  const isOpen = (): boolean => opener.exitCode === null && opener.signalCode === null;
  try {
    await expect.poll(() => existsSync(given), { timeout: 30_000 }).toBe(true);
    const redirect = readFileSync(
      fileURLToPath(
        readFileSync(given, 'utf8')
          .trim()
          .replace(/^--app=/, ''),
      ),
      'utf8',
    );
    await page.goto(/url=([^"]+)"/.exec(redirect)?.[1] ?? '');
    const workbench = new Workbench(page, folder);
    await expect(workbench.openTabs.getByRole('tab', { name: 'a recording', selected: true })).toBeVisible();
    await expect(workbench.graph).toBeVisible();
    // A minute later, which is too long for each run.
    if (process.env['CI_FULL'] !== '1') return;
    await page.close();
    await expect.poll(isOpen, { timeout: 90_000 }).toBe(false);
    expect(opener.exitCode).toBe(0);
  } finally {
    if (isOpen()) {
      process.kill(-opener.pid!, 'SIGTERM');
      await once(opener, 'exit');
    }
  }
});

if (hasCleanRoot()) {
  test('the Debian package records, opens, compares and reports on a clean system, and leaves no trace', async ({
    page,
  }) => {
    test.setTimeout(600_000);
    const root = openCleanRoot();
    try {
      cpSync(deb, path.join(root.folder, 'home/tester/flamebench.deb'));
      // What dpkg itself remembers of every package that was installed.
      const files = (): string =>
        root.run(
          'sh',
          '-c',
          'find / -xdev -not -path "/proc/*" -not -path "/home/*" | grep -v "^/var/lib/dpkg\\|^/var/log\\|^/var/cache/ldconfig" | sort',
        );
      const before = files();
      root.run('dpkg', '-i', '/home/tester/flamebench.deb');
      const flamebench = (...argv: string[]): string => root.run('flamebench', ...argv);
      const at = '/home/tester';
      for (const name of ['before', 'after'])
        flamebench('record', 'perf', '--name', name, '-q', '--', 'sh', '-c', WORK);
      const ids = [...flamebench('captures', '--csv').matchAll(/^\d{8}-\d{6}-[0-9a-f]{8}/gm)].map(([id]) => id);
      expect(ids).toHaveLength(2);
      expect(flamebench('top', ids[0] ?? '')).toMatch(/\bsh\b|dash/);
      expect(flamebench('diff', ...ids)).toContain('self per second');
      flamebench('report', ...ids, '--compare', '-o', `${at}/report.html`);
      expect(readFileSync(path.join(root.folder, at, 'report.html'), 'utf8')).toContain('<!doctype html>');
      const library = `${at}/.local/share/flamebench/library`;
      const engine = await startEngineProcess({
        library,
        program: root.argv('flamebench'),
        config: `${at}/config`,
        words: [ids[0] ?? ''],
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: at },
      });
      try {
        await page.goto(engine.url);
        await expect(new Workbench(page, folder).graph).toBeVisible();
      } finally {
        await engine.close();
      }
      root.run('dpkg', '--purge', 'flamebench');
      expect(files()).toBe(before);
    } finally {
      root.close();
    }
  });
} else {
  test('left out: installing into a clean system, which CI_FULL=1 as root makes once', () => undefined);
}
