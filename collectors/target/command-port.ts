import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { discardOutput } from './discard-output.ts';
import type { ForwardedPort, Target } from './target.ts';

/** Listens at a path, in a folder that only this user can enter, and runs the command for each connection. */
export async function serveCommand(run: Target['run'], argv: readonly string[], path: string): Promise<ForwardedPort> {
  const relays = new Map<Socket, Promise<void>>();
  const relay = async (socket: Socket): Promise<void> => {
    const process = await run(argv);
    const end = (): void => process.kill('SIGKILL');
    void discardOutput(process.stderr);
    socket.on('data', (bytes) => void process.write(bytes).catch(() => socket.destroy()));
    // It may have closed while the command started.
    if (socket.destroyed) end();
    else socket.once('close', end);
    // Read to the end, because unread output keeps a connection's channel open.
    for await (const bytes of process.stdout) if (socket.writable) socket.write(bytes);
    socket.end();
    await process.exit;
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const relayed = relay(socket).catch(() => void socket.destroy());
    relays.set(
      socket,
      relayed.finally(() => relays.delete(socket)),
    );
  });
  await once(server.listen(path), 'listening');
  return {
    address: { path },
    async close() {
      server.close();
      for (const socket of relays.keys()) socket.destroy();
      await Promise.all(relays.values());
    },
  };
}
