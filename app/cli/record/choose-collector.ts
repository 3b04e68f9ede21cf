import { Command, CommanderError } from 'commander';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { runtimeOf, toolSentence } from '#core/contract/runtimes.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { noSuchProcess } from '#collectors/chosen-process.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { addCommonOptions } from '../common-options.ts';
import { captureError, usageError, usageMessage } from '../errors.ts';
import { readPid } from '../option-values.ts';
import { askLine, askYes } from '../output/ask-yes.ts';
import { sayAlways } from '../output/terminal.ts';
import { withTargets } from '../targets/cli-targets.ts';
import { recordRows } from './collectors.ts';
import { canReadKeys } from './restart-key.ts';
import type { RecordRow } from './series-options.ts';

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
  const process = await namedProcess(words);
  const { row, reason, note, tool } = suggestFor(process);
  const named = `process ${process.pid} is ${reason}`;
  const command = quoteArgv(['flamebench', 'record', row.id, ...words]);
  if (!canReadKeys()) {
    const both = row.both === undefined ? '' : `; with ${row.both.words.join(' ')}, also ${row.both.adds}`;
    throw usageError(`no collector given; ${named}`, `${command}${both}${tool === null ? '' : `. ${tool}`}`);
  }
  sayAlways(`${named}.${note === null ? '' : ` ${note}`}`);
  const chosen = (more: readonly string[]): Chosen => ({ row, command: parsed(commandOf(row), [...words, ...more]) });
  const [option] = row.both?.words ?? [];
  if (row.both === undefined || words.some((word) => word === option || word.startsWith(`${option}=`)))
    return (await askYes(`Record it with ${row.id}?`)) ? chosen([]) : null;
  const answer = await askLine(`Record it with ${row.id}, or with both (b)? [Y/n/b] `);
  if (/^b(?:oth)?$/i.test(answer)) return chosen(row.both.words);
  return /^(?:y(?:es)?)?$/i.test(answer) ? chosen([]) : null;
}

interface Suggestion {
  readonly row: RecordRow;
  readonly reason: string;
  /** What the user accepts, or the command of another tool. Null: nothing to say. */
  readonly note: string | null;
  /** The command of another tool that samples its functions. */
  readonly tool: string | null;
}

function suggestFor(process: ProcessRow): Suggestion {
  const found = runtimeOf(process);
  const row = recordRows.find(({ id }) => id === (found?.collector ?? 'perf'))!;
  if (found === null)
    return { row, reason: `${process.runtime ?? process.name}: perf samples its native code`, note: null, tool: null };
  const tool = toolSentence(found, process.pid);
  return { row, reason: `${found.name}: ${found.samples}`, note: found.note ?? tool, tool };
}

async function namedProcess(words: readonly string[]): Promise<ProcessRow> {
  const options = quietCommand()
    .allowUnknownOption()
    .allowExcessArguments()
    .requiredOption('--pid <pid>', '', readPid)
    .option('--target <target>', '', LOCAL_TARGET);
  const { pid, target: named } = parsed(options, words).opts<{ pid: number; target: string }>();
  return withTargets(async (targets) => {
    const found = await findProcess(await targets.open(await targets.resolveOne(named)), pid);
    if (found !== null) return found;
    const { message, remedy, code } = noSuchProcess(pid);
    throw captureError(message, remedy, code);
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
