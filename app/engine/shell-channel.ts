import type { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { jsonValue } from '#core/model/json-value.ts';

/** Messages between the engine and the desktop shell that started it. */
export interface ShellChannel {
  send(message: Readonly<Record<string, unknown>>): void;
  /** Receives any message; null if it was not JSON. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called when the shell is gone. */
  onEnd(listener: () => void): void;
  /** Stops accepting messages, and lets the process exit when `done` has settled. */
  close(done: Promise<void>): void;
}

/** The object that Electron adds to `process` in a utility process. */
interface ParentPort extends EventEmitter {
  postMessage(message: unknown): void;
}

const LAST_MESSAGE_MS = 100;

/** Opens Electron's port in a utility process; otherwise uses one JSON message per line on stdin and stdout. */
export function openShellChannel(): ShellChannel {
  const { parentPort } = process as { parentPort?: ParentPort };
  return parentPort === undefined ? linesChannel() : portChannel(parentPort);
}

function linesChannel(): ShellChannel {
  // The shell may be gone when the last lines are written.
  process.stdout.on('error', () => undefined);
  const input = createInterface({ input: process.stdin });
  return {
    send: (message) => void process.stdout.write(`${JSON.stringify(message)}\n`),
    onMessage: (listener) => void input.on('line', (line) => listener(jsonValue(line))),
    onEnd: (listener) => void input.once('close', listener),
    close: () => {
      input.close();
      process.stdin.destroy();
    },
  };
}

/**
 * Returns a channel over the port. Chromium ends a utility process whose shell is gone; recorded data is recovered at
 * the next start.
 */
function portChannel(port: ParentPort): ShellChannel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', ({ data }: { data: unknown }) => listener(data)),
    onEnd: () => undefined,
    close: (done) => {
      // The port keeps the process alive, and its last message needs a moment to be sent.
      void done.finally(() => setTimeout(() => process.exit(), LAST_MESSAGE_MS));
    },
  };
}
