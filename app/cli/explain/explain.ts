import { Option, type Command } from 'commander';
import { captureFacts } from '#core/compare/measure/read-facts.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import { SIDES } from '#core/contract/side.ts';
import { explainCapture } from '#core/explain/explain-capture.ts';
import { explainComparison } from '#core/explain/explain-comparison.ts';
import type { Explanation, ExplanationContext } from '#core/explain/explanation.ts';
import { explanationAsJson, explanationAsMarkdown, explanationAsText } from '#core/explain/print.ts';
import { runOrder } from '#core/explain/run-order.ts';
import { shownInput, STDIO } from '#app/engine/files/classify-word.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { selectSides, compareSides } from '../diff/captures.ts';
import { findDiffInputs, findExperiment } from '../diff/inputs.ts';
import type { DiffInputs } from '../diff/input-types.ts';
import { declareReading, sidesRequest } from '../diff/options.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { applyTransforms, reportView } from '../input/apply-transforms.ts';
import { noteEmpty } from '../input/choose-value-type.ts';
import { addInputOptions, chooseSelection, type InputOptions, type SelectionOptions } from '../input/input-options.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { readInput } from '../input/read-input.ts';
import { addTransformOptions, givenTransforms } from '../input/transform-options.ts';
import { findInput } from '../library/find-input.ts';
import { collect } from '../option-values.ts';
import { jsonText } from '../output/json-text.ts';
import { FORCE_OPTION, outputOption, saveOutput } from '../output/output-file.ts';
import { print } from '../output/terminal.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { captureContext, comparisonContext } from './context.ts';

const FORMATS = ['text', 'md', 'json'] as const;
type Format = (typeof FORMATS)[number];

export interface ExplainFlags extends InputOptions, SelectionOptions {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly normalize?: Normalisation;
  readonly requests?: readonly string[];
  readonly to?: Format;
  readonly json?: true;
  readonly output: string;
  readonly force?: true;
}

export const explainCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('[in...]', 'a capture, an experiment, or BEFORE and AFTER')
      .option('--before <in...>', 'captures of the before side (repeatable)', collect)
      .option('--after <in...>', 'captures of the after side (repeatable)', collect);
    declareReading(command);
    command
      .addOption(new Option('--to <format>', 'what to write (default: text)').choices(FORMATS))
      .addOption(new Option('--json', 'the same as --to json').conflicts('to'))
      .addOption(outputOption('file to write; - is stdout', STDIO))
      .option(...FORCE_OPTION);
    addInputOptions(command);
    addTransformOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const flags = command.opts<ExplainFlags>();
    try {
      const [explanation, context] = await explain(command, flags);
      const format = flags.json === true ? 'json' : (flags.to ?? 'text');
      const text = {
        text: () => explanationAsText(explanation, context),
        md: () => explanationAsMarkdown(explanation, context),
        json: () => jsonText(explanationAsJson(explanation, context)),
      }[format]();
      if (flags.output === STDIO) print(text);
      else saveOutput(flags.output, flags, text);
      return ExitCode.ok;
    } catch (error) {
      throw toCliError(error);
    }
  },
};

type Explained = readonly [Explanation, ExplanationContext];

async function explain(command: Command, flags: ExplainFlags): Promise<Explained> {
  const words = command.args;
  const { before = [], after = [] } = flags;
  if (words.length === 0 && before.length === 0 && after.length === 0)
    throw usageError('nothing to explain', 'name a capture, an experiment, or BEFORE and AFTER');
  const [only] = words;
  const isAlone = words.length === 1 && before.length === 0 && after.length === 0;
  const request = sidesRequest(words, flags);
  if (!isAlone) return explainSides(command, flags, await findDiffInputs(request));
  const experiment = await findExperiment(only!, flags.library);
  return experiment === null ? explainOne(command, flags, only!) : explainSides(command, flags, experiment);
}

async function explainSides(command: Command, flags: ExplainFlags, inputs: DiffInputs): Promise<Explained> {
  const sides = await selectSides(command, sidesRequest(command.args, flags), inputs);
  const comparison = await compareSides(sides, flags.normalize);
  const order = runOrder(
    SIDES.flatMap((side) => sides[side].map(({ document }) => ({ side, startedAt: document?.startedAt ?? null }))),
  );
  return [explainComparison(comparison, order), comparisonContext(inputs, flags.library)];
}

async function explainOne(command: Command, flags: ExplainFlags, word: string): Promise<Explained> {
  if (flags.normalize !== undefined || flags.requests !== undefined)
    throw usageError('--normalize and --requests are for comparisons', 'name BEFORE and AFTER, or leave them out');
  const { path, document, isCapture, mayReadHere } = await findInput(word, flags.library);
  const recorded = await readInput(path, flags, mayReadHere);
  const applied = await applyTransforms(recorded, await givenTransforms(command, recorded));
  const { profile, resolved } = applied;
  const selection = chooseSelection(profile, flags);
  noteEmpty(profile, selection, resolved);
  reportView(applied, buildStackView(profile, selection, resolved));
  const { facts } = captureFacts(document, profile, document?.name ?? shownInput(path));
  const explanation = await explainCapture(
    { profile, selection, transforms: resolved, facts },
    createLimitedPatternRunner(() => 'a rule'),
  );
  return [explanation, captureContext(isCapture ? document!.id : path, document, flags.library)];
}
