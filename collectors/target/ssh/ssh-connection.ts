import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { makeTempFolderAt, type TempFolder } from '../../effects/remove.ts';
import { formatTargetId, type SshDestination } from '#core/contract/target-id.ts';
import { messageOf } from '#core/model/failure.ts';
import { ConnectionFailure, type ConnectionState, type TargetConnection } from '../connection.ts';
import { ChannelPool } from './channel-pool.ts';
import { explainFailure, type SshExplanation } from './explain-ssh.ts';
import { HandshakeQueue } from './handshake-queue.ts';
import { startPty, type Pty } from './pty.ts';
import { Pace, SLOW_LOGIN_MS } from './pace.ts';
import { resolveRoute } from './route.ts';
import { SharedTerminal, type AttachedPty } from './shared-terminal.ts';
import { REMOTE_COMMAND } from './remote-script.ts';
import { channelArgv, controlArgv, masterArgv, type SshClient } from './ssh-argv.ts';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { startProgram, type ChildProcessWithoutNullStreams } from '../../effects/start-program.ts';
import { createWatchdog } from '../watchdog.ts';

/**
 * Maximum milliseconds without output, a prompt or the control socket. ssh's own limit for a host that does not answer
 * is over 2 min.
 */
const SILENT_MS = 45_000;
const POLL_MS = 50;
/** Milliseconds for the master to end on its own. */
const EXIT_MS = 2000;

const handshakes = new HandshakeQueue();

/** A connection, with the methods that the target needs. */
export interface SshConnection extends TargetConnection {
  /** Closes it for good: whatever still asks the host for something does not connect again. Idempotent. */
  dispose(): Promise<void>;
  readonly host: string;
  readonly pace: Pace;
  /**
   * Connects in the states idle and lost; if the last attempt failed, rejects with its message until {@link connect} is
   * called.
   */
  ensure(): Promise<void>;
  /**
   * Returns an ssh client on a channel that runs {@link REMOTE_COMMAND}; only while up. If the login shell is slow, the
   * channel was opened ahead where the server allows it: it waits for its script, whatever that will be.
   */
  spawnChannel(): ChildProcessWithoutNullStreams;
  /** Runs a command on a channel in a terminal, whose prompts appear in {@link terminal}. */
  startTerminalChannel(command: string): Promise<{ pty: Pty; attached: AttachedPty }>;
  /** Notes the milliseconds from requesting a channel to the script's hello. */
  noteHello(ms: number): void;
  /** While up, adds to the state what hampers all work on the host, once for each message. */
  remark(message: string, remedy: string): void;
  /** Rejects with ssh's message. */
  control(request: 'forward' | 'cancel', forwarding: string): Promise<void>;
  /** Returns a path for a socket in the connection's directory, which has mode 0700. */
  socketPath(name: string): string;
}

interface SshConnectionOptions extends SshClient {
  /** Directory for its sockets, which must not exist yet. Default: see {@link newRuntimePath}. */
  readonly directory?: string | undefined;
}

export function createSshConnection(destination: SshDestination, options: SshConnectionOptions): SshConnection {
  return new MasterConnection(destination, options);
}

class MasterConnection implements SshConnection {
  readonly host: string;
  readonly argv: readonly string[];
  readonly terminal: SharedTerminal;
  readonly pace = new Pace();
  readonly #destination: SshDestination;
  readonly #client: SshClient;
  readonly #directory: string;
  readonly #listeners = new Set<(state: ConnectionState) => void>();
  /** The state, disregarding a waiting prompt. */
  #base: ConnectionState = IDLE;
  /** Remedies of what has been remarked. */
  readonly #remarked = new Set<string>();
  #state: ConnectionState = IDLE;
  #attempt: Promise<void> | null = null;
  #master: { pty: Pty; attached: AttachedPty; ended: Promise<void> } | null = null;
  /** Message of the last master when it ended. */
  #ending: SshExplanation = { message: '', remedy: null };
  #closing = new AbortController();
  #isDisposed = false;
  #made: TempFolder | null = null;
  readonly #channels = new ChannelPool(
    () => start(channelArgv(this.#client, this.#destination, this.#socket, REMOTE_COMMAND)),
    this.pace,
  );

  constructor(destination: SshDestination, options: SshConnectionOptions) {
    this.host = formatTargetId({ kind: 'ssh', ...destination }).slice('ssh://'.length);
    this.#destination = destination;
    this.#client = options;
    this.#directory = options.directory ?? newRuntimePath();
    this.argv = masterArgv(options, destination, this.#socket);
    this.terminal = new SharedTerminal(() => this.#refresh());
  }

  get #socket(): string {
    return this.socketPath('m');
  }

  socketPath(name: string): string {
    return `${this.#directory}/${name}`;
  }

  /** Idle while closing: interruptions then are not the host's fault. */
  get state(): ConnectionState {
    return this.#isClosing ? IDLE : this.#state;
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  connect(): Promise<void> {
    if (this.#isDisposed)
      return Promise.reject(new ConnectionFailure(`the connection to ${this.host} was closed`, null));
    if (this.#base.kind === 'up') return Promise.resolve();
    this.#attempt ??= this.#open().finally(() => (this.#attempt = null));
    return this.#attempt;
  }

  ensure(): Promise<void> {
    const { kind, message, remedy } = this.#base;
    return kind === 'failed'
      ? Promise.reject(new ConnectionFailure(message ?? 'not connected', remedy))
      : this.connect();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#end();
    await this.#attempt?.catch(() => {});
    this.#closing = new AbortController();
    this.#set(IDLE);
  }

  dispose(): Promise<void> {
    this.#isDisposed = true;
    return this.close();
  }

  spawnChannel(): ChildProcessWithoutNullStreams {
    return this.#channels.take();
  }

  noteHello(ms: number): void {
    this.pace.note(ms);
    if (this.pace.slowestMs < SLOW_LOGIN_MS) return;
    const seconds = Math.round(this.pace.slowestMs / 1000);
    this.remark(
      `its login shell takes ${seconds} s to start a command`,
      'Shorten what its start-up files (~/.bashrc) do without a terminal',
    );
  }

  remark(message: string, remedy: string): void {
    if (this.#base.kind !== 'up' || this.#remarked.has(remedy)) return;
    this.#remarked.add(remedy);
    const join = (before: string | null, more: string): string => (before === null ? more : `${before}; ${more}`);
    this.#set({ kind: 'up', message: join(this.#base.message, message), remedy: join(this.#base.remedy, remedy) });
  }

  async startTerminalChannel(command: string): Promise<{ pty: Pty; attached: AttachedPty }> {
    // Its session may be the last one that the server accepts.
    await this.#channels.closeUnused();
    const argv = channelArgv(this.#client, this.#destination, this.#socket, command, 'own');
    const pty = await startPty(argv, this.terminal.size);
    return { pty, attached: this.terminal.attach(pty) };
  }

  async control(request: 'check' | 'exit' | 'forward' | 'cancel', forwarding?: string): Promise<void> {
    const child = start(controlArgv(this.#client, this.#destination, this.#socket, request, forwarding));
    child.stdin.end();
    child.stdout.resume();
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, 1000)));
    const code = await new Promise<number | null>((resolve) =>
      child.once('close', resolve).once('error', () => resolve(null)),
    );
    if (code !== 0) {
      const { message, remedy } = explainFailure(this.host, said.trim().split('\n'), code);
      throw new ConnectionFailure(message, remedy);
    }
  }

  async #open(): Promise<void> {
    this.#set({ kind: 'connecting', message: null, remedy: null });
    try {
      await this.#removeDirectory();
      this.#made = await makePrivateDirectory(this.#directory);
      const { server, connectTimeout } = await resolveRoute(this.#client, this.#destination);
      this.pace.configure(connectTimeout);
      await this.#handshake(server);
      this.#set({ kind: 'up', message: null, remedy: null });
    } catch (error) {
      const { message, remedy } =
        error instanceof ConnectionFailure ? error : new ConnectionFailure(`${this.host}: ${String(error)}`, null);
      await this.#end();
      if (!this.#isClosing) this.#set({ kind: 'failed', message, remedy });
      throw new ConnectionFailure(message, remedy);
    }
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async #handshake(server: string): Promise<void> {
    const release = await handshakes.turn(server, this.#closing.signal);
    const stop = this.onState(({ kind }) => kind === 'needs-you' && release());
    try {
      await this.#startMaster();
      await this.#untilUp();
    } finally {
      stop();
      release();
    }
  }

  async #startMaster(): Promise<void> {
    const pty = await startPty(this.argv, this.terminal.size);
    const attached = this.terminal.attach(pty);
    const ended = new Promise<void>((resolve) =>
      pty.onExit((code) => {
        this.#masterEnded(code, attached);
        resolve();
      }),
    );
    this.#master = { pty, attached, ended };
  }

  #masterEnded(code: number, attached: AttachedPty): void {
    const wasUp = this.#base.kind === 'up';
    this.#channels.reset();
    this.#remarked.clear();
    this.#ending = explainFailure(this.host, attached.output.lines, code);
    this.#master = null;
    attached.detach();
    if (!wasUp || this.#isClosing) return;
    this.#set({
      kind: 'lost',
      message: `the connection to ${this.host} was lost`,
      remedy: 'Processes left there exit by themselves. Connect again when the network is back',
    });
  }

  /** Waits for the socket, which appears once the host has accepted the login. */
  async #untilUp(): Promise<void> {
    let quietSince = performance.now();
    const limit = Math.max(SILENT_MS, this.pace.helloMs);
    const stop = this.terminal.onOutput(() => (quietSince = performance.now()));
    try {
      while (this.#master !== null && !this.#isClosing && !existsSync(this.#socket)) {
        if (this.terminal.prompt !== null) quietSince = performance.now();
        if (performance.now() - quietSince > limit) {
          throw new ConnectionFailure(
            `${this.host} did not answer within ${Math.round(limit / 1000)} s`,
            'Check the network, VPN or firewall, and that its name is right',
          );
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } finally {
      stop();
    }
    this.#checkMaster();
    await this.control('check');
    this.#checkMaster();
  }

  #checkMaster(): void {
    if (this.#isClosing)
      throw new ConnectionFailure(`the connection to ${this.host} was closed while connecting`, null);
    if (this.#master === null) throw new ConnectionFailure(this.#ending.message, this.#ending.remedy);
  }

  async #end(): Promise<void> {
    const master = this.#master;
    if (master !== null) {
      const timer = setTimeout(() => master.pty.kill(), EXIT_MS);
      if (existsSync(this.#socket)) await this.control('exit').catch(() => {});
      if (this.#base.kind !== 'up') master.pty.kill();
      await master.ended;
      clearTimeout(timer);
    }
    await this.#removeDirectory();
  }

  async #removeDirectory(): Promise<void> {
    // A close during an attempt comes here while the attempt does.
    const made = this.#made;
    this.#made = null;
    await made?.remove();
  }

  #set(state: ConnectionState): void {
    this.#base = state;
    this.#refresh();
  }

  /** A waiting prompt determines the state, whatever it interrupts. */
  #refresh(): void {
    const question = this.terminal.prompt;
    const state: ConnectionState =
      question === null ? this.#base : { kind: 'needs-you', message: question, remedy: null };
    if (state.kind === this.#state.kind && state.message === this.#state.message) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}

const IDLE: ConnectionState = { kind: 'idle', message: null, remedy: null };

/** Starts ssh in a process group of its own, so that Ctrl-C in a terminal does not end it directly. */
function start(argv: readonly string[]): ChildProcessWithoutNullStreams {
  const [program = '', ...rest] = argv;
  const child = startProgram(program, rest, { detached: true, stdio: 'pipe' });
  // Failures are seen as an exit without the expected output.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  return child;
}

/** Maximum bytes of a socket's path: `sun_path` holds 104 on macOS, and ssh first binds a name that is 17 longer. */
const MAX_PATH_BYTES = 86;
/** `/m` of the control socket; forwarded ports have up to six characters. */
const LONGEST_NAME = 7;

/**
 * Returns the future location of a connection's sockets: a new name in XDG_RUNTIME_DIR or the temporary folder, or in
 * /tmp if those are too long. The name is determined before the directory exists, because it is part of the command
 * that users confirm.
 */
function newRuntimePath(): string {
  const name = `flamebench-${randomBytes(5).toString('hex')}`;
  const places = [process.env.XDG_RUNTIME_DIR ?? '', tmpdir()].filter(isAbsolute).map((place) => join(place, name));
  return places.find((path) => Buffer.byteLength(path) + LONGEST_NAME <= MAX_PATH_BYTES) ?? join('/tmp', name);
}

// One watchdog for all connections; it removes their directories when Flamebench is gone, even by kill -9.
const watchdog = createWatchdog();

/** Rejects if something exists there already, or the directory can't be created. */
async function makePrivateDirectory(path: string): Promise<TempFolder> {
  try {
    const made = await makeTempFolderAt(path);
    watchdog.watchDirectory(made);
    if (((await lstat(path)).mode & 0o777) !== 0o700) throw new Error('other users can open it');
    return made;
  } catch (error) {
    const reason = messageOf(error);
    throw new ConnectionFailure(
      `could not create a private folder for ssh: ${reason}`,
      'Check that TMPDIR is writable',
    );
  }
}
