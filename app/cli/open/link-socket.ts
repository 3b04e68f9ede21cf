import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import type { Engine } from '#app/engine/server.ts';
import { removeMade } from '#collectors/effects/remove.ts';
import { makeFolders } from '#collectors/effects/write.ts';
import { inputError } from '../errors.ts';
import { warn } from '../output/terminal.ts';
import { messageOf } from '#core/model/failure.ts';

/** Maximum length of an answer. A link is much shorter; a longer answer is not from Flamebench. */
const MAX_ANSWER = 2000;

/**
 * Returns the socket of the server of a library. It is in the configuration folder, which only its user may enter; its
 * name is short, because a socket's path is limited to 107 bytes.
 */
function socketPath(libraryPath: string): string {
  const name = createHash('sha256').update(libraryPath).digest('hex').slice(0, 12);
  return join(defaultConfigPath(), `serve-${name}.sock`);
}

/** Answers `flamebench serve --link` with a new link for each connection. Returns the function that stops it. */
export async function answerLinkRequests(
  engine: Pick<Engine, 'newUrl'>,
  libraryPath: string,
): Promise<() => Promise<void>> {
  const path = socketPath(libraryPath);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${engine.newUrl()}\n`);
  });
  try {
    await makeFolders(defaultConfigPath());
    // A killed server leaves its socket behind; a newer server of the same library takes over.
    const left = await lstat(path, { bigint: true }).catch(() => null);
    if (left?.isSocket() === true) await removeMade(path, left);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // `listen` creates the socket before it returns.
      const umask = process.umask(0o177);
      server.listen(path, resolve);
      process.umask(umask);
    });
  } catch (error) {
    server.close();
    warn(`serve --link can't reach this server: ${messageOf(error)}`);
    return () => Promise.resolve();
  }
  return async () => {
    // Also removes the socket's file.
    await new Promise((resolve) => server.close(resolve));
  };
}

/** Asks the running server of a library for a link; throws a `CliError` if there is none. */
export function askForLink(libraryPath: string): Promise<string> {
  const path = socketPath(libraryPath);
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
      if (answer.length > MAX_ANSWER) socket.destroy();
    });
    const fail = (): void =>
      reject(inputError(`no server of ${libraryPath} is running`, 'start one: flamebench serve'));
    socket.once('error', fail);
    socket.once('close', () => {
      if (/^https?:\/\/\S+\n$/.test(answer)) resolve(answer.trim());
      else fail();
    });
  });
}
