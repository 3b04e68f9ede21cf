import { expect, it } from 'vitest';
import { reportPage } from '#core/report/page.ts';
import { htmlText } from '#core/export/markup.ts';
import { reportCsv, reportJson, reportMarkdown } from '#core/report/report-text.ts';
import { asTemplate, templates } from '#core/report/templates.ts';
import type { ReportSection } from '#core/contract/report.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { reportOf } from '../../support/report-of.ts';

const BEFORE = 'main;parse;std::vector<int>::push_back 300\nmain;parse 10\nmain;write 20';
const AFTER = 'main;parse;std::vector<int>::push_back 90\nmain;parse 10\nmain;write 20';

const CLAIMS: ReportSection = { kind: 'text', title: 'Claims', text: 'stale', fill: 'claims' };

function textOf(sections: readonly ReportSection[]): string {
  const [section] = sections;
  return section?.kind === 'text' ? section.text : '';
}

it('claims the changes of a comparison with sizes, intervals and normalisation, no surer than their verdicts', async () => {
  const { report, prepared } = await reportOf([profileFromText(BEFORE), profileFromText(AFTER)], {
    sections: [CLAIMS],
  });
  const text = textOf(report.sections);
  expect(text).toMatch(/^1\. Everything together /);
  expect(text).toMatch(
    /^2\. `std::vector<int>::push_back` may have shrunk by .* ± .*: self from .*interval; 1 run a side\)\.$/m,
  );
  expect(text).toMatch(/^Weights: samples, .*\(within this run only\)\.$/m);
  expect(reportMarkdown(prepared, null)).toContain('`std::vector<int>::push_back` may have shrunk');
  expect(htmlText(reportPage(prepared))).toContain('std::vector&lt;int&gt;::push_back');
});

it('claims where a capture’s weight is, and that its variation is unknown', async () => {
  const { report } = await reportOf([profileFromText(BEFORE)], { sections: [CLAIMS] });
  expect(textOf(report.sections).split('\n')).toEqual([
    expect.stringMatching(/^1\. samples.* 330 in 330 samples/),
    '2. `std::vector<int>::push_back` itself has 90.9 % (300 self), with its callees 90.9 %.',
    '3. `write` itself has 6.1 % (20 self), with its callees 6.1 %.',
    '4. `parse` itself has 3.0 % (10 self), with its callees 93.9 %.',
    '',
    'Each capture is one run: how much this varies between runs is not known.',
  ]);
});

it('leaves an edited text alone, and saves templates without claims', async () => {
  const own: ReportSection = { kind: 'text', title: 'Claims', text: 'mine' };
  const { report } = await reportOf([profileFromText(BEFORE)], { sections: [own] });
  expect(report.sections).toEqual([own]);
  expect(asTemplate([CLAIMS, own])).toEqual([{ ...CLAIMS, text: '' }, own]);
  const subject = { captures: [], comparison: null };
  expect(templates.find(({ id }) => id === 'finding')!.sections(subject)[0]).toMatchObject({ fill: 'claims' });
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
