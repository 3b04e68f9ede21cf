import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'playwright/test';
import { electronForTests } from './electron-for-tests.ts';
import { ELECTRON_BILL, packageApp } from '../../scripts/package.ts';
import { readFuses, withFuses } from './fuse-wire.ts';
import { launchPackage } from './launch-package.ts';
import { OLD_PAGE } from './old/build-for.ts';

test.describe.configure({ mode: 'serial' });

const { old, ...electron } = electronForTests();
let output: string;
let app: string;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  output = mkdtempSync(path.join(tmpdir(), 'flamebench-package-'));
  app = path.join(output, 'linux-unpacked');
  const withWire = withFuses({ ...electron, old }, path.join(output, 'electron'));
  const config = old ? 'tests/electron/old/electron-builder.yml' : 'electron-builder.yml';
  expect(await packageApp({ targets: ['dir'], output, electron: withWire, config })).toBeNull();
  if (old) {
    cpSync(OLD_PAGE, path.join(app, 'resources', 'app.asar.unpacked', 'dist', 'renderer'), { recursive: true });
  }
});
// Packages with Electron 9 are never kept.
test.afterAll(() => {
  rmSync(output, { recursive: true, force: true });
});

test('a built package starts and opens a capture', async () => {
  const resources = path.join(app, 'resources');
  expect(readdirSync(resources)).toEqual(expect.arrayContaining(['app.asar', 'app.asar.unpacked']));
  expect(existsSync(path.join(resources, 'app.asar.unpacked', 'node_modules'))).toBe(false);
  const file = path.join(output, 'packaged.folded');
  writeFileSync(file, 'main;work 3\n');
  const { text, close } = await launchPackage(path.join(app, 'flamebench'), [file], { old });
  try {
    await expect.poll(text, { timeout: 20_000 }).toContain('packaged.folded');
  } finally {
    await close();
  }
});

test('the fuses of a package are set', async () => {
  expect(await readFuses(path.join(app, 'flamebench'))).toMatchObject({
    RunAsNode: false,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    EnableCookieEncryption: true,
    GrantFileProtocolExtraPrivileges: false,
  });
});

test('a package has a bill of its content next to it', () => {
  const bill: unknown = JSON.parse(readFileSync(path.join(output, ELECTRON_BILL), 'utf8'));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'flamebench' } } });
  const names = (bill as { components: { name: string }[] }).components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['electron', 'react', 'scheduler', 'ws', 'zod', 'd3-flame-graph']));
  for (const tool of ['vite', 'typescript', 'electron-builder', 'node-pty']) expect(names).not.toContain(tool);
});

// Electron before 12 has no fuses, so its environment determines what it runs.
if (!old) {
  test('a package runs no code that its environment names', async () => {
    const marker = path.join(output, 'ran');
    const script = path.join(output, 'script.cjs');
    writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '');\n`);
    const env = {
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: `--require=${script}`,
    };
    const { text, close } = await launchPackage(path.join(app, 'flamebench'), [], { old, env });
    try {
      await expect.poll(text, { timeout: 20_000 }).toContain('engine ready');
    } finally {
      await close();
    }
    expect(existsSync(marker)).toBe(false);
  });
}
