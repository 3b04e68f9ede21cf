import { functionRef } from '../analyze/function-ref.ts';
import { describeChange, type Metric } from '../compare/describe-change.ts';
import type { Judgement } from '../compare/statistics/judge.ts';
import type { Report } from '../contract/report.ts';
import { createFormatter } from '../units/format.ts';
import { describeQuality } from '../model/quality-grade.ts';
import { code, plain } from './markdown-text.ts';
import { REPORT_LOCALE, type PreparedCapture, type PreparedComparison, type PreparedReport } from './prepare.ts';
import { captureTotal, functionRows, valueTypeWords } from './sections/capture-sections.ts';
import { comparisonCaption, nothingMovedIn, wholeText } from './sections/comparison-sections.ts';

const format = createFormatter(REPORT_LOCALE);

/** More claims than a reader remembers. */
const MOST = { movers: 5, functions: 3 } as const;

/** Returns the report with the text of the sections that are filled in from its data. */
export function fillTexts<Built extends { readonly report: Report; readonly prepared: PreparedReport }>(
  built: Built,
): Built {
  if (!built.report.sections.some((section) => section.kind === 'text' && section.fill !== undefined)) return built;
  const text = claims(built.prepared);
  const report = {
    ...built.report,
    sections: built.report.sections.map((section) =>
      section.kind === 'text' && section.fill !== undefined ? { ...section, text } : section,
    ),
  };
  return { ...built, report, prepared: { ...built.prepared, report } };
}

/**
 * Returns numbered claims as Markdown: the changes of a comparison with sizes, intervals and what weights are divided
 * by, or where the weight of each capture is. They state no more than the verdicts do.
 */
function claims({ comparison, captures }: PreparedReport): string {
  if (comparison !== null) return comparedClaims(comparison);
  if (captures.size === 0) return 'What is the case, by how much, and how sure that is.';
  const lines = [...captures.values()].flatMap((capture) => captureClaims(capture, captures.size > 1));
  return `${numbered(lines)}\n\nEach capture is one run: how much this varies between runs is not known.`;
}

function comparedClaims(compared: PreparedComparison): string {
  const { comparison, movers, text, reason } = compared;
  const sentence = (name: string, judgement: Judgement, metric: Metric): string => {
    const { headline, detail } = describeChange(judgement, metric, text, reason);
    return `${name} ${plain(headline)}: ${plain(detail)}.`;
  };
  const lines = movers.movers
    .slice(0, MOST.movers)
    .map(({ func, column, judgement }) =>
      sentence(code(functionRef(comparison.matched.table, func).name), judgement, column),
    );
  if (lines.length === 0) lines.push(nothingMovedIn(comparison));
  return `${numbered([plain(wholeText(compared)), ...lines])}\n\nWeights: ${plain(comparisonCaption(compared))}.`;
}

function captureClaims(capture: PreparedCapture, isOneOfMany: boolean): string[] {
  const { stacks, valueType, known } = capture;
  const share = (weight: number): string => format.share(weight, stacks.total);
  const of = isOneOfMany ? ` of ${plain(capture.name)}` : '';
  const quality = known.quality === undefined ? '' : `; quality ${plain(describeQuality(known.quality))}`;
  const rows = functionRows({ kind: 'functions', capture: capture.id, rows: MOST.functions, sort: 'self' }, capture);
  return [
    `${isOneOfMany ? `${plain(capture.name)}: ` : ''}${plain(valueTypeWords(capture))}, ${captureTotal(capture)}${quality}.`,
    ...rows
      .filter(({ self }) => self !== 0)
      .map(
        ({ func, self, total }) =>
          `${code(functionRef(stacks.profile, func).name)} itself has ${share(self)}${of} (${format.value(self, valueType.unit)} self), with its callees ${share(total)}.`,
      ),
  ];
}

const numbered = (lines: readonly string[]): string => lines.map((line, place) => `${place + 1}. ${line}`).join('\n');
