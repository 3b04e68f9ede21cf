import type { CaptureDocument } from './schemas.ts';

/**
 * Returns the argv of the program that a capture launched; empty where it launched nothing. Documents of earlier versions have it as the part
 * of perf's own argv that follows `--`.
 */
export function launchedCommand({
  options,
  collector,
}: Partial<Pick<CaptureDocument, 'options' | 'collector'>>): readonly string[] {
  if (options?.scope.kind === 'command') return options.scope.argv;
  const [command = []] = collector?.commands ?? [];
  // A report keeps the commands alone: perf has the PID of the last one.
  if (command.includes('$!')) return collector?.commands.at(-1) ?? [];
  const end = command.indexOf('--');
  return end < 0 ? [] : command.slice(end + 1);
}
