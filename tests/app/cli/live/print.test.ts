import { expect, test } from 'vitest';
import { LiveStore } from '#core/live/live-store.ts';
import { liveAsJson, liveAsText } from '../../../../app/cli/live/print.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { LIVE_STATUS } from '../../../support/live-status.ts';

const store = new LiveStore({ format: 'perf', rateHz: 99, tool: 'perf', toolVersion: '6.1', hostName: 'vm' });
const shown = { sort: 'self', rows: 5, states: [], size: null } as const;
const rolling = () => ({ seconds: null, isWidened: true, ...store.snapshot(null) });
const json = (samples: number): unknown =>
  JSON.parse(liveAsJson({ ...LIVE_STATUS, samples }, rolling(), { ...shown, events: [] }));
const title = (samples: number) =>
  liveAsText({ ...LIVE_STATUS, samples }, rolling(), { ...shown, width: 200 }).split('\n')[0];

test('before the first samples, what they measure is unknown', () => {
  expect(json(0)).toMatchObject({ valueType: null, total: 0, functions: [] });
  expect(title(0)).toBe('phases (7) on vm · running · no samples yet');
  store.append(profileFromText('main;calm 5'), 0n);
  expect(json(1)).toMatchObject({ valueType: { unit: expect.any(String) as string }, total: 5 });
  expect(title(1)).toBe('phases (7) on vm · running · everything, longer: too few samples: 1 sample');
});
