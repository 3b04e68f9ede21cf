import { launchedCommand } from './launched-command.ts';
import type { CaptureDocument } from './schemas.ts';

/**
 * Returns the newest capture of the same program, collector, event and host that was made before this one and not together with
 * it; null if there is none or the program is unknown.
 */
export function previousRun(capture: CaptureDocument, all: readonly CaptureDocument[]): CaptureDocument | null {
  const program = programOf(capture);
  if (program === null) return null;
  const earlier = all.filter(
    (other) =>
      other.id !== capture.id &&
      other.createdAt < capture.createdAt &&
      other.state === 'finished' &&
      (other.series === null || other.series.id !== capture.series?.id) &&
      other.event === capture.event &&
      other.options?.collector === capture.options?.collector &&
      other.target?.host === capture.target?.host &&
      programOf(other) === program,
  );
  return earlier.reduce<CaptureDocument | null>(
    (newest, one) => (newest === null || one.createdAt > newest.createdAt ? one : newest),
    null,
  );
}

/** Returns the executable's name, which stays the same when its arguments or folder change. */
function programOf(capture: CaptureDocument): string | null {
  const name = capture.process?.name ?? launchedCommand(capture)[0] ?? '';
  const base = name.slice(name.lastIndexOf('/') + 1);
  return base === '' ? null : base;
}
