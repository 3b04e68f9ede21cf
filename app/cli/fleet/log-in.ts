import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { EngineFailure } from '#app/engine/failure.ts';
import { FLEET_LOGIN, type FleetLogin } from '#app/engine/fleet/store.ts';
import { askLine } from '../output/ask-yes.ts';
import { isWatched, showPrompt } from '../output/terminal.ts';

/**
 * Returns a function that opens a fleet. If its server does not accept the user and password of the file, or there is
 * no file, it asks for them in the terminal, once.
 */
export function loggingIn<T>(
  file: string | undefined,
  open: (login: string | FleetLogin | undefined) => Promise<T>,
): () => Promise<T> {
  let login: string | FleetLogin | undefined = file;
  return async () => {
    try {
      return await open(login);
    } catch (error) {
      const isRefused = error instanceof EngineFailure && error.code === FLEET_LOGIN;
      if (!isRefused || typeof login === 'object' || !process.stdin.isTTY || !isWatched()) throw error;
      showPrompt(`${error.message}.\n`);
      const username = await askLine('User: ');
      const password = await askHidden('Password: ');
      if (password === null) throw error;
      login = { username, password };
      return open(login);
    }
  };
}

/** Returns the line that is typed, which the terminal does not show; null if the input ends or is interrupted. */
async function askHidden(prompt: string): Promise<string | null> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const input = createInterface({ input: process.stdin, output: silent, terminal: true });
  input.on('SIGINT', () => input.close());
  // Now that the terminal does not echo.
  showPrompt(prompt);
  try {
    return await new Promise((resolve) => {
      input.once('line', resolve);
      input.once('close', () => resolve(null));
    });
  } finally {
    input.close();
    showPrompt('\n');
  }
}
