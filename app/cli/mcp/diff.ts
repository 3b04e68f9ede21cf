import { Command } from 'commander';
import { unknownCircumstances } from '#core/compare/circumstances.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { comparisonAnswer } from '#core/compare/describe-answer.ts';
import type { Metric } from '#core/compare/statistics/judge.ts';
import { methodText } from '#core/compare/describe-comparison.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import { createValueText } from '#core/compare/value-text.ts';
import { judgementText, maybeReason, runCounts } from '#core/compare/verdict-words.ts';
import { selectSides, compareSides } from '../diff/captures.ts';
import { findDiffInputs } from '../diff/inputs.ts';
import { sidesRequest, type ShownFunctions } from '../diff/options.ts';
import { moverLines, wholeLines } from '../diff/print.ts';
import { rankRows } from '../diff/report.ts';
import { catchOutput } from '../output/terminal.ts';
import { quoted, tablePage, type Page } from './answer.ts';

const MOST_MOVERS = 5;

interface DiffAsked extends Page {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly library: string | undefined;
  readonly type: string | undefined;
  readonly sort: Metric;
  readonly show: ShownFunctions;
}

/**
 * Compares like `flamebench diff` with its defaults; returns the verdicts as sentences and a page of functions, and what
 * the command would say on stderr.
 */
export async function diffLines(asked: DiffAsked): Promise<{ lines: readonly string[]; said: string }> {
  const { said, result: lines } = await catchOutput(() => compareLines(asked));
  return { lines, said };
}

async function compareLines(asked: DiffAsked): Promise<string[]> {
  const { library, type, before: wordsBefore, after: wordsAfter } = asked;
  const request = sidesRequest([], { library, type, before: wordsBefore, after: wordsAfter });
  const comparison = await compareSides(await selectSides(new Command(), request, await findDiffInputs(request)));
  const { normalised, design, warnings } = comparison;
  const rows = rankRows(comparison, asked.sort, asked.show);
  const text = createValueText(
    'en',
    normalised,
    rows.reduce((most, row) => Math.max(most, row[asked.sort].before, row[asked.sort].after), 0),
  );
  const reason = maybeReason(design, runCounts(design));
  const movers = topMovers(comparison, buildDeltaTree(comparison), MOST_MOVERS);
  return [
    `verdict: ${comparisonAnswer(comparison, movers, quoted, text)}`,
    ...wholeLines(comparison, text, quoted),
    ...moverLines(comparison, movers, text, quoted),
    ...warnings.map(({ message }) => `warning: ${quoted(message)}`),
    ...environmentLines(comparison),
    `values: ${quoted(normalised.unit)}, ${normalised.kind}: ${normalised.formula}`,
    `method: ${methodText(design, runCounts(design))}`,
    ...tablePage(
      ['before', 'after', 'delta', 'interval', 'verdict', 'presence', `function (${asked.sort})`, 'module'],
      rows.map((row) => {
        const { before: was, after: is, delta, interval } = row[asked.sort];
        const range = interval === null ? '–' : `${interval[0]} to ${interval[1]}`;
        const verdict = judgementText(row[asked.sort], reason);
        return [was, is, delta, range, verdict, row.presence, quoted(row.name), quoted(row.module)];
      }),
      asked,
    ),
  ];
}

/** Names what differs between the sides besides the program, and what is known of one side only. */
function environmentLines({ circumstances }: Comparison): string[] {
  const unknown = unknownCircumstances(circumstances);
  return [
    ...circumstances
      .filter(({ status }) => status === 'differs')
      .map(
        ({ label, before, after }) => `environment differs: ${label} ${quoted(before ?? '')} to ${quoted(after ?? '')}`,
      ),
    ...(unknown === null ? [] : [`environment ${unknown}`]),
  ];
}
