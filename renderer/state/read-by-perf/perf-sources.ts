import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { ProfileTab } from '../profile/tab.ts';
import type { PerfSource } from '../workbench-state.ts';

/** The name that Flamebench gives perf's own stream of a recording. */
const RECORDED_STREAM = 'raw.perf.data';
const PERF_DATA = 'perf-data';

/** Returns whether a capture contains a file that perf can read. */
export const holdsPerfData = ({
  format,
  primaryFile,
  otherFiles,
  readByPerf,
  origin,
  state,
}: CaptureDocument): boolean =>
  origin !== 'sample' &&
  state === 'finished' &&
  (format === PERF_DATA || readByPerf !== undefined || [primaryFile, ...otherFiles].includes(RECORDED_STREAM));

/** Returns the part of a tab that perf can read; null if there is none. */
export function perfSourceOf(tab: ProfileTab, captures: readonly CaptureDocument[] | null): PerfSource | null {
  const { captureId, profile } = tab.store.get();
  const capture = captures?.find(({ id }) => id === captureId) ?? null;
  if (capture?.origin === 'sample') return null;
  if (capture !== null && holdsPerfData(capture)) return { kind: 'capture', id: capture.id };
  return profile?.metadata.format === PERF_DATA ? { kind: 'tab', tab } : null;
}

/** Diagnostics that reading with perf may resolve. */
const OF_PERF: ReadonlySet<string> = new Set([
  'user-stack-not-unwound',
  'branch-call-stack',
  'deferred-callchain',
  'text-behind',
  'script-failed',
]);

/**
 * Returns whether reading with perf may resolve a diagnostic. `format` is that of the file: perf cannot resolve frames
 * of other formats.
 */
export const canPerfResolve = (code: string, format: string | null): boolean =>
  OF_PERF.has(code) || (code === 'unresolved-frames' && format === PERF_DATA);
