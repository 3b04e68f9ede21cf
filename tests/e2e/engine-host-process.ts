import { startEngine, type Engine } from '#app/engine/server.ts';
import type { HostAnswer, HostRequest } from './engine-host.ts';

/** The process behind `EngineHost`: starts and closes engines as its parent asks. */
const engines = new Map<number, Engine>();

/**
 * The engines of a worker have the same address one after another, so that its browser keeps the page's scripts
 * compiled. The port is that of the first; a test of two engines at a time starts the second in another process.
 */
const NAME_LETTERS = 'endtoendtestpage';
let port = 0;

async function obey({ id, start }: HostRequest): Promise<string | null> {
  if (start === null) {
    await engines.get(id)?.close();
    engines.delete(id);
    return null;
  }
  const engine = await startEngine({ ...start, port, nameLetters: NAME_LETTERS });
  port = Number(new URL(engine.origin).port);
  engines.set(id, engine);
  return engine.newUrl();
}

const send = (answer: HostAnswer): boolean | undefined => process.send?.(answer);

process.on('message', (request: HostRequest) => {
  obey(request).then(
    (url) => send({ id: request.id, url, failure: null }),
    (error: unknown) => send({ id: request.id, url: null, failure: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
