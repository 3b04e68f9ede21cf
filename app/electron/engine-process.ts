import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { escapeControls } from '#core/contract/escape-controls.ts';
import type { RecentFile } from './menu.ts';

/** The engine as a child process: one JSON message a line on its stdin and stdout, see app/engine/main.ts. */
export interface EngineProcess {
  /** The workbench's address; its fragment holds a token that works once. Stays open where the engine ends before it serves. */
  readonly url: Promise<string>;
  openFiles(paths: readonly string[]): void;
  /** Opens a file that was opened before. */
  openRecent(id: string): void;
  /** Ends recordings, keeping them; resolves when the process is gone. */
  stop(): Promise<void>;
}

export interface EngineProcessOptions {
  /** The app's own folder. */
  readonly folder: string;
  /** Files, or ids of captures, to open first. */
  readonly files: readonly string[];
  /** Called once when the engine ends without having been asked to, with the reason in one line or two. */
  readonly onEnd: (reason: string) => void;
  /** Called at the start and whenever they change, newest first. */
  readonly onRecent: (files: readonly RecentFile[]) => void;
}

/** How long a stopping engine may take to save its recordings. */
const STOP_MS = 10_000;

export function startEngineProcess({ folder, files, onEnd, onRecent }: EngineProcessOptions): EngineProcess {
  const script = path.join(folder, 'dist', 'engine', 'main.mjs').replace('app.asar', 'app.asar.unpacked');
  // Electron's own Node runs the engine. The smoke test's old Electron has none that can, and names another.
  const node = process.env['FLAMEBENCH_ENGINE_NODE'];
  const child = spawn(node ?? process.execPath, [script, ...files], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: node === undefined ? { ...process.env, ELECTRON_RUN_AS_NODE: '1' } : process.env,
  });
  let stopping = false;
  let failure: string | null = null;
  let serving: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => {
    serving = resolve;
  });
  readMessages(child, (message) => {
    if (message['kind'] === 'ready') serving(String(message['url']));
    if (message['kind'] === 'recent') onRecent(recentFiles(message['files']));
    if (message['kind'] === 'failed') failure = [message['message'], message['remedy']].filter(Boolean).join(' ');
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (code, signal) => {
      resolve(signal === null ? `It ended with exit code ${String(code)}.` : `It was ended by ${signal}.`);
    });
  });
  void ended.then((reason) => {
    if (!stopping) onEnd(failure ?? reason);
  });
  child.stdin?.on('error', () => undefined);
  return {
    url,
    openFiles: (paths) => {
      child.stdin?.write(`${JSON.stringify({ kind: 'open-files', paths })}\n`);
    },
    openRecent: (id) => {
      child.stdin?.write(`${JSON.stringify({ kind: 'open-recent', id })}\n`);
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

function recentFiles(value: unknown): RecentFile[] {
  const rows = Array.isArray(value) ? (value as unknown[]) : [];
  return rows.flatMap((row) => {
    const { id, fileName, folderName } = { ...(row as Record<string, unknown>) };
    return typeof id === 'string' && typeof fileName === 'string' && typeof folderName === 'string'
      ? [{ id, fileName, folderName }]
      : [];
  });
}

function readMessages(child: ChildProcess, listener: (message: Record<string, unknown>) => void): void {
  if (child.stdout === null) return;
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      const message: unknown = JSON.parse(line);
      if (typeof message === 'object' && message !== null) listener({ ...message });
    } catch {
      process.stdout.write(`${escapeControls(line)}\n`);
    }
  });
}
