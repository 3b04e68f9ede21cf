import type { Command } from 'commander';
import {
  DEFAULT_KIND_RULES,
  KindRuleError,
  MAX_RULES_LENGTH,
  parseKindRules,
  type KindRule,
} from '#core/analyze/summary/kind-rules.ts';
import { summarise } from '#core/analyze/summary/summary.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { functionNames } from '#core/analyze/search.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { previousRun } from '#core/contract/previous-run.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import { receiptOf } from '#core/model/receipt.ts';
import { countShownSamples } from '#core/model/sample-counts.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { usageError } from '../errors.ts';
import { reportView } from '../input/apply-transforms.ts';
import { findExperimentId } from '../library/find-input.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { readOptionFile } from '../input/read-option-file.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { jsonText } from '../output/json-text.ts';
import { print, printTable, terminalWidth } from '../output/terminal.ts';
import { summaryAsCsv, summaryAsJson, summaryAsText, type PrintedSummary } from './print.ts';

interface SummaryFlags extends ViewOptions {
  readonly rules?: string;
  readonly printRules?: true;
}

export const summaryCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('[in]', 'file, or a capture (id or prefix of its name) or experiment (id) of the library; - is stdin')
      .option('--rules <file>', 'rules for the shares by kind, as --print-rules prints them')
      .option('--print-rules', 'print the rules and exit');
    addViewOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<SummaryFlags>();
    const text = options.rules === undefined ? DEFAULT_KIND_RULES : readRules(options.rules);
    const rules = parse(text, options.rules ?? '--rules');
    if (options.printRules === true) {
      print(text.endsWith('\n') ? text : `${text}\n`);
      return ExitCode.ok;
    }
    const [word] = command.args;
    if (word === undefined) throw usageError('missing argument: a file or a capture of the library');
    const experiment = await findExperimentId(word, options.library);
    if (experiment !== null) {
      const { printExperiment } = await import('./experiment.ts');
      await printExperiment(experiment, options, (capture) => summaryOf(command, capture, rules));
    } else printSummary(options, await summaryOf(command, word, rules));
    return ExitCode.ok;
  },
};

function printSummary({ csv, json }: SummaryFlags, printed: PrintedSummary): void {
  if (csv === true) printTable(summaryAsCsv(printed));
  else print(json === true ? jsonText(summaryAsJson(printed)) : summaryAsText(printed, terminalWidth()));
}

async function summaryOf(command: Command, word: string, rules: readonly KindRule[]): Promise<PrintedSummary> {
  const options = command.opts<SummaryFlags>();
  const { found, recorded, profile, selection, applied } = await readView(command, word);
  const { resolved } = applied;
  const view = buildStackView(profile, selection, resolved);
  const names = view.profile === profile ? applied.names : functionNames(view.profile);
  const summary = await summarise(
    { profile, selection, resolved, view, stats: functionStats(view), names },
    rules,
    createLimitedPatternRunner(() => options.rules ?? 'a rule'),
  );
  reportView(applied, view);
  const { document } = found;
  return {
    name: document?.name ?? found.path,
    summary,
    view,
    quality: captureQuality(recorded, { lost: document?.lostSamples ?? 0 }),
    samples: countShownSamples(recorded),
    receipt: receiptOf(recorded),
    previous: document === null || !found.isCapture ? null : await findPrevious(document, options.library),
    document,
    library: options.library,
  };
}

function readRules(path: string): string {
  const text = readOptionFile(path);
  if (text.length > MAX_RULES_LENGTH) throw usageError(`${path}: longer than ${MAX_RULES_LENGTH} characters`);
  return text;
}

function parse(text: string, name: string): readonly KindRule[] {
  try {
    return parseKindRules(text);
  } catch (error) {
    if (!(error instanceof KindRuleError)) throw error;
    throw usageError(
      `${name}:${error.line}: ${error.message}`,
      'flamebench summary --print-rules prints the default ones',
    );
  }
}

async function findPrevious(document: CaptureDocument, folder: string | undefined): Promise<CaptureDocument | null> {
  const library = await (await import('../library/open-library.ts')).openCliLibrary(folder);
  try {
    return previousRun(document, (await library.list()).captures);
  } finally {
    library.close();
  }
}
