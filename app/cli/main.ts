import '../node-20.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_FOLDER } from '#app/engine/program-files.ts';
import { failurePage, failureText } from '#core/contract/failure-pages.ts';
import { ExitCode, type CommandRow } from './command.ts';
import { commands } from './commands.ts';
import { usageError } from './errors.ts';
import { exitQuietlyOnClosedPipe, reportError } from './output/report-error.ts';
import { VERSION } from '../version.ts';
import { print } from './output/terminal.ts';

/** Runs `flamebench` with the given arguments; resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  exitQuietlyOnClosedPipe();
  // Node would print the message unescaped.
  process.once('uncaughtException', (error) => process.exit(reportError(error)));
  try {
    const count = countCommonOptions(argv);
    const first = argv[count];
    const others = argv.slice(count + 1);
    if (first === '--version' || first === '-V') {
      print(`flamebench ${VERSION}\n`);
      return ExitCode.ok;
    }
    if (first === '--help' || first === '-h' || first === 'help') return await printHelp(others);
    const row = first === undefined ? undefined : commandNamed(first);
    if (row !== undefined) return await runCommand(row, [...argv.slice(0, count), ...others]);
    refuseMistypedCommand(first);
    return await runCommand(rowNamed('open'), argv);
  } catch (error) {
    return reportError(error);
  }
}

/** Returns how many of the first words are common options and their values, which may also precede the command. */
function countCommonOptions(argv: readonly string[]): number {
  let count = 0;
  for (let word = argv[0]; word !== undefined; word = argv[count]) {
    if (word === '--color') count += 2;
    else if (/^(-[qv]|--quiet|--verbose|--color=.*)$/.test(word)) count += 1;
    else break;
  }
  return count;
}

/** Commands by purpose. */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Workbench', ['open', 'serve']],
  ['Record', ['record', 'live', 'doctor', 'recipes', 'ps', 'targets']],
  ['Read a profile', ['summary', 'top', 'peek', 'traces', 'list', 'tags', 'goroutines', 'annotate']],
  ['Compare and report', ['diff', 'explain', 'report', 'ci', 'bisect', 'load', 'experiment', 'fleet', 'mcp']],
  ['Library', ['captures', 'notes', 'lines']],
  ['Formats', ['convert', 'perf-script', 'go-trace', 'formats']],
  ['Shell', ['completion', 'man']],
];
const grouped: ReadonlySet<string> = new Set(GROUPS.flatMap(([, names]) => names));

async function printHelp(argv: readonly string[]): Promise<number> {
  const topic = argv.find((word) => !word.startsWith('-'));
  const page = topic === undefined || commandNamed(topic) !== undefined ? null : failurePage(topic);
  if (page !== null) {
    print(failureText(readFileSync(join(PROGRAM_FOLDER, 'docs', 'failures', `${page}.md`), 'utf8')));
    return ExitCode.ok;
  }
  if (topic !== undefined) return runCommand(rowNamed(topic), ['--help']);
  const width = Math.max(...commands.map(({ name }) => name.length));
  const groups = [...GROUPS, ['Other', commands.map(({ name }) => name).filter((name) => !grouped.has(name))] as const];
  const lines = groups.flatMap(([title, names]) => {
    const rows = commands.filter(({ name }) => names.includes(name));
    if (rows.length === 0) return [];
    return ['', `${title}:`, ...rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)];
  });
  print(
    [
      'Usage: flamebench [command] [options]',
      '       flamebench [FILE…]',
      '',
      '  flamebench perf.data                       open it in the workbench',
      '  flamebench record perf --pid 4242          record a process; the capture stays in the library',
      '  flamebench diff before.txt after.txt       what changed, and how certain it is',
      ...lines,
      '',
      'flamebench <command> --help shows the options of a command, flamebench man its manual; -V, --version prints the version.',
      'flamebench help <page> prints what a failure means and what to do: the page or code that its message names.',
      'All commands take -q (results and errors only), -v (more) and --color auto|always|never; NO_COLOR is respected.',
      'IN may be - (stdin). Exit codes: 0 ok, 1 a condition failed, 2 usage error, 3 unreadable input, 4 capture failed, 5 condition inconclusive.',
      '',
    ].join('\n'),
  );
  return ExitCode.ok;
}

/** The parts that read the options load here: `--version` and the list of commands need none of them. */
const runCommand = async (row: CommandRow, argv: readonly string[]): Promise<number> =>
  (await import('./run-command.ts')).runCommand(row, argv);

const commandNamed = (word: string): CommandRow | undefined =>
  commands.find(({ name, alias }) => name === word || alias === word);

function rowNamed(name: string): CommandRow {
  const row = commandNamed(name);
  if (row === undefined) throw usageError(`unknown command '${name}'`, 'see flamebench --help');
  return row;
}

/** Throws for a bare word that is not a file; otherwise the workbench would start only to report a missing file. */
function refuseMistypedCommand(word: string | undefined): void {
  if (word === undefined || !/^[a-z][a-z-]*$/.test(word) || existsSync(word)) return;
  throw usageError(`'${word}' is neither a command nor a file`, 'see flamebench --help');
}
