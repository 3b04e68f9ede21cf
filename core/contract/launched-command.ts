import type { CaptureDocument, Scope } from './schemas.ts';

/** Returns the argv that starts the command in its folder and environment with coreutils' `env`, for display. */
export const startArgv = ({ argv, cwd, env = [] }: Extract<Scope, { kind: 'command' }>): readonly string[] =>
  cwd === undefined && env.length === 0 ? argv : ['env', ...(cwd === undefined ? [] : ['-C', cwd]), ...env, ...argv];

/** Returns the name of a capture of a launched command until the user renames it: the program without its folders. */
export const commandTitle = ([program = '', ...words]: readonly string[]): string =>
  titleOf([program.slice(program.lastIndexOf('/') + 1) || program, ...words]);

/** Returns the names that this version and earlier ones give to a capture of a launched command. */
export const commandTitles = (argv: readonly string[]): string[] => [commandTitle(argv), titleOf(argv)];

const titleOf = (argv: readonly string[]): string => argv.slice(0, 4).join(' ').slice(0, 80);

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
