import { endWith, SpawnFailure, type RunningProcess, type RunOptions } from '../target.ts';
import { openChannel, type Channel, type ChannelSource } from './channel.ts';
import type { ChannelQueue } from './channel-queue.ts';
import { RUN_SCRIPT } from './remote-script.ts';
import { RunReports } from './run-reports.ts';

/** Milliseconds between heartbeats; each says how many seconds of silence end the process on the host. */
const BEAT_MS = 2000;
const SILENCE_SECONDS = 8;
/** On this machine, if it is too busy to send heartbeats in time. */
const MAX_SILENCE_SECONDS = 30;
/** All unread frames together fit into a pipe (64 KiB), so that a program that does not read can't delay heartbeats. */
const FRAME_BYTES = 14 * 1024;
const MAX_UNREAD_FRAMES = 3;
/** Milliseconds for a process to end after it was asked to, before it is killed. */
const GRACE_MS = 2000;

export interface RemoteRunOptions extends RunOptions {
  /**
   * Name of a directory with mode 0700 to create in the host's temporary folder. It is removed when the process and its
   * children have ended.
   */
  readonly tempName?: string;
}

export interface RemoteProcess extends RunningProcess {
  /** Path of the directory requested by `tempName`; otherwise empty. */
  readonly tempDir: string;
  /** Resolves when nothing of the process is left on the host, or the connection is lost. */
  readonly closed: Promise<void>;
  /** Ends the process and its children, by force after 2 s; resolves when they and the temporary directory are gone. */
  end(): Promise<void>;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The longest delay of a heartbeat by this process, in ms: it had to wait for a CPU, and may have to again. */
let longestDelayMs = 0;

function sendBeats(channel: Pick<Channel, 'write'>): NodeJS.Timeout {
  let due = performance.now();
  const beat = (): void => {
    longestDelayMs = Math.max(longestDelayMs, performance.now() - due);
    due = performance.now() + BEAT_MS;
    const seconds = Math.min(MAX_SILENCE_SECONDS, SILENCE_SECONDS + Math.floor((3 * longestDelayMs) / 1000));
    channel.write(encode(`. ${seconds}\n`)).catch(() => {});
  };
  beat();
  return setInterval(beat, BEAT_MS);
}

/**
 * Starts a program on the host, in a process group of its own that ends when Flamebench does (see {@link RUN_SCRIPT}).
 */
export async function runRemote(
  connection: ChannelSource,
  queue: ChannelQueue,
  argv: readonly string[],
  options: RemoteRunOptions = {},
): Promise<RemoteProcess> {
  const { cwd = '', input = true, tempName = '', signal } = options;
  const words = checkWords(argv, options);
  const reports = new RunReports(connection.host, argv[0] ?? '');
  const lines = [cwd, tempName, input ? '1' : '0', ...words.map((word) => `+${word}`), '.'];
  const channel = await openChannel(connection, queue, RUN_SCRIPT, lines, (line) => reports.take(line));
  const beat = sendBeats(channel);
  void channel.closed.then(() => {
    clearInterval(beat);
    reports.closed();
  });
  const pid = await reports.pid;
  if (tempName !== '' && !reports.tempDir.endsWith(`/${tempName}`)) {
    channel.close();
    throw new SpawnFailure('UNKNOWN', `${connection.host} names no temporary folder ${tempName}`);
  }

  let lastWrite = Promise.resolve();
  async function writeFrames(bytes: Uint8Array): Promise<void> {
    if (!input) throw new Error('the process has no input');
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
      const frame = bytes.subarray(at, at + FRAME_BYTES);
      await reports.room(MAX_UNREAD_FRAMES);
      await channel.write(Buffer.concat([encode(`d ${frame.length}\n`), frame]));
    }
  }
  const tell = (line: string): void => void channel.write(encode(`${line}\n`)).catch(() => {});
  const process: RemoteProcess = {
    pid,
    tempDir: reports.tempDir,
    stdout: channel.stdout,
    stderr: channel.stderr,
    exit: reports.exit,
    closed: channel.closed,
    write(bytes) {
      const written = lastWrite.then(() => writeFrames(bytes));
      lastWrite = written.catch(() => {});
      return written;
    },
    endInput: () => void lastWrite.then(() => tell('e')),
    kill: (name) => tell(`s ${name.slice('SIG'.length)}`),
    async end() {
      process.kill('SIGTERM');
      const hurry = setTimeout(() => channel.endInput(), GRACE_MS);
      await process.exit;
      clearTimeout(hurry);
      channel.endInput();
      // Unread output would keep the channel open.
      const hangUp = setTimeout(() => channel.close(), GRACE_MS);
      await channel.closed;
      clearTimeout(hangUp);
    },
  };
  endWith(process, signal, () => void process.end());
  return process;
}

/** Returns the environment, `--` and the argv. Throws a {@link SpawnFailure} if they can't be passed. */
function checkWords(argv: readonly string[], { env = {}, cwd = '' }: RunOptions): string[] {
  const [program] = argv;
  if (program === undefined || program === '') throw new SpawnFailure('EINVAL', 'no program given');
  const words = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), '--', ...argv];
  const fail = (what: string): never => {
    throw new SpawnFailure('ERR_INVALID_ARG_VALUE', `can't start ${JSON.stringify(program)}: ${what}`);
  };
  if ([cwd, ...words].some((word) => word.includes('\0'))) fail('an argument contains a NUL');
  if (Object.keys(env).some((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)))
    fail('an environment variable has a name that shells don’t accept');
  return words;
}
