import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { countText } from '#core/units/format.ts';
import { cleanMessage } from '../message-log.ts';
import type { RecordingFailure } from '../recording-failure.ts';

/** What py-spy says of a recording (0.4: src/main.rs). */
export interface PySpyReport {
  /** Stacks of all threads; null if it did not finish. */
  readonly samples: number | null;
  /** Times at which it could not read the process. */
  readonly errors: number;
  /** By how much its schedule had slipped at last; it is silent below a second. */
  readonly secondsBehind: number;
}

export const BEGIN = /Sampling process/;

export function readReport(text: string): PySpyReport {
  const counts = /Wrote .* Samples: (\d{1,15}) Errors: (\d{1,15})/.exec(text);
  const behind = [...text.matchAll(/> ([\d.]{1,15})(m?s) behind in sampling/g)].at(-1);
  return {
    samples: counts === null ? null : Number(counts[1]),
    errors: Number(counts?.[2] ?? 0),
    secondsBehind: behind === undefined ? 0 : Number(behind[1]) / (behind[2] === 'ms' ? 1000 : 1),
  };
}

/** Returns the number of samples that the schedule would have given in addition to those taken in `seconds`. */
export function missedSamples(report: PySpyReport, samples: number, seconds: number): number {
  const sampled = seconds - report.secondsBehind;
  return sampled > 0 ? Math.round((samples * report.secondsBehind) / sampled) : 0;
}

/** `samples`: the number that the profile has. */
export function diagnose(report: PySpyReport, samples: number, seconds: number): Diagnostic[] {
  const found: Diagnostic[] = [];
  const add = (code: string, message: string, count: number, remedy: string | null): void =>
    void found.push(diagnostic(code, message, { count, remedy }));
  const { errors, secondsBehind } = report;
  if (errors > 0)
    add(
      'failed-samples',
      `py-spy could not read the process ${errors === 1 ? 'once' : `${errors} times`}.`,
      errors,
      null,
    );
  if (secondsBehind > 0) {
    const message = `py-spy was ${secondsBehind.toFixed(1)} s behind its schedule after ${seconds.toFixed(1)} s: shares are right, times are too low.`;
    add('behind', message, missedSamples(report, samples, seconds), 'Lower the rate, or sample without native code.');
  }
  if (report.samples !== null && report.samples !== samples) {
    const message = `py-spy states ${countText(report.samples, 'sample')}, the profile has ${countText(samples, 'sample')}.`;
    add('incomplete', message, Math.abs(report.samples - samples), 'Record again.');
  }
  return found;
}

/** The first match applies. */
const EXPLANATIONS: readonly { readonly pattern: RegExp; readonly failure: (pid: number) => RecordingFailure }[] = [
  {
    pattern: /\/fd\/9: Permission denied/,
    failure: () => ({
      code: 'not-executable',
      message: 'py-spy was sent, but no program may run from the temporary folder there (noexec)',
      remedy: 'run there: pipx install py-spy',
    }),
  },
  {
    pattern: /Permission Denied|Operation not permitted|EPERM/i,
    failure: (pid) => ({
      code: 'refused',
      message: `py-spy may not read process ${pid}`,
      remedy: 'record as root; a container needs CAP_SYS_PTRACE, or record on its host',
    }),
  },
  {
    pattern: /process executable name|No such process|ESRCH/,
    failure: (pid) => ({ code: 'process-ended', message: `process ${pid} has ended`, remedy: 'choose a running one' }),
  },
  {
    pattern: /find (?:a )?python version|find a python interpreter|python (?:binary|library) in/i,
    failure: (pid) => ({
      code: 'not-python',
      message: `process ${pid} is not a CPython that py-spy can read`,
      remedy: 'record it with perf',
    }),
  },
];

/** Explains why py-spy ended without a profile. */
export function explainFailure(text: string, pid: number, code: number | null): RecordingFailure {
  const found = EXPLANATIONS.find(({ pattern }) => pattern.test(text));
  if (found !== undefined) return found.failure(pid);
  const line = text.split('\n').findLast((one) => /Error:/.test(one)) ?? '';
  const said = cleanMessage(line.replace(/^.*?Error: /, '')).slice(0, 300);
  const how = code === null ? 'was killed' : `failed (exit code ${code})`;
  return { code: 'py-spy-failed', message: `py-spy ${how}${said === '' ? '' : `: ${said}`}`, remedy: null };
}
