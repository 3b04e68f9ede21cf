import { expect, it } from 'vitest';
import { htmlText } from '#core/export/markup.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { reportPage } from '#core/report/page.ts';
import { byteSource } from '../../support/byte-source.ts';
import { reportOf } from '../../support/report-of.ts';

/** A CPU profile of one second, with the event loop at its middle and its end. */
const FILE = {
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '', lineNumber: -1, columnNumber: -1 }, children: [2] },
    { id: 2, callFrame: { functionName: 'run', url: 'file:///a.js', lineNumber: 3, columnNumber: 1 } },
  ],
  startTime: 0,
  endTime: 1_000_000,
  samples: [2, 2, 2],
  timeDeltas: [0, 500_000, 500_000],
  flamebench: {
    pid: 7,
    readings: [
      { at: 500_000, count: 9, p50: 1, p99: 2, max: 4, utilisation: 0.25, resources: { '<b>Req': 0 } },
      { at: 1_000_000, count: 9, p50: 1, p99: 2, max: 8, utilisation: 0.5, resources: { '<b>Req': 41_200 } },
    ],
  },
};

it('draws what was measured beside the samples below the time strip, on its axis', async () => {
  const profile = await importProfile(byteSource(JSON.stringify(FILE), 'raw.cpuprofile'));
  const { prepared } = await reportOf([profile], { sections: [{ kind: 'time', capture: 'c1' }] });
  const page = htmlText(reportPage(prepared));
  expect(page).toContain('<figcaption>loop delay max: 4 ms to 8 ms.</figcaption>');
  expect(page).toContain('<figcaption>&lt;b&gt;Req: 0 to 41,200.</figcaption>');
  // From half of the height at the middle to the top at the end.
  expect(page.match(/ d="M[\d.]+,40L[\d.]+,0"/g)).toHaveLength(2);
});
