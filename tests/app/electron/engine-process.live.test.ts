import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../../scripts/run-command.ts';
import { forkUtility } from '../../support/utility-process.ts';
import { startEngineProcess } from '../../../app/electron/engine-process.ts';

const forked = vi.hoisted(() => ({ utility: [] as string[][] }));

vi.mock('electron', () => ({
  utilityProcess: {
    fork: (script: string, args: string[]) => {
      forked.utility.push(args);
      return forkUtility(script, args);
    },
  },
}));

/** Creates an app folder that runs the engine from its sources, with its own library and page, and files to open. */
function appFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-test-'));
  const engine = path.join(folder, 'dist', 'engine');
  mkdirSync(engine, { recursive: true });
  const source = pathToFileURL(path.join(root, 'app', 'engine', 'main.ts')).href;
  writeFileSync(path.join(engine, 'main.mjs'), `import ${JSON.stringify(source)};\n`);
  writeFileSync(path.join(folder, 'a.folded'), 'main 1\n');
  vi.stubEnv('FLAMEBENCH_CONFIG', path.join(folder, 'config'));
  vi.stubEnv('FLAMEBENCH_LIBRARY', path.join(folder, 'library'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

test('runs the engine as a utility process, and ends it', async () => {
  const folder = appFolder();
  const recent: string[] = [];
  const ends: string[] = [];
  const engine = startEngineProcess({
    folder,
    files: [],
    onEnd: (reason) => ends.push(reason),
    onRecent: (files) => recent.splice(0, recent.length, ...files.map(({ fileName }) => fileName)),
  });
  expect(await engine.url).toMatch(/^http:\/\/[a-z]{16}\.localhost:\d+\/#token=[\w-]{43}$/);
  expect(forked.utility).toEqual([[]]);
  engine.openFiles([path.join(folder, 'a.folded')]);
  await expect.poll(() => recent).toEqual(['a.folded']);
  await engine.stop(false);
  expect(ends).toEqual([]);
});

test('an engine that cannot start reports why', async () => {
  const folder = appFolder();
  vi.stubEnv('FLAMEBENCH_LIBRARY', '/dev/null');
  const reason = new Promise<string>((resolve) => {
    startEngineProcess({ folder, files: [], onEnd: resolve, onRecent: () => undefined });
  });
  expect(await reason).toContain('The library /dev/null is not a folder.');
});
