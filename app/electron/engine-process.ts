import { utilityProcess } from 'electron';
import path from 'node:path';
import type { RecentMenuFile } from './menu.ts';

/** The engine as a child process; app/engine/main.ts describes its messages. */
export interface EngineProcess {
  /**
   * The workbench's address; its fragment contains a token that works once. Never resolves if the engine ends before it
   * serves.
   */
  readonly url: Promise<string>;
  openFiles(paths: readonly string[]): void;
  /** Opens a recent file. */
  openRecent(id: string): void;
  /** Returns the number of recordings that run. */
  recordings(): number;
  /** Ends recordings, keeping their data unless `discard`; resolves when the process has exited. */
  stop(discard: boolean): Promise<void>;
}

interface EngineProcessOptions {
  /** The app's own folder. */
  readonly folder: string;
  /** Files, or IDs of captures, to open first. */
  readonly files: readonly string[];
  /** Called once if the engine ends unexpectedly, with the reason in one or two lines. */
  readonly onEnd: (reason: string) => void;
  /** Called at the start and whenever the files change, newest first. */
  readonly onRecent: (files: readonly RecentMenuFile[]) => void;
}

/** Time in ms that a stopping engine may take to save its recordings. */
const STOP_MS = 10_000;

export function startEngineProcess({ folder, files, onEnd, onRecent }: EngineProcessOptions): EngineProcess {
  const script = path.join(folder, 'dist', 'engine', 'main.mjs').replace('app.asar', 'app.asar.unpacked');
  let stopping = false;
  let failure: string | null = null;
  let recordings = 0;
  let serving: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => {
    serving = resolve;
  });
  const child = startChild(script, files, (message) => {
    if (message['kind'] === 'ready') serving(String(message['url']));
    if (message['kind'] === 'recordings') recordings = Number(message['count']);
    if (message['kind'] === 'recent') onRecent(recentFiles(message['files']));
    if (message['kind'] === 'failed') failure = [message['message'], message['remedy']].filter(Boolean).join(' ');
  });
  void child.ended.then((reason) => {
    if (!stopping) onEnd(failure ?? reason);
  });
  return {
    url,
    openFiles: (paths) => child.send({ kind: 'open-files', paths }),
    openRecent: (id) => child.send({ kind: 'open-recent', id }),
    recordings: () => recordings,
    stop: async (discard) => {
      if (!stopping) {
        stopping = true;
        child.send({ kind: 'close', discard });
        setTimeout(() => child.kill(), STOP_MS).unref();
      }
      await child.ended;
    },
  };
}

interface Child {
  send(message: object): void;
  /** Kills the process immediately. */
  kill(): void;
  /** Resolves with how it ended, in one sentence. */
  readonly ended: Promise<string>;
}

type OnMessage = (message: Record<string, unknown>) => void;

/**
 * Starts the engine as a utility process in Electron's own Node, because a package cannot be run as Node
 * (`electronFuses` in electron-builder.yml).
 */
function startChild(script: string, files: readonly string[], onMessage: OnMessage): Child {
  const child = utilityProcess.fork(script, [...files], { serviceName: 'Flamebench engine' });
  let running = true;
  child.on('message', (message: unknown) => {
    if (typeof message === 'object' && message !== null) onMessage({ ...message });
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code) => {
      running = false;
      resolve(`It exited with code ${String(code)}.`);
    });
  });
  return {
    ended,
    send: (message) => {
      if (running) child.postMessage(message);
    },
    kill: () => {
      if (running && child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
    },
  };
}

function recentFiles(value: unknown): RecentMenuFile[] {
  const rows = Array.isArray(value) ? (value as unknown[]) : [];
  return rows.flatMap((row) => {
    const { id, fileName, folderName } = { ...(row as Record<string, unknown>) };
    return typeof id === 'string' && typeof fileName === 'string' && typeof folderName === 'string'
      ? [{ id, fileName, folderName }]
      : [];
  });
}
