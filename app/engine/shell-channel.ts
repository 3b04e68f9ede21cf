import type { EventEmitter } from 'node:events';

/** Messages between the engine and the desktop shell that started it. */
export interface ShellChannel {
  send(message: Readonly<Record<string, unknown>>): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Lets the process exit when `done` has settled. */
  close(done: Promise<void>): void;
}

/** The object that Electron adds to `process` in a utility process. */
interface ParentPort extends EventEmitter {
  postMessage(message: unknown): void;
}

const LAST_MESSAGE_MS = 100;

/**
 * Returns a channel over Electron's port. Chromium ends a utility process whose shell is gone; recorded data is
 * recovered at the next start. Throws in any other process.
 */
export function openShellChannel(): ShellChannel {
  const { parentPort: port } = process as { parentPort?: ParentPort };
  if (port === undefined) throw new Error('this program is for Electron; run flamebench serve');
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', ({ data }: { data: unknown }) => listener(data)),
    close: (done) => {
      // The port keeps the process alive, and its last message needs a moment to be sent.
      void done.finally(() => setTimeout(() => process.exit(), LAST_MESSAGE_MS));
    },
  };
}
