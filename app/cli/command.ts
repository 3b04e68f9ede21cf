import type { Command } from 'commander';

/** What the process ends with; see docs/cli.md. */
export const ExitCode = {
  ok: 0,
  /** A condition that the user stated does not hold (`--fail-on`). */
  conditionFailed: 1,
  usage: 2,
  /** The input can't be read or is no profile that Flamebench understands. */
  input: 3,
  captureFailed: 4,
  /** The captures can't tell whether a stated condition holds. */
  inconclusive: 5,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * One subcommand: app/cli/<name>.ts exports one const of this type, app/cli/commands.ts has its row. Only the module of the subcommand
 * that runs is loaded, so anything slow to load belongs behind an `import()` inside `run`.
 */
export interface CliCommand {
  /** Declares arguments, options and help text. Actions are not used: `run` is called after parsing. */
  configure(command: Command): void;
  /** The arguments as `configure` declared them, where users may also give them in another order. */
  arrange?(argv: readonly string[]): readonly string[];
  /**
   * Does the work. Arguments are in `command.args` (what follows `--` included), options in `command.opts<T>()`. Throws
   * {@link CliError} (app/cli/errors.ts) for what the user should know in one line. The process ends once nothing keeps it
   * alive, with the code returned.
   */
  run(command: Command): Promise<ExitCode>;
}
