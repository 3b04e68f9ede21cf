import { Option, type Command } from 'commander';
import { COLOUR_CHOICES, type ColourChoice } from './output/colour.ts';
import { setManner } from './output/terminal.ts';

interface CommonFlags {
  readonly quiet?: true;
  readonly verbose?: true;
  readonly color: ColourChoice;
}

/** Declares the options that mean the same in every command, on a command and its subcommands. */
export function addCommonOptions(command: Command): Command {
  command
    .addOption(new Option('-q, --quiet', 'print the result and errors only').conflicts('verbose'))
    .option('-v, --verbose', 'also print what is read, how long it takes, and where internal errors come from')
    .addOption(new Option('--color <when>', 'colour the output').choices(COLOUR_CHOICES).default('auto'));
  command.commands.forEach(addCommonOptions);
  return command;
}

/** Applies them for the rest of the process. */
export function applyCommonOptions(command: Command): void {
  const chosen = command.commands.find((one) => one.name() === command.args[0]);
  const flags = [command, ...(chosen === undefined ? [] : [chosen])].map((one) => one.opts<CommonFlags>());
  setManner({
    quiet: flags.some(({ quiet }) => quiet === true),
    verbose: flags.some(({ verbose }) => verbose === true),
    colour: flags.map(({ color }) => color).find((color) => color !== 'auto') ?? 'auto',
  });
}
