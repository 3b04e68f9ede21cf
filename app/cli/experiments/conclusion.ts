import type { Experiment } from '#core/contract/experiment.ts';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { machineDifference } from '#core/compare/circumstances.ts';
import { comparisonAnswer } from '#core/compare/describe-answer.ts';
import { limitingWarnings } from '#core/compare/describe-comparison.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import { createValueText } from '#core/compare/value-text.ts';
import { shortenMiddle } from '#core/analyze/function-label.ts';
import { compareSweeps, type LoadComparison } from '#core/load/compare-sweeps.ts';
import { comparisonDocument } from '#core/load/comparison-json.ts';
import { comparedPart, concludeLoad, NO_FUNCTIONS } from '#core/load/conclude.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { openLoadTests } from '#app/engine/loads/load-tests.ts';
import type { Library } from '#app/engine/library/library.ts';
import { messageOf } from '#core/model/failure.ts';
import { moverLines } from '../diff/print.ts';
import { compareSides, sidesOfExperiment } from '../diff/captures.ts';
import { comparedParagraphs } from '../load/compared.ts';

const text = createLoadText('en');

/** What an experiment shows. */
export interface Findings {
  /** Null: it has no load tests, or they can't be read. */
  readonly loads: LoadComparison | null;
  readonly sentences: readonly string[];
}

/** Findings of an experiment whose load tests are there. */
export interface LoadFindings extends Findings {
  readonly loads: LoadComparison;
}

/** Returns what an experiment shows. */
export async function conclusion(
  id: string,
  { before, after }: { readonly before: LoadTest; readonly after: LoadTest },
  library: string | undefined,
): Promise<LoadFindings> {
  const comparison = compareSweeps(sweepOfTest(before), sweepOfTest(after));
  const profiled = [before, after].every(({ runs }) => runs.some(({ captures = [] }) => captures.length > 0));
  const runs = { before: before.runs, after: after.runs };
  const sentences = [
    ...concludeLoad(comparison, text),
    ...(profiled ? await functionLines(id, library, comparedPart(comparison, runs)) : [NO_FUNCTIONS]),
  ];
  return { loads: comparison, sentences };
}

/** Returns findings as lines: the sentences, then the tables of components and series, and the notes. */
export const findingLines = ({ loads, sentences }: Findings): string[] => [
  ...sentences,
  ...(loads === null ? [] : comparedParagraphs(loads, sentences).flatMap((lines) => ['', ...lines])),
];

/** Returns the changes under load for programs; empty without load tests. */
export const changesOf = ({ loads }: Findings) =>
  loads === null ? {} : { loadChanges: comparisonDocument(loads, text) };

/** Returns what an experiment's load tests and captures show; a load test that is gone is said to be. */
export async function findings(
  library: Library,
  id: string,
  loads: Experiment['loads'],
  folder: string | undefined,
): Promise<Findings> {
  if (loads === undefined) return { loads: null, sentences: await functionLines(id, folder, '') };
  try {
    const tests = await openLoadTests(library);
    const [before, after] = [await tests.get(loads.before), await tests.get(loads.after)];
    return await conclusion(id, { before, after }, folder);
  } catch (error) {
    return { loads: null, sentences: [`Its load tests can't be read: ${messageOf(error)}`] };
  }
}

const LONGEST_NAME = 100;

/** Says which functions changed, per request. `of`: of what, as in ` of app`; empty if there is nothing to choose from. */
async function functionLines(id: string, library: string | undefined, of: string): Promise<string[]> {
  const { sides } = await sidesOfExperiment(id, library);
  const comparison = await compareSides(sides);
  const top = topMovers(comparison, buildDeltaTree(comparison), 3);
  const text = createValueText('en', comparison.normalised, comparison.whole.before);
  const shorten = (name: string): string => shortenMiddle(name, LONGEST_NAME);
  const machine = machineDifference(comparison.circumstances);
  return [
    `Functions${of}${text.per}: ${comparisonAnswer(comparison, top, shorten, text)}.`,
    ...moverLines(comparison, top, text, shorten),
    ...limitingWarnings(comparison.warnings),
    ...(machine === null ? [] : [machine]),
  ];
}
