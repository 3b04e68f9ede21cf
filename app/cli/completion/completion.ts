import { Command } from 'commander';
import { addCommonOptions } from '../common-options.ts';
import { ExitCode, type CliCommand, type CommandRow } from '../command.ts';
import { usageError } from '../errors.ts';
import { print } from '../output/terminal.ts';
import { bashCompletion, fishCompletion, zshCompletion, type CompletedCommand } from './scripts.ts';

const SHELLS: ReadonlyMap<string, (commands: readonly CompletedCommand[]) => string> = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);

export const completionCommand = (commands: readonly CommandRow[]): CliCommand => ({
  configure(command: Command): void {
    command.argument('<shell>', [...SHELLS.keys()].join(', ')).addHelpText(
      'after',
      `
  source <(flamebench completion bash)                                      in ~/.bashrc
  source <(flamebench completion zsh)                                       in ~/.zshrc, after compinit
  flamebench completion fish > ~/.config/fish/completions/flamebench.fish`,
    );
  },

  async run(command: Command): Promise<ExitCode> {
    const shell = command.args[0]!;
    const write = SHELLS.get(shell);
    if (write === undefined) throw usageError(`unknown shell '${shell}'`, `use ${[...SHELLS.keys()].join(', ')}`);
    print(write(await completedCommands(commands)));
    return ExitCode.ok;
  },
});

/** Returns all commands with their options and subcommands, as their `--help` lists them. */
async function completedCommands(commands: readonly CommandRow[]): Promise<CompletedCommand[]> {
  return Promise.all(
    commands.map(async (row) => {
      const command = new Command(row.name).summary(row.summary);
      (await row.load()).configure(command);
      return completedCommand(addCommonOptions(command));
    }),
  );
}

function completedCommand(command: Command): CompletedCommand {
  const options = command.createHelp().visibleOptions(command);
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    options: options.flatMap(({ long, short, description, argChoices, required, optional }) =>
      long === undefined || long === null
        ? []
        : [
            {
              long,
              short: short ?? null,
              summary: description,
              takesValue: required || optional,
              choices: argChoices ?? [],
            },
          ],
    ),
    subcommands: command
      .createHelp()
      .visibleCommands(command)
      .filter((one) => one.name() !== 'help')
      .map(completedCommand),
  };
}
