import { Command, CommanderError } from 'commander';
import { notingReads } from '#app/engine/files/read-files.ts';
import { ExitCode, type CommandRow } from './command.ts';
import { addCommonOptions, applyCommonOptions } from './common-options.ts';
import { usageError, usageMessage } from './errors.ts';
import { detail, print } from './output/terminal.ts';

/** Runs a subcommand with its arguments; resolves with the exit code. */
export async function runCommand(row: CommandRow, argv: readonly string[]): Promise<number> {
  const subcommand = await row.load();
  const command = new Command(`flamebench ${row.name}`)
    .description(row.summary)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => undefined })
    .allowExcessArguments(false);
  subcommand.configure(command);
  addCommonOptions(command);
  if (row.example !== undefined) command.addHelpText('after', `\nExample:\n  ${row.example}`);
  try {
    await command.parseAsync(subcommand.arrange?.(argv) ?? argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return ExitCode.ok;
    throw usageError(usageMessage(error), `see flamebench ${row.name} --help`);
  }
  applyCommonOptions(command);
  const code = await notingReads(() => subcommand.run(command));
  const { user, system } = process.cpuUsage();
  detail(
    `${row.name}: ${process.uptime().toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} s of CPU, ${peakMebibytes()} MiB at most`,
  );
  return code;
}

const peakMebibytes = (): number => Math.round(process.resourceUsage().maxRSS / 1024);
