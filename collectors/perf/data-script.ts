import { readScript } from '../read-script.ts';
import { randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { Check } from '#core/contract/schemas.ts';
import type { PerfDataFacts } from '#core/import/perf-data/facts.ts';
import { READ_BY } from '#core/import/perf-script/comments.ts';
import type { Target } from '../target/target.ts';
import { checkDataScript, type DataScriptChecks } from './data-script-checks.ts';
import { scriptArgv, SCRIPT_FIELDS } from './plan.ts';
import { scriptText } from './script-run.ts';
import { readScriptStats, type ScriptStats } from './script-stats.ts';

/** The text of a recording that perf read afterwards. */
export const DATA_SCRIPT_FILE = 'by-perf.perf-script.txt.gz';

/** A perf.data file for `perf script` to read on a target. */
export interface DataScriptRequest {
  readonly facts: PerfDataFacts;
  /** Size of the file without compression, which is what `chunks` yields on each call. */
  readonly bytes: number;
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /**
   * Absolute, on this machine; null if perf can't open the file as it is because it is compressed or not a regular
   * file.
   */
  readonly path: string | null;
}

/** How perf receives the bytes: it opens the file, reads its input, or reads an unlinked copy on the target. */
type Way = 'path' | 'input' | 'copy';

export interface DataScriptPlan {
  readonly checks: readonly Check[];
  /** perf's exact command; null if it can't read the file there. */
  readonly command: readonly string[] | null;
  readonly way: Way;
  /**
   * The bytes are sent compressed: each piece costs the host two short processes, and dwarf recordings are mostly
   * zeros.
   */
  readonly packed: boolean;
  /** Version of perf on the target. */
  readonly toolVersion: string | null;
  /** The target's own name. */
  readonly hostName: string;
}

/** Plans reading the file on the target. Changes nothing there. */
export async function planDataScript(target: Target, request: DataScriptRequest): Promise<DataScriptPlan> {
  const { facts, path } = request;
  const way: Way = facts.isStream ? 'input' : target.kind === 'local' && path !== null ? 'path' : 'copy';
  const [found, gzip] = await Promise.all([
    checkDataScript(target, facts, way === 'copy' ? request.bytes : null),
    target.kind === 'local' ? null : target.findExecutable('gzip'),
  ]);
  return {
    checks: found.checks,
    command: found.checks.some(({ status }) => status === 'failed') ? null : commandOf(found, facts, way, path),
    way,
    packed: gzip !== null,
    toolVersion: found.version,
    hostName: found.hostName,
  };
}

/** Path of the copy on a target, made by {@link FEED_SCRIPT}. */
const COPY_PATH = '/proc/self/fd/3';

function commandOf({ perfPath, showsLost }: DataScriptChecks, facts: PerfDataFacts, way: Way, path: string | null) {
  if (perfPath === null) return null;
  const missing = [...(facts.hasTimes ? [] : ['time']), ...(facts.hasCpus ? [] : ['cpu'])];
  return scriptArgv(perfPath, {
    input: way === 'path' && path !== null ? path : way === 'copy' ? COPY_PATH : '-',
    header: true,
    lost: showsLost,
    fields: SCRIPT_FIELDS.filter((field) => !missing.includes(field)),
  });
}

/** Passes its input to a program, by a pipe or as a file that has been unlinked. */
const FEED_SCRIPT = readScript(new URL('./feed.sh', import.meta.url));

/** Progress of a run. */
interface DataScriptProgress {
  /** Bytes sent to perf; 0 if it opens the file itself. */
  readonly sentBytes: number;
  /** Number of samples in the text so far. */
  readonly samples: number;
}

interface DataScriptOptions {
  readonly signal: AbortSignal;
  /** Called with each chunk. */
  readonly onProgress?: (progress: DataScriptProgress) => void;
}

/** A run of a plan. */
interface DataScript {
  /** The text as it is produced; can be read once. Rejects with a {@link ScriptFailure} if perf fails. */
  readonly text: AsyncIterable<Uint8Array>;
  /** Statistics of the text so far. */
  stats(): ScriptStats;
}

/**
 * Runs a plan that has a command. Starts when the text is requested; leaves nothing on the target when it has ended.
 */
export function startDataScript(
  target: Target,
  request: DataScriptRequest,
  plan: DataScriptPlan,
  { signal, onProgress }: DataScriptOptions,
): DataScript {
  const { way, packed, command } = plan;
  if (command === null) throw new Error('perf can’t read the recording');
  const stats = readScriptStats();
  let sentBytes = 0;
  const tell = (): void => onProgress?.({ sentBytes, samples: stats.counts.samples });

  async function* sent(): AsyncGenerator<Uint8Array> {
    if (way === 'path') return;
    // If the input ends within a record, perf drops the samples that it has not sorted yet.
    const most = way === 'input' ? request.facts.wholeBytes : Number.POSITIVE_INFINITY;
    for await (const chunk of request.chunks()) {
      yield chunk.subarray(0, most - sentBytes);
      sentBytes = Math.min(most, sentBytes + chunk.length);
      tell();
    }
  }

  async function* text(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(`# ${READ_BY} : ${describeRun(plan, command ?? [])}\n`);
    const argv = way === 'copy' || packed ? feedArgv(plan, command ?? []) : (command ?? []);
    const input = packed ? gzipped(sent()) : sent();
    for await (const chunk of withoutFileTime(scriptText(target, argv, input, { signal }))) {
      stats.push(chunk);
      tell();
      yield chunk;
    }
  }

  return { text: text(), stats: () => stats.finish() };
}

const feedArgv = ({ way, packed }: DataScriptPlan, command: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  FEED_SCRIPT,
  'flamebench',
  packed ? '1' : '0',
  way === 'copy' ? `flamebench-${randomBytes(16).toString('hex')}` : '',
  ...command,
];

function gzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  async function* kept(): AsyncGenerator<Uint8Array> {
    // A chunk is valid until the next one is requested, and a stream requests chunks in advance.
    for await (const chunk of chunks) yield chunk.slice();
  }
  const zipped = createGzip({ level: 1 });
  // Errors here are also reported to the reader.
  pipeline(kept(), zipped).catch(() => undefined);
  return zipped as AsyncIterable<Uint8Array>;
}

const describeRun = ({ toolVersion, hostName }: DataScriptPlan, command: readonly string[]): string =>
  `perf ${toolVersion ?? '?'} on ${hostName}: ${quoteArgv(command)}`;

/** Lines of perf's header up to the one that is removed. */
const HEADER_LINES = /^(# =+\n)# captured on .*\n/;
/** Upper bound for the bytes of these lines. */
const HEADER_BYTES = 1024;

/**
 * Removes the time at which perf's input file was written, because it may be a copy and not the time of the recording.
 */
async function* withoutFileTime(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: string | null = '';
  for await (const chunk of text) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head += Buffer.from(chunk).toString('latin1');
    if (head.length < HEADER_BYTES && head.split('\n').length < 3) continue;
    yield Buffer.from(head.replace(HEADER_LINES, '$1'), 'latin1');
    head = null;
  }
  if (head !== null) yield Buffer.from(head.replace(HEADER_LINES, '$1'), 'latin1');
}
