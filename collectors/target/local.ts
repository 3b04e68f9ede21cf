import { constants } from 'node:fs';
import { access, open, readdir, readlink, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { makeTempFolder, type TempFolder } from '../effects/remove.ts';
import { startProgram, type ChildProcess } from '../effects/start-program.ts';
import { writeAtomically } from '../effects/write.ts';
import { serveCommand } from './command-port.ts';
import { holdFile } from './held-file.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import { MARK } from './leftovers.ts';
import { usesTerminal } from './own-terminal.ts';
import {
  endWith,
  SpawnFailure,
  type FileFacts,
  type ProcessExit,
  type RunningProcess,
  type RunOptions,
  type Target,
} from './target.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Time for a process to end after it was asked to, before it is killed. */
const GRACE_MS = 2000;

/** This machine. */
export function createLocalTarget(): Target {
  const running = new Set<RunningProcess>();
  const directories = new Map<string, TempFolder>();
  const watchdog = createWatchdog();

  async function removeDirectory(path: string): Promise<void> {
    const made = directories.get(path);
    await made?.remove();
    directories.delete(path);
  }

  async function makeDirectory(): Promise<string> {
    const directory = await makeTempFolder('flamebench-');
    directories.set(directory.path, directory);
    watchdog.watchDirectory(directory);
    return directory.path;
  }

  const run: Target['run'] = async (argv, options = {}) => {
    const child = await spawnGroup(argv, options);
    const process = wrapChild(child, watchdog, options);
    running.add(process);
    void process.exit.then(() => running.delete(process));
    endWith(process, options.signal, () => void endProcess(process));
    return process;
  };

  return {
    kind: 'local',
    host: hostname(),
    run,

    async findExecutable(name) {
      const candidates = isAbsolute(name) ? [name] : searchPath().map((directory) => join(directory, name));
      for (const candidate of candidates) {
        if (await isExecutable(candidate)) return candidate;
      }
      return null;
    },

    async readFile(path, maxBytes = MAX_FILE_BYTES) {
      const bytes = await readRange(path, 0, maxBytes + 1);
      if (bytes.length > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
      return bytes;
    },

    readRanges: (ranges) =>
      mapLimited(ranges, ({ path, offset, length }) => readRange(path, offset, length).catch(() => null)),

    readLinks: (paths) => mapLimited(paths, (path) => readlink(path).catch(() => null)),

    listDirectory: (path) => readdir(path),

    async stat(path): Promise<FileFacts | null> {
      const facts = await stat(path).catch(() => null);
      return facts === null ? null : { size: facts.size, uid: facts.uid, modifiedAt: facts.mtimeMs };
    },

    hold: holdFile,

    writeFile: writeAtomically,

    makeTempDir: makeDirectory,
    removeTempDir: removeDirectory,

    forwardPort: (port, host = '127.0.0.1') =>
      Promise.resolve({ address: { host: host.replace(/^\[|\]$/g, ''), port }, close: () => Promise.resolve() }),

    async forwardCommand(argv) {
      const folder = await makeDirectory();
      const served = await serveCommand(run, argv, join(folder, 'port'));
      return { ...served, close: () => served.close().then(() => removeDirectory(folder)) };
    },

    async dispose() {
      await Promise.all([...running].map(endProcess));
      await Promise.all([...directories.keys()].map(removeDirectory));
      watchdog.finish();
    },
  };
}

/** Starts in a process group of its own, except if it shares the terminal; resolves once the program runs. */
function spawnGroup(argv: readonly string[], options: RunOptions): Promise<ChildProcess> {
  const { cwd, env, input = true, sharesStreams = false } = options;
  const [program, ...rest] = argv;
  if (program === undefined || program === '') return Promise.reject(new SpawnFailure('EINVAL', 'no program given'));
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => reject(toSpawnFailure(program, cause));
    try {
      const child = startProgram(program, rest, {
        cwd,
        env: { ...process.env, ...env },
        detached: !staysInGroup(options),
        stdio: sharesStreams ? ['inherit', 'inherit', 'inherit', 'pipe'] : [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      });
      child.once('error', fail);
      child.once('spawn', () => {
        child.off('error', fail);
        child.on('error', () => {});
        resolve(child);
      });
    } catch (cause) {
      fail(cause);
    }
  });
}

function toSpawnFailure(program: string, cause: unknown): SpawnFailure {
  const code = spawnErrorCode(cause);
  const reason = new Map([
    ['ENOENT', 'not found'],
    ['EACCES', 'not executable, or not allowed'],
    ['E2BIG', 'the argument list is too long'],
    ['ERR_INVALID_ARG_VALUE', 'an argument contains a NUL'],
  ]).get(code);
  return new SpawnFailure(code, `can't start ${JSON.stringify(program)}: ${reason ?? code}`);
}

function spawnErrorCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'UNKNOWN';
}

/** Ctrl-C, Ctrl-Z and reads of the terminal reach only its foreground group, which a group of our own can't become. */
const staysInGroup = ({ sharesStreams = false }: RunOptions): boolean => sharesStreams && usesTerminal();

function wrapChild(child: ChildProcess, watchdog: Watchdog, options: RunOptions): RunningProcess {
  const { pid } = child;
  const { sharesStreams = false } = options;
  const [stdin, stdout, stderr] = sharesStreams
    ? [child.stdio[3] as Writable, Readable.from([]), Readable.from([])]
    : [child.stdin, child.stdout, child.stderr];
  if (pid === undefined || stdout === null || stderr === null) throw new SpawnFailure('UNKNOWN', 'no process started');
  // A negative PID is a group. What leaves a shared group is found by its mark.
  const reached = staysInGroup(options) ? pid : -pid;
  const mark = options.env?.[MARK];
  watchdog.watch(reached);
  if (reached === pid && mark !== undefined) watchdog.watchMark(`${MARK}=${mark}`);
  // A process that no longer reads is reported by a rejected write.
  stdin?.on('error', () => {});
  let hasEnded = false;
  /**
   * Until its exit is reported, nothing else has its PID. From then on no process has it as long as the group has
   * members, so a process with that number is another one, and so is its group.
   */
  const isOurs = (): boolean => {
    const isReaped = child.exitCode !== null || child.signalCode !== null;
    if (!hasEnded && isReaped) hasEnded = reached > 0 || exists(pid) || !exists(reached);
    return !hasEnded;
  };
  const exit = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      whenEnded(isOurs, () => watchdog.ended(reached));
      resolve({ code, signal });
    });
  });
  return {
    pid,
    stdout,
    stderr,
    exit,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (stdin === null) reject(new Error('the process has no input'));
        else stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    endInput: () => void stdin?.end(),
    kill(signal) {
      if (isOurs()) send(reached, signal);
    },
  };
}

/** Sends to `reached`: a PID, or a process group if negative. Returns the code of the error, or null. */
function send(reached: number, signal: NodeJS.Signals | 0): string | null {
  try {
    process.kill(reached, signal);
    return null;
  } catch (cause) {
    return spawnErrorCode(cause);
  }
}

const exists = (reached: number): boolean => send(reached, 0) !== 'ESRCH';

/** Waits for the whole group, because children may outlive its leader. Does not keep Flamebench alive. */
function whenEnded(isOurs: () => boolean, action: () => void): void {
  if (!isOurs()) action();
  else setTimeout(() => whenEnded(isOurs, action), 500).unref();
}

async function endProcess(process: RunningProcess): Promise<void> {
  process.kill('SIGTERM');
  const timer = setTimeout(() => process.kill('SIGKILL'), GRACE_MS);
  await process.exit;
  clearTimeout(timer);
  process.kill('SIGKILL');
}

function searchPath(): string[] {
  const own = (process.env.PATH ?? '').split(delimiter).filter((directory) => isAbsolute(directory));
  return [...new Set([...own, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'])];
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Reads up to `length` bytes; files under /proc report size 0 and are read to their end. */
async function readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const chunks: Uint8Array[] = [];
    let done = 0;
    while (done < length) {
      // Most files are small, and memory costs time to clear.
      const chunk = new Uint8Array(Math.min(done === 0 ? 4096 : 64 * 1024, length - done));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, offset + done);
      if (bytesRead === 0) break;
      chunks.push(chunk.subarray(0, bytesRead));
      done += bytesRead;
    }
    return joinBytes(chunks);
  } finally {
    await file.close();
  }
}

/** Maximum number of open files, far below the usual limit of 1024. */
const MAX_OPEN = 64;

async function mapLimited<T, R>(items: readonly T[], action: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += MAX_OPEN) {
    results.push(...(await Promise.all(items.slice(at, at + MAX_OPEN).map(action))));
  }
  return results;
}
