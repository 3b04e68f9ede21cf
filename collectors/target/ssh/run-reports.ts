import { ConnectionFailure } from '../connection.ts';
import { SpawnFailure, type ProcessExit } from '../target.ts';
import { normalTargetPath, parseCount, parsePid } from '../target-words.ts';
import { cleanText } from './prompt.ts';

/**
 * Shells report that a signal ended a program as 128 + number. A program that exits with such a number looks the same.
 */
const SIGNALS = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [5, 'SIGTRAP'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [10, 'SIGUSR1'],
  [11, 'SIGSEGV'],
  [12, 'SIGUSR2'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [15, 'SIGTERM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
]);

/** The reports about a program from the keeper of {@link RUN_SCRIPT}. */
export class RunReports {
  readonly pid: Promise<number>;
  /** Both null: the connection was lost first. */
  readonly exit: Promise<ProcessExit>;
  tempDir = '';
  readonly #host: string;
  readonly #what: string;
  readonly #pid = Promise.withResolvers<number>();
  readonly #exit = Promise.withResolvers<ProcessExit>();
  #unread = 0;
  #isShut = false;
  #wake: () => void = () => {};

  /** `what` names the program in messages. */
  constructor(host: string, what: string) {
    this.#host = host;
    this.#what = JSON.stringify(what);
    this.pid = this.#pid.promise;
    this.exit = this.#exit.promise;
    this.pid.catch(() => {});
  }

  take(line: string): void {
    const at = line.indexOf(' ');
    const kind = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1);
    const pid = kind === 'pid' ? parsePid(value) : null;
    if (pid !== null) this.#pid.resolve(pid);
    else if (kind === 'pid') this.#pid.reject(this.#failure('NOSTART'));
    else if (kind === 'dir') this.tempDir = normalTargetPath(value) ?? '';
    else if (kind === 'fail') this.#pid.reject(this.#failure(value));
    else if (kind === 'exit') {
      // A program that has started has reported its pid before.
      this.#pid.reject(this.#failure(`NOSTART status ${value}`));
      this.#end(toExit(value));
    } else if (kind === 'ack') this.#unread -= 1;
    else if (kind === 'shut') this.#isShut = true;
    this.#wake();
  }

  /** Must be called when the channel has closed. */
  closed(): void {
    this.#pid.reject(
      new ConnectionFailure(`the connection to ${this.#host} was lost while ${this.#what} started`, 'Connect again'),
    );
    this.#end({ code: null, signal: null });
    this.#wake();
  }

  /**
   * Resolves when fewer than `limit` frames of input are unread, and counts one more. Rejects if input is no longer
   * read.
   */
  async room(limit: number): Promise<void> {
    while (!this.#isShut && this.#unread >= limit) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#isShut) throw new Error('the process no longer reads');
    this.#unread += 1;
  }

  #end(exit: ProcessExit): void {
    this.#isShut = true;
    this.#exit.resolve(exit);
  }

  #failure(value: string): SpawnFailure {
    const [code = '', ...rest] = value.split(' ');
    const [errno, reason] = FAILURES.get(code) ?? ['UNKNOWN', code];
    const why = cleanText(rest.join(' '));
    return new SpawnFailure(
      errno,
      `can't start ${this.#what} on ${this.#host}: ${reason}${why === '' ? '' : `: ${why}`}`,
    );
  }
}

const FAILURES = new Map<string, readonly [code: string, reason: string]>([
  ['ENOENT', ['ENOENT', 'not found']],
  ['EACCES', ['EACCES', 'not executable, or not allowed']],
  ['NOSTART', ['UNKNOWN', 'the host could not start a process']],
  ['NOCWD', ['ENOENT', 'its working folder can’t be entered']],
  ['NOTEMP', ['UNKNOWN', 'can’t create a temporary folder']],
  ['NOSETSID', ['ENOSYS', 'setsid is missing there (package util-linux)']],
]);

/** Takes a shell's word; one that is no status counts as a failure. */
export function toExit(word: string): ProcessExit {
  const status = parseCount(word, 255) ?? 255;
  const signal = SIGNALS.get(status - 128) ?? null;
  return signal === null ? { code: status, signal: null } : { code: null, signal };
}
