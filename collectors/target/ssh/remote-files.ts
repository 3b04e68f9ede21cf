import { ConnectionFailure } from '../connection.ts';
import { joinBytes } from '../join-bytes.ts';
import type { FileFacts, FileRange } from '../target.ts';
import { normalTargetPath, parseCount, parseTargetName } from '../target-words.ts';
import { BATCH_SCRIPT } from './remote-script.ts';
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

/** Access to a host's files, each call over one channel. */
export class RemoteFiles {
  readonly #connection: SshConnection;
  readonly #queue: ChannelQueue;

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
    const [answer] = await this.#answers(channel, 1);
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
    const channel = await this.#open([...asked.flatMap(({ operation, path }) => [operation, path]), '.']);
    void readAll(channel.stderr, () => channel.close());
    const answers = await this.#answers(channel, asked.length);
    const byQuestion = new Map(asked.map((question, at) => [question, answers[at] ?? null]));
    return questions.map((question) => byQuestion.get(question) ?? null);
  }

  #open(lines: readonly string[]): Promise<Channel> {
    return openChannel(this.#connection, this.#queue, BATCH_SCRIPT, lines);
  }

  async #answers(channel: Channel, count: number): Promise<(Uint8Array | null)[]> {
    const timer = setTimeout(() => channel.close(), MAX_MS * this.#connection.pace.slowness);
    channel.endInput();
    try {
      const answers = splitAnswers(await readAll(channel.stdout, () => channel.close()), channel.mark);
      if (answers.length === count) return answers;
    } finally {
      clearTimeout(timer);
    }
    throw new ConnectionFailure(`${this.#connection.host} stopped answering`, 'Connect again');
  }
}

/** Splits `content MARK STATUS` … */
function splitAnswers(bytes: Uint8Array, mark: string): (Uint8Array | null)[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const answers: (Uint8Array | null)[] = [];
  let from = 0;
  for (;;) {
    const at = buffer.indexOf(`${mark} `, from);
    const end = at < 0 ? -1 : buffer.indexOf('\n', at);
    if (end < 0) return answers;
    const isGood = buffer.toString('latin1', at + mark.length + 1, end) === '0';
    answers.push(isGood ? new Uint8Array(buffer.subarray(from, at)) : null);
    from = end + 1;
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
