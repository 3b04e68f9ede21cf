import { expect, it } from 'vitest';
import { reportPage } from '#core/report/page.ts';
import { htmlText } from '#core/export/markup.ts';
import { reportSvg } from '#core/report/report-picture.ts';
import { reportCsv, reportJson, reportMarkdown, tablesOf } from '#core/report/report-text.ts';
import { viewSentences } from '#core/report/view-words.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { reportOf } from '../../support/report-of.ts';

const FOCUS = `focus: /${Array.from({ length: 60 }, (_, at) => `handler${at}`).join('|')}/`;
const VIEW = [
  'flamebench view of (x.folded, folded)',
  'value type: (samples, count)',
  "threads: (7 'worker')",
  "time: (from 500000000 to before 3500000001 nanoseconds of the capture's clock; 2 samples without a timestamp left out)",
  'total: (40 count in 40 samples)',
  `transform 1: ${FOCUS} (60 functions, hid 5 count)`,
  'transform 1 as JSON: {}',
  'transform 2: hide: /idle/ (off)',
];
const SENTENCE = `View: threads 7 'worker'; time 0.5 s to 3.500000001 s; 2 samples without a timestamp left out; ${FOCUS}.`;

it('names threads, time and filters that are on; a whole capture has none', async () => {
  const whole = await reportOf([profileFromText('main 1')], { capture: { view: ['threads: (all 1)', 'time: (all)'] } });
  expect(viewSentences(whole.prepared.captures.values())).toEqual([]);
  const part = await reportOf([profileFromText('main 1')], { capture: { view: VIEW } });
  expect(viewSentences(part.prepared.captures.values())).toEqual([SENTENCE]);
});

it('says a view that only some captures have with their names', async () => {
  const { prepared } = await reportOf([profileFromText('main 1'), profileFromText('main 2')]);
  const [first] = prepared.captures.values();
  const captures = new Map(prepared.captures).set('c1', { ...first!, view: VIEW });
  expect(viewSentences(captures.values())).toEqual([`View of ${first!.name}${SENTENCE.slice('View'.length)}`]);
});

it.each([1, 2])('is stated whole in every export of %i captures', async (count) => {
  const profiles = ['main;a 30\nb 10', 'main;a 10\nb 30'].slice(0, count).map((text) => profileFromText(text));
  const { prepared } = await reportOf(profiles, { capture: { view: VIEW } });
  const told = (text: string): string =>
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/&#39;/g, "'")
      .replace(/\\(?=[^\w\s])/g, '');
  const plain = (text: string): string => told(text).replace(/\s+/g, ' ');
  expect(plain(htmlText(reportPage(prepared)).split('<section')[0]!)).toContain(SENTENCE);
  for (const isInteractive of [false, true]) {
    // Long lines are broken.
    expect(told(reportSvg(prepared, isInteractive)!).replace(/\s/g, '')).toContain(SENTENCE.replace(/\s/g, ''));
  }
  expect(plain(reportMarkdown(prepared, null))).toContain(SENTENCE);
  for (const table of tablesOf(prepared)) expect(reportCsv(prepared, table)).toContain(`# ${SENTENCE}\r\n`);
  expect(JSON.parse(reportJson(prepared))).toMatchObject({
    captures: profiles.map(() => ({ view: VIEW })),
  });
});
