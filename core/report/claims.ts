import type { PatternRunner } from '../analyze/transforms/resolve-transforms.ts';
import type { Report, ReportSection } from '../contract/report/report.ts';
import { SIDES } from '../contract/side.ts';
import { explainCapture } from '../explain/explain-capture.ts';
import { explainComparison } from '../explain/explain-comparison.ts';
import type { Explanation } from '../explain/explanation.ts';
import { markdownParts } from '../explain/print.ts';
import { recordedCommands } from '../explain/recorded-commands.ts';
import { runOrder } from '../explain/run-order.ts';
import { plain } from '../export/markdown-text.ts';
import type { PreparedCapture, PreparedReport } from './prepare.ts';

type Fill = NonNullable<Extract<ReportSection, { readonly kind: 'text' }>['fill']>;

/** Returns the report with the text of the sections that are filled in from its data. */
export async function fillTexts<Built extends { readonly report: Report; readonly prepared: PreparedReport }>(
  built: Built,
  patterns: PatternRunner,
): Promise<Built> {
  if (!built.report.sections.some((section) => section.kind === 'text' && section.fill !== undefined)) return built;
  const texts = await textsOf(built.prepared, patterns);
  const report = {
    ...built.report,
    sections: built.report.sections.map((section) =>
      section.kind === 'text' && section.fill !== undefined ? { ...section, text: texts[section.fill] } : section,
    ),
  };
  return { ...built, report, prepared: { ...built.prepared, report } };
}

const NOTHING: Readonly<Record<Fill, string>> = {
  claims: 'What you found, by how much, and how certain it is.',
  causes: 'What else could explain it, and the evidence against it.',
  doubts: 'What is not known.',
};

/** Returns the text of `flamebench explain` about the comparison, or about each capture. */
async function textsOf(prepared: PreparedReport, patterns: PatternRunner): Promise<Record<Fill, string>> {
  const captures = [...prepared.captures.values()];
  if (prepared.comparison !== null) {
    const explanation = explainComparison(prepared.comparison.comparison, orderOf(prepared));
    return asTexts(explanation, captures);
  }
  if (captures.length === 0) return NOTHING;
  const texts: Record<Fill, string>[] = [];
  for (const capture of captures) {
    const { profile, selection, known } = capture;
    const explanation = await explainCapture({ profile, selection, transforms: null, facts: known }, patterns);
    texts.push(asTexts(explanation, [capture]));
  }
  if (texts.length === 1) return texts[0]!;
  const all = (fill: Fill): string =>
    texts.map((one, place) => `**${plain(captures[place]!.name)}**\n\n${one[fill]}`).join('\n\n');
  return { claims: all('claims'), causes: all('causes'), doubts: all('doubts') };
}

function asTexts(explanation: Explanation, captures: readonly PreparedCapture[]): Record<Fill, string> {
  const commands = recordedCommands(captures.map(({ facts }) => facts));
  const parts = new Map(markdownParts(explanation, { commands, evidenceOf: () => null }));
  const titled = ['Basis', 'Command', 'Environment'].flatMap((title) => {
    const text = parts.get(title)!;
    return text === '' ? [] : [`**${title}**`, text];
  });
  return {
    claims: [`**${plain(explanation.answer)}**`, parts.get('Claims')!, ...titled].join('\n\n'),
    causes: parts.get('Other causes')!,
    doubts: parts.get('Remaining doubt')! || 'None that these captures show.',
  };
}

function orderOf({ report, captures }: PreparedReport) {
  const { comparison } = report;
  return runOrder(
    SIDES.flatMap((side) =>
      (comparison?.[side].captures ?? []).map(({ capture }) => ({
        side,
        startedAt: captures.get(capture)?.facts?.startedAt ?? null,
      })),
    ),
  );
}
