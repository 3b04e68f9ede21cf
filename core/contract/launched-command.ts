import type { CaptureDocument } from './schemas.ts';

/**
 * Returns the argv of the program that a capture launched; empty if it launched nothing. Documents of earlier versions
 * have it as the part of perf's own argv that follows `--`.
 */
export function launchedCommand({
  options,
  collector,
}: Partial<Pick<CaptureDocument, 'options' | 'collector'>>): readonly string[] {
  if (options?.scope.kind === 'command') return options.scope.argv;
  const [command = []] = collector?.commands ?? [];
  // Reports keep only the commands, without options; perf gets the PID of the last one.
  if (command.includes('$!')) return collector?.commands.at(-1) ?? [];
  const end = command.indexOf('--');
  return end < 0 ? [] : command.slice(end + 1);
}
