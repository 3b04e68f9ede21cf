import type { Command } from 'commander';

/** Exit codes of the process; see docs/cli.md. */
export const ExitCode = {
  ok: 0,
  /** A condition given by the user does not hold (`--fail-on`). */
  conditionFailed: 1,
  usage: 2,
  /** The input is unreadable or not a profile that Flamebench understands. */
  input: 3,
  captureFailed: 4,
  /** The captures are insufficient to decide a condition. */
  inconclusive: 5,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * A subcommand. app/cli/<name>.ts exports one constant of this type, and app/cli/commands.ts has its row. Only the
 * module of the subcommand that runs is loaded, so anything slow to load belongs behind an `import()` inside `run`.
 */
export interface CliCommand {
  /** Declares arguments, options and help text. Actions are not used: `run` is called after parsing. */
  configure(command: Command): void;
  /** Reorders arguments to the order that `configure` declares, if users may give them in another. */
  arrange?(argv: readonly string[]): readonly string[];
  /**
   * Does the work. Arguments are in `command.args` (what follows `--` included), options in `command.opts<T>()`. Throws
   * {@link CliError} (app/cli/errors.ts) for what the user should know in one line. The process ends once nothing keeps
   * it alive, with the returned code: an {@link ExitCode}, or that of a program that was run.
   */
  run(command: Command): Promise<number>;
}

export interface CommandRow {
  readonly name: string;
  /** Another name, which lists leave out. */
  readonly alias?: string;
  /** One line for `flamebench --help`. */
  readonly summary: string;
  /** A typical command line, for the help of commands that show none themselves. */
  readonly example?: string;
  load(): Promise<CliCommand>;
}
