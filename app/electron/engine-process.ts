import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The engine as a child process: one JSON message a line on its stdin and stdout, see app/engine/main.ts. */
export interface EngineProcess {
  /** The workbench's address; its fragment holds a token that works once. Rejects where the engine ends before it serves. */
  readonly url: Promise<string>;
  /** Another address for a further window. */
  openFiles(paths: readonly string[]): void;
  /** Ends recordings and saves; resolves when the process is gone. */
  stop(): Promise<void>;
}

export interface EngineProcessOptions {
  /** The app's own folder. */
  readonly folder: string;
  /** Files to open first. */
  readonly files: readonly string[];
  /** Called once when the engine ends without having been asked to. */
  readonly onCrash: (reason: string) => void;
}

/** How long a stopping engine may take to save its recordings. */
const STOP_MS = 10_000;

export function startEngineProcess({ folder, files, onCrash }: EngineProcessOptions): EngineProcess {
  const script = path.join(folder, 'dist', 'engine', 'main.mjs').replace('app.asar', 'app.asar.unpacked');
  // Electron's own Node runs the engine. The smoke test's old Electron has none that can, and names another.
  const node = process.env['FLAMEBENCH_ENGINE_NODE'];
  const child = spawn(node ?? process.execPath, [script, ...files], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: node === undefined ? { ...process.env, ELECTRON_RUN_AS_NODE: '1' } : process.env,
  });
  let stopping = false;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
    });
  });
  void ended.then((reason) => {
    if (!stopping) onCrash(reason);
  });
  const url = new Promise<string>((resolve, reject) => {
    void ended.then((reason) => {
      reject(new Error(`the engine ended: ${reason}`));
    });
    onLine(child, (message) => {
      if (message['kind'] === 'ready' && typeof message['url'] === 'string') resolve(message['url']);
    });
  });
  // A rejection also reaches `onCrash`.
  url.catch(() => undefined);
  child.stdin?.on('error', () => undefined);
  const send = (message: object): void => {
    child.stdin?.write(`${JSON.stringify(message)}\n`);
  };
  return {
    url,
    openFiles: (paths) => {
      send({ kind: 'open-files', paths });
    },
    stop: async () => {
      if (!stopping) {
        stopping = true;
        child.stdin?.end();
        setTimeout(() => child.kill('SIGKILL'), STOP_MS).unref();
      }
      await ended;
    },
  };
}

function onLine(child: ChildProcess, listener: (message: Record<string, unknown>) => void): void {
  if (child.stdout === null) return;
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      const message: unknown = JSON.parse(line);
      if (typeof message === 'object' && message !== null) listener({ ...message });
    } catch {
      process.stdout.write(`${line}\n`);
    }
  });
}
