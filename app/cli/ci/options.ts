import type { Command } from 'commander';
import { usageError } from '../errors.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { collect, numberOption, refuseOptions, wholeNumberOption } from '../option-values.ts';
import { FORCE_OPTION } from '../output/output-file.ts';
import { parseFailCondition } from '../diff/fail-condition.ts';
import { CONFIG_FILE } from './config.ts';
import type { Side } from '#core/contract/side.ts';

interface GateFlags {
  readonly base?: string;
  readonly head: string;
  readonly build?: string;
  readonly name?: string;
  readonly failOn?: readonly string[];
  readonly pairs?: number;
  readonly mostPairs?: number;
  readonly minutes?: number;
  readonly rate?: number;
  readonly selfTest?: true;
  readonly state?: string;
  readonly comment?: string;
  readonly html?: string;
  readonly junit?: string;
  readonly sarif?: string;
  readonly json?: true;
  readonly force?: true;
  readonly library?: string;
}

/** The options of `flamebench ci`; absent: the file's, or the default. */
export interface GateRequest extends GateFlags {
  /** The command that runs in both checkouts; empty: the benchmarks of the file. */
  readonly words: readonly string[];
  /** Two programs instead of two commits. */
  readonly programs: Readonly<Record<Side, readonly string[]>> | null;
}

export function declareGateOptions(command: Command): void {
  command
    .argument('[command...]', `after --: the benchmark, run in both checkouts, or -- BASE… -- HEAD…`)
    .option(
      '--base <ref>',
      'commit to compare with; its common ancestor with the head counts. Default: of the CI system',
    )
    .option('--head <ref>', 'commit to judge', 'HEAD')
    .option('--build <line>', 'line for sh that builds each checkout, in its root and without secrets')
    .option('--name <name>', 'name of the benchmark; default: its program')
    .option(
      '--fail-on <condition>',
      "fail if it holds: 'self(regex) > +5%' (repeatable; default: any growth shown)",
      collect,
    )
    .option('--pairs <runs>', 'runs of each side at the first look (default: 10)', wholeNumberOption(4, 100))
    .option('--most-pairs <runs>', 'runs of each side after which it decides (default: 30)', wholeNumberOption(4, 100))
    .option(
      '--minutes <minutes>',
      'time after which it decides by the runs so far (default: 30)',
      numberOption('minutes', 0, 1440),
    )
    .option('--rate <hertz>', 'samples per second and CPU (default: 999)', wholeNumberOption(1, 50_000))
    .option('--self-test', 'compare the base with itself: is the gate quiet on this runner?')
    .option('--state <file>', 'keep the results for the rates of the next gates; created if missing')
    .option('--comment <file>', 'write the comment for the pull request, as Markdown')
    .option('--html <file>', 'write the report of each benchmark')
    .option('--junit <file>', 'write the conditions as JUnit XML')
    .option('--sarif <file>', 'write regressions as SARIF, at the changed lines')
    .option('--json', 'print JSON')
    .option(...FORCE_OPTION)
    .option(...LIBRARY_OPTION)
    .addHelpText(
      'after',
      `\nRules, benchmarks and owners are read from ${CONFIG_FILE} in the root of the base commit.\nExit codes: 0 passed, 1 failed, 5 inconclusive, 4 a build or a run failed.`,
    );
}

/** Throws a usage error for conflicting options. */
export function readGateRequest(command: Command): GateRequest {
  if (process.env['GITHUB_EVENT_NAME'] === 'pull_request_target') {
    throw usageError(
      'pull_request_target runs a stranger’s code with the repository’s secrets',
      'use the event pull_request',
    );
  }
  const flags = command.opts<GateFlags>();
  const programs = programsOf(command.args);
  if (programs !== null && (flags.base !== undefined || flags.build !== undefined))
    throw usageError('--base and --build are for commits', 'leave them out, or give one command after --');
  if (programs !== null) refuseOptions(command, 'a gate of two programs', ['head']);
  if (command.args.length === 0)
    refuseOptions(command, 'a gate without a command', ['name'], `${CONFIG_FILE} names the benchmarks`);
  // Errors of conditions come before anything is built.
  for (const condition of flags.failOn ?? []) parseFailCondition(condition);
  const files = [flags.comment, flags.html, flags.junit, flags.sarif, flags.state].filter((file) => file !== undefined);
  if (new Set(files).size < files.length) throw usageError('two outputs have one name', 'name each differently');
  return { ...flags, words: programs === null ? command.args : [], programs };
}

/** Returns the sides of `-- BASE… -- HEAD…`; null without a second `--`. */
function programsOf(argv: readonly string[]): GateRequest['programs'] {
  const at = argv.indexOf('--');
  if (at < 0) return null;
  const [before, after] = [argv.slice(0, at), argv.slice(at + 1)];
  if (before.length > 0 && after.length > 0 && !after.includes('--')) return { before, after };
  throw usageError('two programs are wanted: -- BASE… -- HEAD…', "wrap one that contains -- in sh -c '…'");
}
