import { ConnectionFailure } from '../connection.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import type { FileFacts, FileRange } from '../target.ts';
import { normalTargetPath, parseCount, parseTargetName } from '../target-words.ts';
import { MarkedLines } from './marked-output.ts';
import { SLOW_LOGIN_MS } from './pace.ts';
import { BATCH_SCRIPT, encodeLine } from './remote-script.ts';
import { openChannel, type Channel } from './channel.ts';
import type { ChannelQueue } from './channel-queue.ts';
import { cleanText } from './prompt.ts';
import type { SshConnection } from './ssh-connection.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Maximum bytes of all answers of a call; a host that sends more is not trustworthy. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Milliseconds, multiplied by the host's slowness; a file system that hangs must not block Flamebench. */
const MAX_MS = 60_000;

/** A query of {@link BATCH_SCRIPT}. */
interface Question {
  readonly operation: string;
  readonly path: string;
}

/** Maximum channels that wait for further queries, on a host whose login is slow. */
const MAX_IDLE = 2;
/** Milliseconds to wait for another call's channel, whose query may hang. */
const TURN_MS = 500;

/** {@link BATCH_SCRIPT} on a host. */
class Batch {
  readonly channel: Channel;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #marked: MarkedLines;
  #answers: (Uint8Array | null)[] = [];
  #parts: Uint8Array[] = [];

  constructor(channel: Channel) {
    this.channel = channel;
    this.#chunks = channel.stdout[Symbol.asyncIterator]();
    this.#marked = new MarkedLines(
      channel.mark,
      (status) => this.#answers.push(status === '0' ? joinBytes(this.#parts.splice(0)) : this.#none()),
      (bytes) => this.#parts.push(bytes),
    );
  }

  /** Returns the next `count` answers, or fewer at the end; Infinity reads to the end. */
  async take(count: number): Promise<(Uint8Array | null)[]> {
    let size = 0;
    while (this.#answers.length < count) {
      const next: IteratorResult<Uint8Array, unknown> = await this.#chunks.next();
      if (next.done === true) break;
      const { value } = next;
      size += value.length;
      if (size > MAX_ANSWER_BYTES) break;
      this.#marked.feed(Buffer.from(value.buffer, value.byteOffset, value.length));
    }
    return this.#answers.splice(0);
  }

  end(): void {
    this.channel.write(Buffer.from('.\n')).catch(() => {});
    this.channel.endInput();
  }

  #none(): null {
    this.#parts = [];
    return null;
  }
}

/** Access to a host's files, each call over one channel: a new one unless the host's login is slow. */
export class RemoteFiles {
  readonly #connection: SshConnection;
  readonly #queue: ChannelQueue;
  #idle: Batch[] = [];
  #busy = 0;
  readonly #waiting: ((batch: Batch) => void)[] = [];

  constructor(connection: SshConnection, queue: ChannelQueue) {
    this.#connection = connection;
    this.#queue = queue;
  }

  async findExecutable(name: string): Promise<string | null> {
    return normalTargetPath(decode(await this.#one('x', name)));
  }

  async readFile(path: string, maxBytes = MAX_FILE_BYTES): Promise<Uint8Array> {
    const bytes = await this.#one(`r 0 ${maxBytes + 1}`, path);
    if (bytes === null) throw new Error(`${path} can’t be read on ${this.#connection.host}`);
    if (bytes.length > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return bytes;
  }

  async readRanges(ranges: readonly FileRange[]): Promise<(Uint8Array | null)[]> {
    const isPossible = ({ offset, length }: FileRange): boolean =>
      Number.isSafeInteger(offset) && Number.isSafeInteger(length);
    const questions = ranges.map((range) => ({
      operation: `r ${range.offset} ${range.length}`,
      path: isPossible(range) ? range.path : '',
    }));
    const answers = await this.#ask(questions);
    return ranges.map(({ length }, index) => answers[index]?.subarray(0, length) ?? null);
  }

  async readLinks(paths: readonly string[]): Promise<(string | null)[]> {
    return (await this.#ask(paths.map((path) => ({ operation: 'l', path })))).map(decode);
  }

  async listDirectory(path: string): Promise<string[]> {
    const names = decode(await this.#one('d', path));
    if (names === null) throw new Error(`${path} can’t be listed on ${this.#connection.host}`);
    return names.split('\0').flatMap((name) => parseTargetName(name) ?? []);
  }

  async stat(path: string): Promise<FileFacts | null> {
    const line = decode(await this.#one('s', path));
    const [size, uid, seconds] = (line ?? '')
      .trimEnd()
      .split(' ')
      .map((word) => parseCount(word));
    if (typeof size !== 'number' || typeof uid !== 'number' || typeof seconds !== 'number') return null;
    return { size, uid, modifiedAt: seconds * 1000 };
  }

  async writeFile(path: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
    const channel = await this.#open([`w ${bytes.length} ${mode.toString(8)}`, path]);
    const said = readAll(channel.stderr, () => channel.close());
    // If the script gives up early, its answer says why.
    await channel.write(bytes).catch(() => {});
    const [answer] = await this.#answers(new Batch(channel), 1, true);
    if (answer !== null) return;
    const why = cleanText(new TextDecoder().decode(await said));
    throw new Error(`${path} can’t be written on ${this.#connection.host}${why === '' ? '' : `: ${why}`}`);
  }

  async #one(operation: string, path: string): Promise<Uint8Array | null> {
    return (await this.#ask([{ operation, path }]))[0] ?? null;
  }

  /** Returns the answers in order; null for those that are not available. */
  async #ask(questions: readonly Question[]): Promise<(Uint8Array | null)[]> {
    // File names never contain a NUL.
    const asked = questions.filter(({ path }) => path !== '' && !path.includes('\0'));
    if (asked.length === 0) return questions.map(() => null);
    const isLast = this.#connection.pace.slowestMs < SLOW_LOGIN_MS;
    const lines = [...asked.flatMap(({ operation, path }) => [operation, path]), ...(isLast ? ['.'] : [])];
    const answers = isLast
      ? await this.#answers(await this.#openBatch(lines), asked.length, true)
      : await this.#askKept(lines, asked.length);
    const byQuestion = new Map(asked.map((question, at) => [question, answers[at] ?? null]));
    return questions.map((question) => byQuestion.get(question) ?? null);
  }

  /** Asks over a channel that stays open for other calls. */
  async #askKept(lines: readonly string[], count: number): Promise<(Uint8Array | null)[]> {
    const kept = this.#idle.pop() ?? (this.#busy > 0 ? await this.#turn() : undefined);
    this.#busy += 1;
    try {
      const batch = kept ?? (await this.#openBatch([]));
      await batch.channel.write(Buffer.from(lines.map(encodeLine).join(''))).catch(() => {});
      const answers = await this.#answers(batch, count, false);
      const next = this.#waiting.shift();
      if (next !== undefined) next(batch);
      else if (this.#idle.length < MAX_IDLE) this.#idle.push(batch);
      else batch.end();
      return answers;
    } finally {
      this.#busy -= 1;
    }
  }

  #turn(): Promise<Batch | undefined> {
    return new Promise((resolve) => {
      const turn = (batch: Batch): void => {
        clearTimeout(timer);
        resolve(batch);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        resolve(undefined);
      }, TURN_MS);
      this.#waiting.push(turn);
    });
  }

  /** Frees the channels that wait for further queries. */
  endIdle(): void {
    for (const batch of this.#idle.splice(0)) batch.end();
  }

  async #openBatch(lines: readonly string[]): Promise<Batch> {
    const channel = await this.#open(lines);
    const batch = new Batch(channel);
    void readAll(channel.stderr, () => channel.close());
    void channel.closed.then(() => (this.#idle = this.#idle.filter((each) => each !== batch)));
    return batch;
  }

  #open(lines: readonly string[]): Promise<Channel> {
    return openChannel(this.#connection, this.#queue, BATCH_SCRIPT, lines);
  }

  async #answers(batch: Batch, count: number, isLast: boolean): Promise<(Uint8Array | null)[]> {
    const timer = setTimeout(() => batch.channel.close(), MAX_MS * this.#connection.pace.slowness);
    if (isLast) batch.channel.endInput();
    try {
      const answers = await batch.take(isLast ? Number.POSITIVE_INFINITY : count);
      if (answers.length === count) return answers;
    } finally {
      clearTimeout(timer);
    }
    batch.channel.close();
    throw new ConnectionFailure(`${this.#connection.host} stopped answering`, 'Connect again');
  }
}

async function readAll(output: AsyncIterable<Uint8Array>, onTooMuch: () => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of output) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      onTooMuch();
      break;
    }
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

const decode = (bytes: Uint8Array | null): string | null => (bytes === null ? null : new TextDecoder().decode(bytes));
