import type { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';

/** Messages between the engine and the desktop shell that started it. */
export interface ShellChannel {
  send(message: Readonly<Record<string, unknown>>): void;
  /** `message` is whatever came: null where it was no JSON. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called when the shell has gone. */
  onEnd(listener: () => void): void;
  /** Takes no more messages, and lets the process end once `done` is settled. */
  close(done: Promise<void>): void;
}

/** What Electron puts into `process` of a utility process. */
interface ParentPort extends EventEmitter {
  postMessage(message: unknown): void;
}

const LAST_MESSAGE_MS = 100;

/** Electron's own port in a utility process; elsewhere one JSON message a line on stdin and stdout. */
export function openShellChannel(): ShellChannel {
  const { parentPort } = process as { parentPort?: ParentPort };
  return parentPort === undefined ? linesChannel() : portChannel(parentPort);
}

function linesChannel(): ShellChannel {
  // The shell may be gone already when the last lines are written.
  process.stdout.on('error', () => undefined);
  const input = createInterface({ input: process.stdin });
  return {
    send: (message) => void process.stdout.write(`${JSON.stringify(message)}\n`),
    onMessage: (listener) => void input.on('line', (line) => listener(parseJson(line))),
    onEnd: (listener) => void input.once('close', listener),
    close: () => {
      input.close();
      process.stdin.destroy();
    },
  };
}

/** Chromium ends a utility process whose shell has gone; what was recorded is found at the next start. */
function portChannel(port: ParentPort): ShellChannel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', ({ data }: { data: unknown }) => listener(data)),
    onEnd: () => undefined,
    close: (done) => {
      // The port keeps the process alive, and its last message needs a moment to leave.
      void done.finally(() => setTimeout(() => process.exit(), LAST_MESSAGE_MS));
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
