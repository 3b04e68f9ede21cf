import { Command } from 'commander';
import type { Experiment } from '#core/contract/experiment.ts';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { machineDifference } from '#core/compare/circumstances.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { comparisonAnswer } from '#core/compare/describe-answer.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import { createValueText } from '#core/compare/value-text.ts';
import { shortenMiddle } from '#core/analyze/function-label.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { concludeLoad } from '#core/load/conclude.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { openLoadTests } from '#app/engine/loads/load-tests.ts';
import type { Library } from '#app/engine/library/library.ts';
import { messageOf } from '#core/model/failure.ts';
import { findDiffInputs } from '../diff/inputs.ts';
import { declareDiffOptions, readDiffRequest } from '../diff/options.ts';
import { moverLines } from '../diff/print.ts';
import { selectSides } from '../diff/captures.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { libraryWords } from '../library/library-option.ts';

/** Returns what an experiment shows, a sentence each. */
export async function conclusion(
  id: string,
  { before, after }: { readonly before: LoadTest; readonly after: LoadTest },
  library: string | undefined,
): Promise<string[]> {
  const comparison = compareSweeps(sweepOfTest(before), sweepOfTest(after));
  const profiled = [before, after].every(({ runs }) => runs.some(({ captures = [] }) => captures.length > 0));
  return [
    ...concludeLoad(comparison, createLoadText('en')),
    ...(profiled
      ? await functionLines(id, library)
      : ['Functions were not compared: a side has no run with a profile.']),
    ...comparison.warnings,
  ];
}

/** Returns what an experiment's load tests and captures show, a sentence each; a load test that is gone says so. */
export async function findings(
  library: Library,
  id: string,
  loads: Experiment['loads'],
  folder: string | undefined,
): Promise<string[]> {
  if (loads === undefined) return functionLines(id, folder);
  try {
    const tests = await openLoadTests(library);
    const [before, after] = [await tests.get(loads.before), await tests.get(loads.after)];
    return await conclusion(id, { before, after }, folder);
  } catch (error) {
    return [`Its load tests can't be read: ${messageOf(error)}`];
  }
}

const LONGEST_NAME = 100;

/** Says which functions changed, per request. */
async function functionLines(id: string, library: string | undefined): Promise<string[]> {
  const command = new Command();
  declareDiffOptions(command);
  command.parse([id, ...libraryWords(library)], { from: 'user' });
  const request = readDiffRequest(command);
  const sides = await selectSides(command, request, await findDiffInputs(request));
  const { rules, normalisation } = sides.options;
  const comparison = await compareFunctions(sides.before, sides.after, {
    rules,
    normalisation,
    patterns: createLimitedPatternRunner(() => 'a rule'),
  });
  const top = topMovers(comparison, buildDeltaTree(comparison), 3);
  const text = createValueText('en', comparison.normalised, comparison.whole.before);
  const shorten = (name: string): string => shortenMiddle(name, LONGEST_NAME);
  const machine = machineDifference(comparison.circumstances);
  return [
    `Functions${text.per}: ${comparisonAnswer(comparison, top, shorten, text)}.`,
    ...moverLines(comparison, top, text),
    ...(machine === null ? [] : [machine]),
  ];
}
