import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../../scripts/run-command.ts';
import { startEngineProcess } from '../../../app/electron/engine-process.ts';

const forked = vi.hoisted(() => ({ utility: [] as string[][] }));

/** A substitute for Electron's `utilityProcess`, as documented, made from a Node process with an IPC channel. */
vi.mock('electron', () => {
  const port = [
    "import { EventEmitter } from 'node:events';",
    'process.parentPort = Object.assign(new EventEmitter(), { postMessage: (message) => process.send(message) });',
    "process.on('message', (data) => process.parentPort.emit('message', { data }));",
  ].join('\n');
  return {
    app: { isPackaged: true },
    utilityProcess: {
      fork: (script: string, args: string[]) => {
        forked.utility.push(args);
        const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(port)}`];
        const child = fork(script, args, { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
        return Object.assign(child, { postMessage: (message: object) => child.send(message) });
      },
    },
  };
});

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
  // A package must not run another program as its engine.
  vi.stubEnv('FLAMEBENCH_ENGINE_NODE', '/bin/false');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

test('a package runs its engine as a utility process, whatever Node the environment names, and ends it', async () => {
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
