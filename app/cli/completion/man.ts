import { Command, type Help } from 'commander';
import { addCommonOptions } from '../common-options.ts';
import { ExitCode, type CliCommand, type CommandRow } from '../command.ts';
import { usageError } from '../errors.ts';
import { print } from '../output/terminal.ts';
import { VERSION } from '../../version.ts';

const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'a condition stated with --fail-on failed'],
  [2, 'usage'],
  [3, 'the input can’t be read, or is not a profile that Flamebench reads'],
  [4, 'recording failed, or a host can’t be reached'],
  [5, 'a condition stated with --fail-on is inconclusive'],
  [70, 'an internal error'],
];

/** Prints manual pages, from what `--help` and the shells' completion are made of. */
export const manCommand = (commands: readonly CommandRow[]): CliCommand => ({
  configure(command: Command): void {
    command.argument('[command]', 'a command; without one, the page lists all').addHelpText(
      'after',
      `
  flamebench man | man -l -
  flamebench man diff | man -l -
  flamebench man > ~/.local/share/man/man1/flamebench.1`,
    );
  },

  async run(command: Command): Promise<ExitCode> {
    const [name] = command.args;
    const row = commands.find((one) => one.name === name || (name !== undefined && one.alias === name));
    if (name !== undefined && row === undefined) throw usageError(`unknown command '${name}'`, 'see flamebench --help');
    print(row === undefined ? overview(commands) : await pageOf(row));
    return ExitCode.ok;
  },
});

function overview(commands: readonly CommandRow[]): string {
  return page('flamebench', 'profiling workbench: record, open, compare and report profiles', [
    section('SYNOPSIS', [paragraph('flamebench [FILE…]'), paragraph('flamebench COMMAND [OPTION…]')]),
    section(
      'COMMANDS',
      commands.map(({ name, summary }) => term(name, summary)),
    ),
    section('OPTIONS', optionTerms(addCommonOptions(new Command()))),
    section(
      'EXIT STATUS',
      EXIT_CODES.map(([code, meaning]) => term(String(code), meaning)),
    ),
    section('SEE ALSO', [paragraph('flamebench man COMMAND prints the page of a command.')]),
  ]);
}

async function pageOf(row: CommandRow): Promise<string> {
  const { name, summary, example } = row;
  const command = new Command(`flamebench ${name}`);
  (await row.load()).configure(command);
  addCommonOptions(command);
  const help = command.createHelp();
  return page(`flamebench-${name}`, summary, [
    section('SYNOPSIS', [paragraph(help.commandUsage(command))]),
    section('ARGUMENTS', argumentTerms(help, command)),
    section('OPTIONS', optionTerms(command)),
    ...help
      .visibleCommands(command)
      .map((sub) =>
        section(sub.name().toUpperCase(), [
          paragraph(sub.description()),
          ...argumentTerms(help, sub),
          ...optionTerms(sub),
        ]),
      ),
    section('EXAMPLE', example === undefined ? [] : [paragraph(example)]),
    section('SEE ALSO', [paragraph('flamebench(1)')]),
  ]);
}

const argumentTerms = (help: Help, command: Command): string[] =>
  help.visibleArguments(command).map((one) => term(help.argumentTerm(one), help.argumentDescription(one)));

function optionTerms(command: Command): string[] {
  const help = command.createHelp();
  return help.visibleOptions(command).map((one) => term(help.optionTerm(one), help.optionDescription(one)));
}

const page = (name: string, summary: string, sections: readonly string[]): string =>
  `.TH ${roff(name.toUpperCase())} 1 "" "Flamebench ${VERSION}"\n${section('NAME', [`${roff(name)} \\- ${roff(summary)}\n`])}${sections.join('')}`;

const section = (title: string, parts: readonly string[]): string =>
  parts.length === 0 ? '' : `.SH ${roff(title)}\n${parts.join('')}`;

const paragraph = (text: string): string => `.P\n${roff(text)}\n`;

const term = (name: string, text: string): string => `.TP\n.B ${roff(name)}\n${roff(text)}\n`;

/** Escapes text for roff: backslashes, hyphens that are typed, and what begins a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .split('\n')
    .map((line) => line.replace(/^([.'])/, '\\&$1'))
    .join('\n');
