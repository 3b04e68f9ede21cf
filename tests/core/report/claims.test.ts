import { expect, it } from 'vitest';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { explainCapture } from '#core/explain/explain-capture.ts';
import { explainComparison } from '#core/explain/explain-comparison.ts';
import type { Explanation } from '#core/explain/explanation.ts';
import { explanationAsMarkdown } from '#core/explain/print.ts';
import { analyseReport, draftCaptureId } from '#core/report/build-report.ts';
import type { PreparedCapture } from '#core/report/prepare.ts';
import { reportPage } from '#core/report/page.ts';
import { htmlText } from '#core/export/markup.ts';
import { reportCsv, reportJson, reportMarkdown } from '#core/report/report-text.ts';
import { asTemplate, templates } from '#core/report/templates.ts';
import type { ReportSection } from '#core/contract/report/report.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { reportOf } from '../../support/report-of.ts';

const BEFORE = 'main;parse;std::vector<int>::push_back 300\nmain;parse 10\nmain;write 20';
const AFTER = 'main;parse;std::vector<int>::push_back 90\nmain;parse 10\nmain;write 20';

const CLAIMS: ReportSection = { kind: 'text', title: 'Claims', text: 'stale', fill: 'claims' };

function textOf(sections: readonly ReportSection[]): string {
  const [section] = sections;
  return section?.kind === 'text' ? section.text : '';
}

const EXPLAINED: readonly ReportSection[] = [
  CLAIMS,
  { kind: 'text', title: 'Other causes', text: '', fill: 'causes' },
  { kind: 'text', title: 'Remaining doubt', text: '', fill: 'doubts' },
];

/** Returns the explanation as a report divides it. */
function partsOf(explanation: Explanation, commands: readonly (readonly string[])[] = []): string[] {
  const [title, ...parts] = explanationAsMarkdown(explanation, { commands, evidenceOf: () => null, open: [] })
    .replaceAll('&amp;', '&')
    .trim()
    .split(/\n\n### /);
  const named = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 2)]));
  const basis = ['Basis', 'Command', 'Environment'].filter((name) => named.has(name));
  return [
    [`**${title!.slice(3)}**`, named.get('Claims'), ...basis.flatMap((name) => [`**${name}**`, named.get(name)])].join(
      '\n\n',
    ),
    named.get('Other causes')!,
    named.get('Remaining doubt')!,
  ];
}

const textsOf = (sections: readonly ReportSection[]): string[] => sections.map((section) => textOf([section]));

it('begins with what explain says of a comparison: claims no surer than their verdicts, other causes, doubt', async () => {
  const { report, prepared } = await reportOf([profileFromText(BEFORE), profileFromText(AFTER)], {
    sections: EXPLAINED,
  });
  expect(textsOf(report.sections)).toEqual(partsOf(explainComparison(prepared.comparison!.comparison, 'unknown')));
  const [claims, causes] = textsOf(report.sections);
  expect(claims).toMatch(/^1\. Values are shares of each capture, so a change of the total does not show\.$/m);
  expect(claims).toMatch(
    /^2\. `std::vector<int>::push_back` may have shrunk by .* ± .*: self from .*interval; 1 run a side\)\.$/m,
  );
  expect(claims).toMatch(/^- values: samples .*\n- verdicts: .*, within this run only;/m);
  expect(causes).toContain('drift of the machine');
  expect(reportMarkdown(prepared, null)).toContain('`std::vector<int>::push_back` may have shrunk');
  expect(htmlText(reportPage(prepared))).toContain('std::vector&lt;int&gt;::push_back');
});

it('knows the order of runs, the command and the machine from its captures, also when a report is made of it again', async () => {
  const argv = ['/usr/bin/perf', 'record', '--', './bench', 'all'];
  const document = (startedAt: number): Partial<CaptureDocument> => ({
    startedAt,
    target: { kind: 'local', host: 'web-1', kernel: '6.1.0', arch: 'x86_64', cpuCount: 2 },
    collector: { id: 'perf', toolVersion: '6.1.0', commands: [argv], exitCode: 0, signal: null },
  });
  const sides = [BEFORE, AFTER, AFTER, BEFORE];
  const captures = sides.map((text, run) => ({
    name: `run ${run}`,
    document: document(run),
    profile: profileFromText(text),
    view: [],
    range: null,
    quality: null,
  }));
  const side = (runs: readonly number[]) => ({
    label: '',
    captures: runs.map((run) => ({ capture: draftCaptureId(run), requests: null })),
  });
  const rules = { off: [], user: [], ignoreModules: false };
  const comparison = { before: side([0, 3]), after: side([1, 2]), normalisation: null, rules };
  const { report, profiles, prepared } = await reportOf([], { captures, comparison, sections: EXPLAINED });
  const expected = partsOf(explainComparison(prepared.comparison!.comparison, 'in turn'), [['./bench', 'all']]);
  expect(textsOf(report.sections)).toEqual(expected);
  expect(expected[0]).toContain('**Command**\n\n```\n./bench all\n```\n\n**Environment**\n\n- ');
  const again = await analyseReport({ report, profiles, replaced: [] }, patternsHere);
  expect(textsOf(again.report.sections)).toEqual(expected);
});

it('begins with what explain says of a capture, and of each of several', async () => {
  const { report, prepared } = await reportOf([profileFromText(BEFORE)], { sections: EXPLAINED });
  const [{ profile, selection, known: facts }] = [...prepared.captures.values()] as [PreparedCapture];
  const explanation = await explainCapture({ profile, selection, transforms: null, facts }, patternsHere);
  expect(textsOf(report.sections)).toEqual(partsOf(explanation));
  expect(textOf(report.sections)).toContain(
    '2. `std::vector<int>::push_back` itself has 90.9 % ± 3.1 % (300 self), with its callees 90.9 %.',
  );
  expect(textOf(report.sections)).toContain('4. `parse` itself has 3.0 % ± 1.9 % (10 self), with its callees 93.9 %.');
  expect(textsOf(report.sections)[2]).toContain('One run: how much this varies between runs is not known');
  const two = await reportOf([profileFromText(BEFORE), profileFromText(AFTER)], {
    comparison: null,
    sections: EXPLAINED,
  });
  for (const text of textsOf(two.report.sections))
    expect(text).toMatch(/^\*\*capture 1\*\*\n\n[^]*^\*\*capture 2\*\*\n\n/m);
});

it('leaves an edited text alone, and saves templates without claims', async () => {
  const own: ReportSection = { kind: 'text', title: 'Claims', text: 'mine' };
  const { report } = await reportOf([profileFromText(BEFORE)], { sections: [own] });
  expect(report.sections).toEqual([own]);
  expect(asTemplate([CLAIMS, own])).toEqual([{ ...CLAIMS, text: '' }, own]);
  const subject = { captures: [], comparison: null };
  expect(
    templates
      .find(({ id }) => id === 'finding')!
      .sections(subject)
      .slice(0, 3),
  ).toEqual(asTemplate(EXPLAINED));
});

it('states in HTML, Markdown, CSV and JSON how the sides were compared', async () => {
  const { prepared } = await reportOf([profileFromText(BEFORE), profileFromText(AFTER)]);
  const json = JSON.parse(reportJson(prepared)) as { changes: { comparedBy: string[] } };
  expect(json.changes.comparedBy.map((line) => line.split(':')[0])).toEqual([
    'Weights',
    'Method',
    'Functions',
    'Matching',
  ]);
  for (const line of [
    'Benjamini & Hochberg at 5 %',
    '4 on both sides, 0 only before, 0 only after',
    'by name and module',
  ]) {
    expect(json.changes.comparedBy.join('\n')).toContain(line);
    expect(reportMarkdown(prepared, null)).toContain(line);
    expect(reportCsv(prepared, 'deltas')).toContain(line);
    expect(htmlText(reportPage(prepared))).toContain(line.replace('&', '&amp;'));
  }
});

it('keeps HTML in Markdown text inert, escaped already or not', async () => {
  const sections: ReportSection[] = [{ kind: 'text', text: String.raw`<b> \<b> \\<b>` }];
  const { prepared } = await reportOf([profileFromText(BEFORE)], { sections });
  expect(reportMarkdown(prepared, null)).toContain(String.raw`\<b> \<b> \\\<b>`);
});
