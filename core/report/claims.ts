import { functionRef } from '../analyze/function-ref.ts';
import type { Report, ReportSection } from '../contract/report.ts';
import { explainComparison } from '../explain/explain-comparison.ts';
import { causesAsMarkdown, claimsAsMarkdown, doubtsAsMarkdown } from '../explain/print.ts';
import { createFormatter } from '../units/format.ts';
import { describeQuality } from '../model/quality-grade.ts';
import { code, plain } from '../export/markdown-text.ts';
import { REPORT_LOCALE, type PreparedCapture, type PreparedReport } from './prepare.ts';
import { captureTotal, functionRows, valueTypeWords } from './sections/capture-sections.ts';
import { comparisonCaption, nothingMovedIn } from './sections/comparison-sections.ts';

const format = createFormatter(REPORT_LOCALE);

/** More claims per capture than a reader remembers. */
const MOST_FUNCTIONS = 3;

type Fill = NonNullable<Extract<ReportSection, { readonly kind: 'text' }>['fill']>;

/** Returns the report with the text of the sections that are filled in from its data. */
export function fillTexts<Built extends { readonly report: Report; readonly prepared: PreparedReport }>(
  built: Built,
): Built {
  if (!built.report.sections.some((section) => section.kind === 'text' && section.fill !== undefined)) return built;
  const texts = textsOf(built.prepared);
  const report = {
    ...built.report,
    sections: built.report.sections.map((section) =>
      section.kind === 'text' && section.fill !== undefined ? { ...section, text: texts[section.fill] } : section,
    ),
  };
  return { ...built, report, prepared: { ...built.prepared, report } };
}

/**
 * Returns Markdown made from the data: of a comparison its explanation, of captures where the weight of each is. It
 * states no more than the verdicts do.
 */
function textsOf({ comparison: compared, captures }: PreparedReport): Record<Fill, string> {
  const lines = [...captures.values()].flatMap((capture) => captureClaims(capture, captures.size > 1));
  if (compared !== null) {
    // A report does not say when its captures were recorded.
    const { claims, alternatives, doubts } = explainComparison(compared.comparison, 'unknown');
    const nothing = claims.some(({ handle }) => handle !== null) ? '' : `\n\n${nothingMovedIn(compared.comparison)}`;
    return {
      claims: `${claimsAsMarkdown(claims)}${nothing}\n\nWeights: ${plain(comparisonCaption(compared))}.`,
      causes: causesAsMarkdown(alternatives),
      doubts: doubts.length === 0 ? 'None that these captures show.' : doubtsAsMarkdown(doubts),
    };
  }
  const single = 'Each capture is one run: how much this varies between runs is not known.';
  const none = captures.size === 0;
  return {
    claims: none ? 'What is the case, by how much, and how sure that is.' : `${numbered(lines)}\n\n${single}`,
    causes: 'What else could explain it, and what shows that it does not.',
    doubts: none ? 'What is not known.' : single,
  };
}

function captureClaims(capture: PreparedCapture, isOneOfMany: boolean): string[] {
  const { stacks, valueType, known } = capture;
  const share = (weight: number): string => format.share(weight, stacks.total);
  const of = isOneOfMany ? ` of ${plain(capture.name)}` : '';
  const quality = known.quality === undefined ? '' : `; quality ${plain(describeQuality(known.quality))}`;
  const rows = functionRows({ kind: 'functions', capture: capture.id, rows: MOST_FUNCTIONS, sort: 'self' }, capture);
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
