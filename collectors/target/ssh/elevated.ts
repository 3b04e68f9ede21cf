import { readScript } from '../../read-script.ts';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { SpawnFailure } from '../target.ts';
import type { ChannelProgram, ChannelSource } from './channel.ts';
import { ChannelQueue } from './channel-queue.ts';
import { cleanText } from './prompt.ts';
import { runRemote, type RemoteProcess, type RemoteRunOptions } from './remote-process.ts';
import { REMOTE_SHELL } from './remote-script.ts';
import type { SshConnection } from './ssh-connection.ts';

const RELAY = readScript(new URL('./relay.sh', import.meta.url));

/**
 * The shell that sudo runs in a terminal separate from the program's: the same shell as for every channel, connected to
 * the FIFOs, regardless of what happens to the terminal. The second setsid finds that it leads a session, and so leaves
 * the shell behind; in the background of a shell it would ignore SIGINT. Arguments: the directory, and the shell's
 * command.
 */
const START = [
  'trap "" HUP',
  'cd -- "$1" || exit',
  'n=0',
  'until [ -p err ]; do n=$((n + 1)); [ $n -lt 20 ] || exit; sleep 1; done',
  'setsid setsid /bin/sh -c "$2" <in >out 2>err',
].join('; ');

/** Consists only of absolute paths and argvs; `directory` is the one created for it. */
export const sudoArgv = (sudo: string, directory: string): string[] => [
  sudo,
  '--',
  '/bin/sh',
  '-c',
  START,
  'flamebench',
  directory,
  REMOTE_SHELL,
];

/** Starts a program as root. Sudo prompts in the connection's terminal; `sudo` is its path. */
export async function runElevated(
  connection: SshConnection,
  queue: ChannelQueue,
  sudo: string,
  argv: readonly string[],
  options: RemoteRunOptions = {},
): Promise<RemoteProcess> {
  const tempName = `flamebench-${randomBytes(8).toString('hex')}`;
  const relay = await runRemote(connection, queue, ['/bin/sh', '-c', RELAY], { tempName });
  try {
    await relay.write(new TextEncoder().encode(`${relay.tempDir}\n`));
    await queue.open((release) => becomeRoot(connection, sudo, relay.tempDir, options.signal).finally(release));
    const source: ChannelSource = {
      host: connection.host,
      pace: connection.pace,
      get state() {
        return connection.state;
      },
      ensure: () => Promise.resolve(),
      noteHello: (ms) => connection.pace.note(ms),
      spawnChannel: () => new RelayProgram(relay),
    };
    return await runRemote(source, new ChannelQueue(connection.host), argv, options);
  } catch (error) {
    await relay.end();
    throw error;
  }
}

/** Resolves when sudo has started the shell; otherwise rejects with sudo's message. */
async function becomeRoot(
  connection: SshConnection,
  sudo: string,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { pty, attached } = await connection.startTerminalChannel(
    `exec ${sudoArgv(sudo, directory).map(quote).join(' ')}`,
  );
  const hangUp = (): void => pty.kill();
  signal?.addEventListener('abort', hangUp, { once: true });
  if (signal?.aborted === true) hangUp();
  const code = await new Promise<number>((resolve) => pty.onExit(resolve));
  signal?.removeEventListener('abort', hangUp);
  const said = cleanText(
    attached.output.lines.filter((line) => !/^Connection to .* closed\.?$/.test(line)).at(-1) ?? '',
  );
  attached.detach();
  if (code === 0) return;
  throw new ElevationFailure(connection.host, said);
}

class ElevationFailure extends SpawnFailure {
  readonly remedy: string;
  /** `said` is sudo's last line; it ends with a colon if a prompt was not answered. */
  constructor(host: string, said: string) {
    const isOpen = said.endsWith(':');
    const what = isOpen ? `asked and got no answer: ${said.slice(0, -1)}` : 'refused to run the command';
    super('not-elevated', `sudo on ${host} ${what}${isOpen || said === '' ? '' : `: ${said}`}`);
    this.name = 'ElevationFailure';
    this.remedy = isOpen
      ? 'Answer it in the terminal; without one, only sudo without a password works'
      : 'Check with sudo -l there what this user may run, and the password';
  }
}

/** Quotes for every login shell; the quoted text must not contain quotes, backslashes or line ends. */
function quote(word: string): string {
  if (/^[\w./=-]+$/.test(word)) return word;
  if (/['\\!\n]/.test(word))
    throw new SpawnFailure('EINVAL', `the temporary folder’s name can’t be passed on: ${word}`);
  return `'${word}'`;
}

/** A relay with the interface of an ssh client. */
class RelayProgram extends EventEmitter<{ exit: []; error: [] }> implements ChannelProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  exitCode: number | null = null;
  readonly #relay: RemoteProcess;

  constructor(relay: RemoteProcess) {
    super();
    this.#relay = relay;
    const input = new PassThrough();
    input.on('error', () => {});
    void pass(input, relay).catch(() => {});
    this.stdin = input;
    this.stdout = Readable.from(relay.stdout);
    this.stderr = Readable.from(relay.stderr);
    void relay.closed.then(() => {
      this.exitCode = 0;
      this.emit('exit');
    });
  }

  kill(): void {
    void this.#relay.end();
  }
}

async function pass(input: AsyncIterable<Uint8Array>, relay: RemoteProcess): Promise<void> {
  for await (const chunk of input) await relay.write(chunk);
  relay.endInput();
}
