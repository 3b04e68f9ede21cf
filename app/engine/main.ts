import { createInterface } from 'node:readline';
import { z } from 'zod';
import { EngineFailure } from './failure.ts';
import { startEngine, type Engine } from './server.ts';

/**
 * The engine as a child process of a desktop shell: `main.ts [FILE | capture id]…`. Both sides write one JSON message a line.
 *
 * On its stdout:
 * - `{"kind": "ready", "url", "origin"}` once, when it serves. The URL's token works once, within 60 s.
 * - `{"kind": "failed", "message", "remedy"}` instead, where it can't; the process then ends with code 1.
 * - `{"kind": "url", "url"}` in answer to `new-url`.
 * - `{"kind": "recent", "files": [{"id", "fileName", "folderName", "openedAt"}]}` at the start and after each change of the recent files.
 *
 * On its stdin:
 * - `{"kind": "open-files", "paths": [absolute path | capture id…]}`: opens them in the newest window.
 * - `{"kind": "open-recent", "id"}`: opens one of the recent files there.
 * - `{"kind": "new-url"}`: asks for an address for a further window, or for the same one loaded anew.
 * - `{"kind": "close"}` or the end of the stream (the shell has gone): recordings end and are kept, then the process ends with code 0.
 *
 * What goes wrong inside is told on stderr. The library is `$FLAMEBENCH_LIBRARY` or the default one; `$FLAMEBENCH_RENDERER` names
 * another build of the page.
 */
const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open-files'), paths: z.array(z.string()) }),
  z.object({ kind: z.literal('open-recent'), id: z.string() }),
  z.object({ kind: z.literal('new-url') }),
  z.object({ kind: z.literal('close') }),
]);

function send(message: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function runEngine(): Promise<void> {
  // The shell may be gone already when the last lines are written.
  process.stdout.on('error', () => undefined);
  const engine = await startEngine({ open: process.argv.slice(2), resolvesName: true });
  const close = (): void => {
    input.close();
    process.stdin.destroy();
    void engine.close();
  };
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    obey(engine, line, close);
  });
  input.once('close', close);
  // Ctrl-C in the terminal that the shell was started from reaches the shell, too, which then ends the stream.
  process.on('SIGINT', () => undefined);
  process.once('SIGTERM', close);
  send({ kind: 'ready', url: engine.newUrl(), origin: engine.origin });
  const sendRecent = (): void => send({ kind: 'recent', files: engine.recent.list() });
  engine.recent.onChange(sendRecent);
  sendRecent();
}

function obey(engine: Engine, line: string, close: () => void): void {
  const message = messageSchema.safeParse(parseJson(line));
  if (!message.success) {
    process.stderr.write('flamebench engine: a message of the shell is not understood\n');
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
      send({ kind: 'url', url: engine.newUrl() });
      break;
    case 'close':
      close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

try {
  await runEngine();
} catch (error) {
  const failure = error instanceof EngineFailure ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  send({ kind: 'failed', message, remedy: failure?.remedy ?? null });
  process.exitCode = 1;
}
