import { Command, CommanderError } from 'commander';
import { isJava, JAVA_CONSENT } from '#core/contract/java.ts';
import { isNode, NODE_CONSENT } from '#core/contract/node.ts';
import { isPython, pythonNote } from '#core/contract/python.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { noSuchProcess } from '#collectors/chosen-process.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { addCommonOptions } from '../common-options.ts';
import { captureError, usageError, usageMessage } from '../errors.ts';
import { askYes } from '../output/ask-yes.ts';
import { sayAlways } from '../output/terminal.ts';
import { withTargets } from '../targets/cli-targets.ts';
import { javaRow } from './java/options.ts';
import { nodeRow } from './node/options.ts';
import { perfRow } from './perf/options.ts';
import { pythonRow } from './python/options.ts';
import { canReadKeys } from './restart-key.ts';
import { wholeNumberOption, type RecordRow } from './series-options.ts';

/** A collector, and its options as given. */
interface Chosen {
  readonly row: RecordRow;
  readonly command: Command;
}

/** Returns whether options without a collector name a process, which suggests one. */
export const namesProcess = (words: readonly string[]): boolean => words.some((word) => /^--pid(?:=|$)/.test(word));

/**
 * Proposes the collector for the process of `--pid` and asks for it in the terminal; null if the user declines. Without a
 * terminal, throws a usage error with the command.
 */
export async function chooseCollector(words: readonly string[]): Promise<Chosen | null> {
  const process = await findNamed(words);
  const { row, reason, note } = suggestFor(process);
  const named = `process ${process.pid} is ${reason}`;
  const command = quoteArgv(['flamebench', 'record', row.id, ...words]);
  if (!canReadKeys()) throw usageError(`no collector given; ${named}`, command);
  sayAlways(`${named}.${note === null ? '' : ` ${note}`}`);
  return (await askYes(`Record it with ${row.id}?`)) ? { row, command: parsed(commandOf(row), words) } : null;
}

interface Suggestion {
  readonly row: RecordRow;
  readonly reason: string;
  /** What the user accepts. */
  readonly note: string | null;
}

const RUNTIMES: readonly (Suggestion & { readonly is: (process: ProcessRow) => boolean })[] = [
  {
    row: nodeRow,
    is: isNode,
    reason: 'Node: node samples its JavaScript functions, perf its native code',
    note: NODE_CONSENT,
  },
  {
    row: javaRow,
    is: isJava,
    reason: 'Java: java records its methods, allocations and locks, perf its native code',
    note: JAVA_CONSENT,
  },
  {
    row: pythonRow,
    is: isPython,
    reason: 'Python: python samples its functions, perf its native code',
    note: pythonNote({ stacks: 'python' }),
  },
];

function suggestFor(process: ProcessRow): Suggestion {
  const found = RUNTIMES.find(({ is }) => is(process));
  if (found !== undefined) return found;
  return { row: perfRow, reason: `${process.runtime ?? process.name}: perf samples its native code`, note: null };
}

async function findNamed(words: readonly string[]): Promise<ProcessRow> {
  const options = quietCommand()
    .allowUnknownOption()
    .allowExcessArguments()
    .requiredOption('--pid <pid>', '', wholeNumberOption(1, 4_194_304))
    .option('--target <target>', '', LOCAL_TARGET);
  const { pid, target: named } = parsed(options, words).opts<{ pid: number; target: string }>();
  return withTargets(async (targets) => {
    const [id = named] = await targets.resolve([named]);
    const found = await findProcess(await targets.open(id), pid);
    if (found !== null) return found;
    const { message, remedy } = noSuchProcess(pid);
    throw captureError(message, remedy);
  });
}

/** Returns a command that has a collector's options, and prints nothing itself. */
export function commandOf(row: RecordRow): Command {
  const command = quietCommand();
  row.declare(command);
  addCommonOptions(command);
  return command;
}

const quietCommand = (): Command => new Command().exitOverride().configureOutput({ writeErr: () => undefined });

function parsed(command: Command, words: readonly string[]): Command {
  try {
    return command.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw usageError(usageMessage(error), 'see flamebench record --help');
  }
}
