import { randomBytes } from 'node:crypto';
import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream';
import { ConnectionFailure } from '../connection.ts';
import { SessionRefused, type ChannelQueue } from './channel-queue.ts';
import { MarkedLines, MarkedStart } from './marked-output.ts';
import { cleanText } from './prompt.ts';
import { encodeLine } from './remote-script.ts';
import type { SshConnection } from './ssh-connection.ts';

/** Maximum unread bytes of stderr; beyond it the channel waits. */
const MAX_STDERR_BYTES = 1024 * 1024;
/** Maximum bytes of other output that are quoted if the script does not start. */
const MAX_QUOTED = 4096;

/** The near end of a channel: an ssh client. */
export interface ChannelProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exitCode: number | null;
  once(event: 'exit' | 'error', listener: () => void): unknown;
  kill(): unknown;
}

/** Opens channels: a connection, or a process that sudo started over one. */
export interface ChannelSource extends Pick<SshConnection, 'host' | 'state' | 'pace' | 'ensure' | 'noteHello'> {
  spawnChannel(): ChannelProgram;
}

/** A fixed script that runs on the host and communicates over a channel. */
export interface Channel {
  /** Prefix of every line of the script. */
  readonly mark: string;
  /** Standard output, without what the login shell prints before the script starts. */
  readonly stdout: AsyncIterable<Uint8Array>;
  /** Without marked lines. */
  readonly stderr: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /**
   * Resolves when the script and everything that holds its outputs has ended, or the connection has; after the last
   * marked line.
   */
  readonly closed: Promise<void>;
  /** Closes the channel immediately. */
  close(): void;
}

/**
 * Starts `script`, whose first two lines are the halves of the mark, followed by `lines`. Resolves once it has said
 * `hello`; `onLine` receives the marked lines that follow. Rejects with a {@link ConnectionFailure}.
 */
export async function openChannel(
  connection: ChannelSource,
  queue: ChannelQueue,
  script: string,
  lines: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<Channel> {
  const halves = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')];
  const mark = halves.join('');
  const request = [script, ...halves, ...lines].map(encodeLine).join('');
  await connection.ensure();
  return queue.open(async (release) => {
    const child = connection.spawnChannel();
    const closed = whenClosed(child);
    void closed.then(release);
    // Node drops output that nobody has started to read when a child exits.
    const stdout = new PassThrough();
    pipeline(child.stdout, stdout, () => {});
    child.stdin.write(request);
    const stderr = await untilHello(child, stdout, mark, connection, onLine);
    return {
      mark,
      stdout: afterMark(stdout, new MarkedStart(mark)),
      stderr,
      closed,
      write: (bytes) =>
        new Promise((resolve, reject) => {
          child.stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
        }),
      endInput: () => void child.stdin.end(),
      close: () => void child.kill(),
    };
  });
}

/** Resolves after the end of stderr, even if nobody reads it. */
async function whenClosed(child: ChannelProgram): Promise<void> {
  const heard = new Promise<void>((resolve) => child.stderr.once('close', resolve));
  await new Promise<void>((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  child.stderr.resume();
  await heard;
}

async function* afterMark(stdout: Readable, start: MarkedStart): AsyncGenerator<Uint8Array> {
  for await (const chunk of stdout) {
    const rest = start.feed(chunk as Buffer);
    if (rest.length > 0) yield rest;
  }
}

/** Resolves with stderr from the script's first word on. */
function untilHello(
  child: ChannelProgram,
  stdout: Readable,
  mark: string,
  connection: ChannelSource,
  onLine: (line: string) => void,
): Promise<PassThrough> {
  return new Promise((resolve, reject) => {
    const stderr = new PassThrough({ highWaterMark: MAX_STDERR_BYTES });
    const before: Buffer[] = [];
    let hasBegun = false;
    let isLate = false;
    const opened = performance.now();
    const limit = connection.pace.helloMs;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill();
    }, limit);
    const onMarked = (line: string): void => {
      if (hasBegun) return onLine(line);
      hasBegun = true;
      clearTimeout(timer);
      connection.noteHello(performance.now() - opened);
      resolve(stderr);
    };
    const onText = (bytes: Buffer): void => {
      if (!hasBegun) before.push(bytes.subarray(0, MAX_QUOTED));
      else if (!stderr.write(bytes) && child.exitCode === null) {
        child.stderr.pause();
        stderr.once('drain', () => child.stderr.resume());
      }
    };
    const marked = new MarkedLines(mark, onMarked, onText);
    child.stderr.on('data', (chunk: Buffer) => marked.feed(chunk));
    child.stderr.once('close', () => {
      clearTimeout(timer);
      marked.end();
      stderr.end();
      if (!hasBegun) void explainSilence(stdout, before, isLate ? limit : null, connection).then(reject, reject);
    });
  });
}

/** Explains why a channel ended before the script said anything; `lateMs`: after this time, it was ended. */
async function explainSilence(
  stdout: Readable,
  before: readonly Buffer[],
  lateMs: number | null,
  connection: ChannelSource,
): Promise<Error> {
  const said = Buffer.concat(before).toString('utf8');
  if (/session request failed|open refused by peer|open failed/i.test(said)) return new SessionRefused();
  const isConnected = ['up', 'needs-you'].includes(connection.state.kind);
  if (!isConnected || /control socket|mux_client|port 65535/i.test(said)) {
    return new ConnectionFailure(`the connection to ${connection.host} was lost`, 'Connect again');
  }
  const printed = cleanText(`${await firstBytes(stdout)} ${said}`);
  return new ConnectionFailure(
    lateMs !== null
      ? `${connection.host} did not start a command within ${Math.round(lateMs / 1000)} s`
      : `${connection.host} runs something other than the requested command${printed === '' ? '' : `: ${printed}`}`,
    lateMs !== null
      ? 'Its login shell must start /bin/sh without reading its input; for a slow host, set ConnectTimeout in ~/.ssh/config'
      : 'Its login shell must start /bin/sh without reading its input, and the server must not set a ForceCommand',
  );
}

async function firstBytes(stdout: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stdout) {
    text += (chunk as Buffer).toString('utf8');
    if (text.length > MAX_QUOTED) break;
  }
  return text.slice(0, MAX_QUOTED);
}
