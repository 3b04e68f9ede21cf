import { randomBytes } from 'node:crypto';
import type { SshDestination } from '#core/contract/target-id.ts';
import { identify, removeMade } from '../../effects/remove.ts';
import { serveCommand } from '../command-port.ts';
import type { ConnectedTarget } from '../connection.ts';
import { SpawnFailure, type ForwardedPort } from '../target.ts';
import { ChannelQueue } from './channel-queue.ts';
import { runElevated, sudoArgv } from './elevated.ts';
import { RemoteFiles } from './remote-files.ts';
import { runRemote, type RemoteProcess, type RemoteRunOptions } from './remote-process.ts';
import { createSshConnection, type SshConnection } from './ssh-connection.ts';

export interface SshTargetOptions {
  /** The ssh client; default: `ssh` on the search path. */
  readonly sshProgram?: string;
  /** Replaces the user's and the system's configuration. */
  readonly configFile?: string;
  /** Directory for the connection's sockets, which must not exist yet. */
  readonly directory?: string;
}

/** A host that the user's own OpenSSH client reaches. */
export interface SshTarget extends ConnectedTarget {
  readonly kind: 'ssh';
  readonly connection: SshConnection;
  run(argv: readonly string[], options?: RemoteRunOptions): Promise<RemoteProcess>;
}

/** Excludes everything that ssh would read as an option or as another part of the forwarding. */
const FORWARDED_HOST = /^(?:[A-Za-z0-9_][\w.-]*|\[[0-9A-Fa-f:.]+\])$/;

/**
 * Connects only on first use. Throws a TargetIdFailure if the destination contains characters that names can't have.
 */
export function createSshTarget(destination: SshDestination, options: SshTargetOptions = {}): SshTarget {
  const { sshProgram = 'ssh', configFile = null, directory } = options;
  const connection = createSshConnection(destination, { program: sshProgram, configFile, directory });
  const slowness = (): number => connection.pace.slowness;
  const queue: ChannelQueue = new ChannelQueue(connection.host, connection.pace, {
    full: () => files.endIdle(),
    alone: () =>
      connection.remark(
        'it accepts only one session at once, too few to record',
        'Raise MaxSessions in its sshd_config',
      ),
  });
  const files = new RemoteFiles(connection, queue);
  const running = new Set<RemoteProcess>();
  const holders = new Map<string, RemoteProcess>();
  let ports = 0;

  function keep(process: RemoteProcess): RemoteProcess {
    running.add(process);
    void process.closed.then(() => running.delete(process));
    return process;
  }
  const run = async (argv: readonly string[], runOptions?: RemoteRunOptions): Promise<RemoteProcess> =>
    keep(await runRemote(connection, queue, argv, runOptions));

  return {
    kind: 'ssh',
    host: connection.host,
    connection,
    run,
    slowness,
    root: {
      async sudoArgv() {
        const sudo = await files.findExecutable('sudo');
        return sudo === null ? null : sudoArgv(sudo, '/tmp/flamebench-…');
      },
      async run(argv, runOptions) {
        const sudo = await files.findExecutable('sudo');
        if (sudo === null) throw new SpawnFailure('ENOENT', `there is no sudo on ${connection.host}`);
        return keep(await runElevated(connection, queue, sudo, argv, runOptions));
      },
    },
    findExecutable: (name) => files.findExecutable(name),
    readFile: (path, maxBytes) => files.readFile(path, maxBytes),
    readRanges: (ranges) => files.readRanges(ranges),
    readLinks: (paths) => files.readLinks(paths),
    listDirectory: (path) => files.listDirectory(path),
    stat: (path) => files.stat(path),
    writeFile: (path, bytes, mode) => files.writeFile(path, bytes, mode),

    /** A process on the host holds the directory, so that it is removed when the link breaks. */
    async makeTempDir() {
      const holder: RemoteRunOptions = { input: false, tempName: `flamebench-${randomBytes(8).toString('hex')}` };
      const process = await run(['sh', '-c', 'while sleep 3600; do :; done'], holder);
      holders.set(process.tempDir, process);
      return process.tempDir;
    },
    async removeTempDir(path) {
      await holders.get(path)?.end();
      holders.delete(path);
    },

    async forwardPort(port, host = '127.0.0.1'): Promise<ForwardedPort> {
      if (!FORWARDED_HOST.test(host)) throw new RangeError(`not a host: ${JSON.stringify(host)}`);
      await connection.ensure();
      ports += 1;
      const path = connection.socketPath(`p${ports}`);
      const forwarding = `${path}:${host}:${port}`;
      await connection.control('forward', forwarding);
      const made = await identify(path);
      return {
        address: { path },
        async close() {
          await connection.control('cancel', forwarding).catch(() => {});
          if (made !== null) await removeMade(path, made);
        },
      };
    },

    async forwardCommand(argv) {
      await connection.ensure();
      ports += 1;
      return serveCommand(run, argv, connection.socketPath(`p${ports}`));
    },

    async dispose() {
      await Promise.all([...running].map((process) => process.end()));
      await connection.dispose();
    },
  };
}
