import '../node-20.ts';
import * as z from 'zod';
import { EngineFailure } from './failure.ts';
import { startEngine, type Engine } from './server.ts';
import { openShellChannel, type ShellChannel } from './shell-channel.ts';
import { messageOf } from '#core/model/failure.ts';

/**
 * The engine as a utility process of Electron: `main.ts [FILE | capture id]…`.
 *
 * To the shell:
 * - `{"kind": "ready", "url", "origin"}` once, when the engine is serving. The URL's token works once, within 15 min.
 * - `{"kind": "failed", "message", "remedy"}` instead if it cannot start; the process then exits with code 1.
 * - `{"kind": "url", "url"}` in answer to `new-url`.
 * - `{"kind": "recent", "files": [{"id", "fileName", "folderName", "openedAt"}]}` at the start and after each change of
 *   the recent files.
 * - `{"kind": "recordings", "count"}` whenever the number of running recordings has changed.
 *
 * From the shell:
 * - `{"kind": "open-files", "paths": [absolute path | capture id…]}` opens them in the newest window.
 * - `{"kind": "open-recent", "id"}` opens a recent file there.
 * - `{"kind": "new-url"}` requests an address for another window, or for a reload.
 * - `{"kind": "close", "discard"}`: recordings end, are kept unless `discard`, and the process exits with code 0.
 *
 * Internal errors are written to stderr. The library is `$FLAMEBENCH_LIBRARY` or the default one;
 * `$FLAMEBENCH_RENDERER` selects another build of the page.
 */
const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open-files'), paths: z.array(z.string()) }),
  z.object({ kind: z.literal('open-recent'), id: z.string() }),
  z.object({ kind: z.literal('new-url') }),
  z.object({ kind: z.literal('close'), discard: z.boolean() }),
]);

const channel = openShellChannel();

async function runEngine(): Promise<void> {
  const engine = await startEngine({ open: process.argv.slice(2), resolvesName: true, guide: true });
  const close = (discard: boolean): void => {
    const discarded = discard ? engine.recordings.discard() : Promise.resolve();
    const closed = (): Promise<void> => engine.close();
    channel.close(discarded.then(closed, closed));
  };
  channel.onMessage((message) => handleShellMessage(engine, channel, message, close));
  // Ctrl-C in the shell's terminal also reaches the shell, which then ends the engine.
  process.on('SIGINT', () => undefined);
  process.once('SIGTERM', () => close(false));
  channel.send({ kind: 'ready', url: engine.newUrl(), origin: engine.origin });
  const sendRecent = (): void => channel.send({ kind: 'recent', files: engine.recent.list() });
  engine.recent.onChange(sendRecent);
  sendRecent();
  let count = 0;
  engine.recordings.onChange(() => {
    if (count === engine.recordings.count()) return;
    count = engine.recordings.count();
    channel.send({ kind: 'recordings', count });
  });
}

function handleShellMessage(
  engine: Engine,
  shell: ShellChannel,
  given: unknown,
  close: (discard: boolean) => void,
): void {
  const message = messageSchema.safeParse(given);
  if (!message.success) {
    process.stderr.write('flamebench engine: unknown message from the shell\n');
    return;
  }
  switch (message.data.kind) {
    case 'open-files':
      void engine.openFiles(message.data.paths, process.cwd());
      break;
    case 'open-recent':
      void engine.openRecent(message.data.id);
      break;
    case 'new-url':
      shell.send({ kind: 'url', url: engine.newUrl() });
      break;
    case 'close':
      close(message.data.discard);
  }
}

try {
  await runEngine();
} catch (error) {
  const failure = error instanceof EngineFailure ? error : null;
  const message = messageOf(error);
  process.exitCode = 1;
  channel.send({ kind: 'failed', message, remedy: failure?.remedy ?? null });
  channel.close(Promise.resolve());
}
