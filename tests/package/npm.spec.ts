import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'playwright/test';
import { root } from '../../scripts/run-command.ts';
import { startEngineProcess } from '../e2e/engine-process.ts';
import { Workbench } from '../e2e/workbench.ts';
import { openPodman, type Podman } from '../support/podman.ts';
import { userPath } from './system-node.ts';

test.describe.configure({ mode: 'serial' });

/** Limit on the tarball's size in bytes. */
const PACKED_LIMIT = 6_000_000;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: Packed;
let podman: Podman;
/** An empty folder, in which the tarball is installed. */
let place: string;

test.beforeAll(() => {
  test.setTimeout(120_000);
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-npm-'));
  place = path.join(folder, 'place');
  chmodSync(folder, 0o755);
  for (const name of ['place', 'tmp']) {
    mkdirSync(path.join(folder, name));
    chmodSync(path.join(folder, name), 0o777);
  }
  // The parts are built; what `prepack` prints would be in the list.
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const listed: unknown = JSON.parse(execFileSync('npm', words, { cwd: root, encoding: 'utf8' }));
  [packed] = Object.values(listed as Record<string, Packed>) as [Packed];
  podman = openPodman();
});
test.afterAll(() => {
  podman.close();
  rmSync(folder, { recursive: true, force: true });
});

const RUNS =
  /^(?:app\/cli\/flamebench\.mjs|dist\/(?:licences|package|renderer)\/.+|docs\/failures\/[\w-]+\.md|samples\/profiles\/.+|package\.json|README\.md|LICENSE)$/;

test('the tarball has what runs, and needs nothing else', () => {
  expect(packed.size).toBeLessThan(PACKED_LIMIT);
  const names = packed.files.map((file) => file.path);
  // npm adds `main`, the shell of Electron, to every package.
  expect(names.filter((name) => !RUNS.test(name))).toEqual(['dist/electron/main.cjs']);
  expect(names.filter((name) => /\.(?:ts|map)$|inputs\.json$/.test(name))).toEqual([]);
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).toMatchObject({ optionalDependencies: { 'node-pty': '1.1.0' } });
  expect(manifest).not.toHaveProperty('scripts.postinstall');
});

/**
 * Runs a command in the folder as a user who has no account, no home and no network, in a container with this machine's
 * programs.
 */
function asNobody(access: 'rw' | 'ro', ...argv: string[]): string {
  const mounts = ['-v', `${place}:/place:${access}`, '-v', `${folder}:/packed:ro`, '-v', `${folder}/tmp:/tmp`];
  const options = ['--user', '4711:4711', '--workdir', '/place', '--network', 'none', ...mounts];
  return podman.run(['/usr/bin/env', '-u', 'HOME', `PATH=${userPath}`, ...argv], [], options);
}

const command = (...argv: string[]): string => asNobody('ro', 'node_modules/.bin/flamebench', ...argv);

test('it installs into an empty folder without a network, and works there from a read-only folder', () => {
  test.setTimeout(120_000);
  // npm itself needs a home.
  const npm = ['HOME=/tmp', 'npm', 'install', '--no-audit', '--no-fund', '--omit=optional', '--offline'];
  asNobody('rw', ...npm, `/packed/${packed.filename}`);
  expect(readdirSync(path.join(place, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['flamebench']);
  expect(command('--version')).toMatch(/^flamebench \d/);
  const samples = 'node_modules/flamebench/samples/profiles/pprof';
  const [before, after] = ['before', 'after'].map((side) => `${samples}/apiserver-${side}-1/raw.pprof`) as [
    string,
    string,
  ];
  expect(command('top', before)).toContain('flat%');
  expect(command('diff', before, after)).toContain('apiserver');
  expect(command('report', before, after, '--compare', '--to', 'html', '-o', '-')).toContain('<!doctype html>');
  expect(command('completion', 'bash')).toContain('complete ');
  expect(command('doctor')).toContain('kernel: Linux');
  expect(command('help', 'perf-missing')).toContain('sudo apt install linux-perf');
  expect(command('captures')).toContain('No captures.');
});

test('its window opens in a browser, next to that of another version, and no second Node runs', async ({ page }) => {
  const other = path.join(folder, 'other');
  cpSync(path.join(place, 'node_modules/flamebench'), other, { recursive: true });
  const library = path.join(folder, 'library');
  const launch = (program: string): Promise<Awaited<ReturnType<typeof startEngineProcess>>> =>
    startEngineProcess({
      library,
      program: ['node', path.join(program, 'app/cli/flamebench.mjs')],
      env: { PATH: userPath },
    });
  const engines = [await launch(path.join(place, 'node_modules/flamebench')), await launch(other)];
  try {
    for (const engine of engines) {
      const { pid } = engine.process;
      expect(path.basename(readlinkSync(`/proc/${pid}/exe`))).toBe('node');
      expect(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')).toBe('');
      await page.goto(engine.url);
      const workbench = new Workbench(page, folder);
      await expect(workbench.status).toContainText('engine ready');
      await workbench.openRun();
      await expect(page.getByRole('gridcell').first()).toBeVisible();
    }
  } finally {
    for (const engine of engines) await engine.close();
  }
});
