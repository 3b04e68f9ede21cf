import type { PerfOptions } from '#core/contract/schemas.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { countText } from '#core/units/format.ts';
import type { RecordingOutcome } from '../collector.ts';
import { describeLoss, type RecordingFailure } from '../recording-failure.ts';
import type { ProcessExit } from '../target/target.ts';
import { explainPerfFailure } from './explain-failure.ts';

/** How a recording ended. */
export interface EndingFacts {
  readonly scope: PerfOptions['scope'];
  readonly host: string;
  readonly ask: 'stop' | 'cancel' | null;
  /** perf or the command had to be killed. */
  readonly forced: boolean;
  /** Why the recording must not be kept. */
  readonly refusal: RecordingFailure | null;
  /** Why no more data could be kept. */
  readonly storageFailure: RecordingFailure | null;
  /**
   * The launched program; `exit` is null if it is unknown how it ended; `wasEnded` means that it still ran when perf
   * ended, and so was ended. Null if none was launched.
   */
  readonly program: {
    readonly exit: ProcessExit | null;
    readonly isReleased: boolean;
    readonly wasEnded: boolean;
  } | null;
  /** Exit of `perf record`; null if it never ran. */
  readonly exit: ProcessExit | null;
  /** It is unknown how it ended. */
  readonly linkLost: boolean;
  /** That is because the process that passes on the text was killed on the host, not because of the link. */
  readonly isTorn: boolean;
  readonly stderr: string;
  /** perf's version; null if unknown. */
  readonly version: string | null;
  /** The last line of stderr. */
  readonly lastMessage: string | null;
  readonly samples: number;
  /** Bytes of perf's stream. */
  readonly bytes: number;
  /** `perf script`'s message if part of perf's stream could not be converted to text. */
  readonly scriptFailure: string | null;
  /** perf's own stream is stored next to its text. */
  readonly keepsStream: boolean;
  /** The recorded process has ended. */
  readonly targetEnded: boolean;
  /** Duration of the kept data. */
  readonly durationMs: number;
  /** Duration until the recording ended, including data that was not kept. */
  readonly recordedMs: number;
}

type Ending = Pick<RecordingOutcome, 'state' | 'incomplete' | 'diagnostics' | 'error'>;

/** Decides the outcome of a recording: data is kept whenever there is any. Pure. */
export function describeEnding(facts: EndingFacts): Ending {
  if (facts.ask === 'cancel') return { state: 'cancelled', incomplete: false, diagnostics: [], error: null };
  const failure = facts.refusal ?? (facts.samples === 0 ? whyNothing(facts) : null);
  if (failure !== null) return { state: 'failed', incomplete: false, diagnostics: [], error: failure };
  if (facts.exit === null) return { state: 'cancelled', incomplete: false, diagnostics: [], error: null };
  const diagnostics = [...describeStorage(facts), ...describeExit(facts), ...describeScript(facts)];
  return { state: 'finished', incomplete: isIncomplete(facts), diagnostics, error: null };
}

/** Returns null if having no samples is not a failure: the target was idle. */
function whyNothing(facts: EndingFacts): RecordingFailure | null {
  if (facts.storageFailure !== null) return facts.storageFailure;
  if (facts.linkLost) return linkLost(facts, 'no data had arrived');
  if (facts.program?.exit?.code === NOT_FOUND && !facts.program.isReleased) return NOT_STARTED;
  return endedItself(facts) && hasFailed(facts) ? explainPerfFailure(facts.stderr, facts.exit!, facts.version) : null;
}

/** The launcher's exit code if the program does not exist. */
const NOT_FOUND = 127;
const NOT_STARTED: RecordingFailure = {
  code: 'command-not-executable',
  message: 'the command can’t be started: no such program, or not executable',
  remedy: 'check its path and permissions',
};

function linkLost({ host, durationMs, isTorn }: EndingFacts, kept: string): RecordingFailure {
  const when = after(durationMs);
  return isTorn
    ? {
        code: 'text-cut-off',
        message: `a process of the recording was killed on ${host}, which cut off its text ${when}; ${kept}`,
        remedy: 'record again',
      }
    : {
        code: 'link-lost',
        message: `the connection to ${host} was lost ${when}; ${kept}`,
        remedy: 'reconnect and record again; processes left there exit within 10 s',
      };
}

const after = (durationMs: number): string => `after ${(durationMs / 1000).toFixed(1)} s`;

/** Returns whether neither the user nor a full disk ended it. */
const endedItself = ({ ask, exit, storageFailure }: EndingFacts): boolean =>
  ask === null && storageFailure === null && exit !== null;

/** Returns whether perf failed: it is stopped when the launched program ends, so ending earlier is a failure. */
function hasFailed({ exit, program, bytes }: EndingFacts): boolean {
  if (exit === null || exit.code === 0) return false;
  return bytes === 0 || program?.isReleased !== true || exit.signal !== 'SIGINT';
}

function isIncomplete(facts: EndingFacts): boolean {
  return facts.storageFailure !== null || facts.linkLost || (endedItself(facts) && hasFailed(facts));
}

function describeStorage(facts: EndingFacts): Diagnostic[] {
  const { storageFailure, samples, durationMs, recordedMs } = facts;
  if (storageFailure === null) return [];
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const kept = `${seconds(durationMs)} (${countText(samples, 'sample')}) of ${seconds(recordedMs)}`;
  const message = `${describeLoss(kept, storageFailure)}${endOfCommand(facts)}`;
  return [diagnostic(storageFailure.code, message, { remedy: storageFailure.remedy })];
}

const endOfCommand = ({ program }: EndingFacts): string =>
  program?.wasEnded === true ? ' The command was ended, too.' : '';

function describeExit(facts: EndingFacts): Diagnostic[] {
  const { scope, exit, stderr, lastMessage, targetEnded, durationMs, forced } = facts;
  if (facts.linkLost) {
    const { code, message, remedy } = linkLost(facts, 'data received until then is kept');
    return [diagnostic(code, sentence(message), { remedy: sentence(remedy ?? '') })];
  }
  if (forced) {
    return [
      diagnostic('killed', 'It did not stop when asked and was killed; no recorded data was lost.', {
        severity: 'info',
      }),
    ];
  }
  if (!endedItself(facts) || exit === null) return [];
  if (hasFailed(facts)) {
    if (exit.signal !== null) {
      const kept = 'Data received until then is kept';
      const remedy = exit.signal === 'SIGKILL' ? `${kept}; see the kernel log for an out-of-memory kill.` : `${kept}.`;
      const message = `perf was killed by ${exit.signal} ${after(durationMs)}.${endOfCommand(facts)}`;
      return [diagnostic('collector-killed', message, { remedy })];
    }
    const { message: reason, remedy } = explainPerfFailure(stderr, exit, facts.version);
    const message = `perf ended early, ${after(durationMs)}: ${reason}.${endOfCommand(facts)}`;
    return [diagnostic('collector-failed', message, { remedy })];
  }
  const ended = facts.program?.exit ?? null;
  if (ended !== null && ended.code !== 0) {
    const said = lastMessage === null ? '.' : `; last output: ${lastMessage}`;
    const how = ended.signal === null ? `ended with exit code ${ended.code}` : `was killed by ${ended.signal}`;
    return [diagnostic('command-exit', `The command ${how} ${after(durationMs)}${said}`, { severity: 'info' })];
  }
  if (scope.kind === 'pid' && targetEnded) {
    return [diagnostic('target-ended', `Process ${scope.pid} ended ${after(durationMs)}.`, { severity: 'info' })];
  }
  return [];
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function describeScript({ scriptFailure, storageFailure, linkLost: isLost, keepsStream }: EndingFacts): Diagnostic[] {
  if (scriptFailure === null || storageFailure !== null || isLost) return [];
  const message = `perf script could not turn all of the recording into text: ${scriptFailure || 'it ended early'}.`;
  const remedy = keepsStream
    ? 'Read the raw stream again: Read with perf, or flamebench perf-script ID.'
    : 'Record with --keep-perf-data, so that the text can be recreated.';
  return [diagnostic('script-failed', message, { remedy })];
}
