import type { Check } from '#core/contract/schemas.ts';
import { diagnostic } from '#core/model/diagnostics.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { joinEvents } from '#core/model/join-events.ts';
import type { Profile } from '#core/model/profile.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { formatValue } from '#core/units/format.ts';
import { checkOf } from '../check.ts';
import { chunksOf } from '../live/chunks-of.ts';
import { cleanMessage } from '../message-log.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import { printedBy } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';

/** What `go tool trace -pprof` sums by stack: waits for the network, for other goroutines, in system calls, for a CPU. */
export const GO_TRACE_EVENTS = ['net', 'sync', 'syscall', 'sched'] as const;

/** Keeps a go.mod of the working directory from choosing the tool, and Go from downloading another version. */
const ENVIRONMENT = { GOTOOLCHAIN: 'local', GO111MODULE: 'off' };
const VERSION_MS = 30_000;
/** A profile holds each distinct stack once. */
const MAX_PROFILE_BYTES = 512 * 1024 * 1024;

/** Go did not read a trace. `message` is one line with Go's own words. */
export class GoTraceFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GoTraceFailure';
  }
}

/** How Go reads an execution trace on this machine. */
export interface GoTracePlan {
  readonly checks: readonly Check[];
  /** The exact commands, in the order of {@link GO_TRACE_EVENTS}; empty if a check failed. */
  readonly commands: readonly (readonly string[])[];
  /** `1.26.8`; null if it is unknown. */
  readonly toolVersion: string | null;
}

/** Plans reading the trace at an absolute path. `written` is the version of Go that its first line states. */
export async function planGoTrace(target: Target, path: string, written: string): Promise<GoTracePlan> {
  const recording: Check = checkOf('recording', 'ok', `a trace of Go ${written}`);
  const go = await target.findExecutable('go');
  if (go === null) {
    const remedy =
      'install Go, or run the command on a machine that has it: flamebench go-trace FILE -o FILE.flamebench';
    return refused([recording, checkOf('go', 'failed', 'Go is not installed here', remedy)]);
  }
  const printed = await printedBy(target, [go, 'version'], { env: ENVIRONMENT, timeoutMs: VERSION_MS });
  const version = /\bgo(\d+(?:\.\d+)*)/.exec(printed)?.[1] ?? null;
  if (version === null) {
    const found = `${go} does not run`;
    return refused([recording, checkOf('go', 'failed', found, 'run `go version` and mend what it says')]);
  }
  const isOlder = minor(version) < minor(written);
  const found = `go ${version} (${go})${isOlder ? `, older than Go ${written} that wrote the trace` : ''}`;
  const remedy = isOlder ? `install Go ${written} or newer if it refuses the trace` : null;
  return {
    checks: [recording, checkOf('go', isOlder ? 'warning' : 'ok', found, remedy)],
    commands: GO_TRACE_EVENTS.map((event) => [go, 'tool', 'trace', `-pprof=${event}`, path]),
    toolVersion: version,
  };
}

const refused = (checks: readonly Check[]): GoTracePlan => ({ checks, commands: [], toolVersion: null });

const minor = (version: string): number => Number(/^1\.(\d+)/.exec(version)?.[1] ?? 0);

/** Returns the version of Go that an execution trace's first bytes state; null if it is no such trace. */
export const goTraceVersion = (head: Uint8Array): string | null =>
  /^go (1\.\d{1,2}) trace\0/.exec(String.fromCharCode(...head.subarray(0, 16)))?.[1] ?? null;

/**
 * Runs a plan's commands one after another and joins their profiles, each as an event. Rejects with a {@link
 * GoTraceFailure}.
 */
export async function readGoTrace(
  target: Target,
  { commands, toolVersion }: GoTracePlan,
  signal: AbortSignal,
): Promise<Profile> {
  const parts = [];
  for (const [row, command] of commands.entries()) {
    signal.throwIfAborted();
    const event = GO_TRACE_EVENTS[row]!;
    const bytes = await profileOf(target, command, signal);
    const source = { fileName: `${event}.pb.gz`, size: bytes.length, chunks: () => chunksOf([bytes]) };
    const profile = await importProfile(source, { format: 'pprof' }).catch((error: unknown) => {
      if (!(error instanceof ImportFailure)) throw error;
      throw failed(`the profile of ${event} that it printed can’t be read: ${error.message}`);
    });
    parts.push({ event, profile });
  }
  const joined = joinEvents(parts, { format: 'pprof', tool: 'go tool trace', toolVersion });
  const message = `An execution trace of Go that go tool trace read: ${commands.map(quoteArgv).join('; ')}`;
  const readBy = diagnostic('read-by-go', message, { severity: 'info' });
  return { ...joined, diagnostics: [readBy, ...joined.diagnostics] };
}

async function profileOf(target: Target, command: readonly string[], signal: AbortSignal): Promise<Uint8Array> {
  const running = await target.run(command, { env: ENVIRONMENT, input: false, signal });
  const [bytes, said, exit] = await Promise.all([
    readAll(running.stdout, () => running.kill('SIGKILL')),
    readAll(running.stderr, () => undefined, MAX_MESSAGE_BYTES),
    running.exit,
  ]);
  signal.throwIfAborted();
  if (bytes === null) throw failed(`it printed more than ${formatValue(MAX_PROFILE_BYTES, 'bytes')}`);
  if (exit.code === 0) return bytes;
  const message = cleanMessage(new TextDecoder().decode(said ?? undefined).trim()).slice(0, 300);
  const cut = /failed to find matching goroutines/.test(message)
    ? '; the trace has no goroutines, or it is truncated'
    : '';
  throw failed(`${message === '' ? `it ended with exit code ${exit.code ?? exit.signal ?? '?'}` : message}${cut}`);
}

const MAX_MESSAGE_BYTES = 64 * 1024;

/** Returns null, after calling `onMore`, if there is more than `maxBytes`; the rest is read and dropped. */
async function readAll(
  output: AsyncIterable<Uint8Array>,
  onMore: () => void,
  maxBytes = MAX_PROFILE_BYTES,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of output) {
    size += chunk.length;
    if (size > maxBytes) onMore();
    else chunks.push(chunk.slice());
  }
  return size > maxBytes ? null : joinBytes(chunks);
}

const failed = (message: string): GoTraceFailure => new GoTraceFailure(`go tool trace failed: ${message}`);
