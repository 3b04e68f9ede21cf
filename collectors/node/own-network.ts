import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { discardOutput } from '../target/discard-output.ts';
import { runToEnd } from '../target/run-to-end.ts';
import type { ForwardedPort, RunningProcess, Target } from '../target/target.ts';

/** Connects its input and output to a port. Only bash, which almost every Linux has, connects by itself. */
const RELAY = 'exec 3<>"/dev/tcp/$1/$2" && exec 4<&0 && { cat <&4 >&3 & cat <&3; kill "$!"; }';

/** Returns the command that connects to a port of the network of a process, without any program of its container. */
export const relayArgv = (pid: number, port: number, host = '127.0.0.1'): string[] => [
  ...bashIn(pid, RELAY),
  'flamebench',
  host.replace(/^\[|\]$/g, ''),
  String(port),
];

const bashIn = (pid: number, script: string): string[] => [
  'nsenter',
  '--target',
  String(pid),
  '--net',
  'bash',
  '-c',
  script,
];

/** Throws a {@link RefusedRecording} unless commands may run in the network of a process. */
export async function checkOwnNetwork(target: Target, pid: number): Promise<void> {
  const refuse = (why: string, remedy: string): never => {
    throw new RefusedRecording(
      'other-network',
      `process ${pid} has its own network, as containers do, in which its inspector would listen: ${why}`,
      remedy,
    );
  };
  if (target.kind !== 'local')
    return refuse('it is reached only on its own machine', 'run flamebench there as root, or record it with perf');
  const remedy = 'record as root with nsenter and bash, or with perf, or run flamebench in the container';
  const entered = await runToEnd(target, bashIn(pid, ':'), { env: { LC_ALL: 'C' } }).catch(() => null);
  if (entered === null) return refuse('nsenter is not installed', remedy);
  const [line = ''] = entered.stderr.trim().split('\n');
  if (entered.exit.code !== 0) refuse(escapeControls(line).slice(0, 200), remedy);
}

/** Returns the same target, whose {@link Target.forwardPort} reaches the ports of the network of a process. */
export const inNetworkOf = (target: Target, pid: number): Target => ({
  ...target,
  forwardPort: (port, host) => forwardPort(target, relayArgv(pid, port, host)),
});

/** Runs the command for each connection to a socket in a private folder. */
async function forwardPort(target: Target, argv: readonly string[]): Promise<ForwardedPort> {
  const folder = await target.makeTempDir();
  const running = new Set<RunningProcess>();
  const relay = async (socket: Socket): Promise<void> => {
    const process = await target.run(argv);
    running.add(process);
    void discardOutput(process.stderr);
    socket.once('close', () => process.kill('SIGKILL'));
    socket.on('data', (bytes) => void process.write(bytes).catch(() => socket.destroy()));
    await pipeline(Readable.from(process.stdout), socket);
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    relay(socket).catch(() => socket.destroy());
  });
  const path = join(folder, 'port');
  await once(server.listen(path), 'listening');
  return {
    address: { path },
    async close() {
      server.close();
      for (const process of running) process.kill('SIGKILL');
      await Promise.all([...running].map(({ exit }) => exit));
      await target.removeTempDir(folder);
    },
  };
}
