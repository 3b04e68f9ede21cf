import { expect, test } from 'vitest';
import { PushedText } from '#collectors/perf/first-text.ts';
import { createStackProbe, PROBE_MS } from '#collectors/perf/stack-probe.ts';
import type { RecordingFinding } from '#collectors/collector.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';

const OPTIONS: PerfOptions = {
  collector: 'perf',
  scope: { kind: 'pid', pid: 12, startTicks: null },
  rateHz: 99,
  event: null,
  callGraph: 'fp',
  seconds: null,
};
const WHOLE = ['leaf', 'caller', 'main'];
/** A truncated stack: it ends in `caller`, which `main` calls in {@link WHOLE}. */
const CUT = ['other', 'caller'];

function sampleText(at: number, frames: readonly string[]): string {
  const lines = frames.map((name, depth) => `\t 55a0${1000 + depth} ${name}+0x1 (/srv/app)\n`);
  return `app 12/12 ${(10 + at / 1000).toFixed(6)}: 1000000 cpu-clock: \n${lines.join('')}\n`;
}

/**
 * Feeds a recording of `ms` to the probe as the driver does. Returns the findings with their times by the recording's
 * clock.
 */
async function record(rateHz: number, ms: number, stackAt: (sample: number) => readonly string[], options = OPTIONS) {
  const text = new PushedText();
  const probe = createStackProbe({ ...options, rateHz }, text);
  const found: { readonly at: number; readonly finding: RecordingFinding }[] = [];
  let sample = 0;
  for (let now = PROBE_MS; now <= ms; now += PROBE_MS) {
    for (; (sample * 1000) / rateHz < now; sample++) {
      text.push(new TextEncoder().encode(sampleText((sample * 1000) / rateHz, stackAt(sample))));
    }
    const finding = await probe.look(now);
    if (finding !== null) found.push({ at: now, finding });
  }
  return found;
}

const half = (sample: number): readonly string[] => (sample % 2 === 0 ? WHOLE : CUT);

test.each([11, 20, 49, 99, 499, 4999])(
  'at %d Hz on one processor, truncated stacks are reported within 2 s, once',
  async (rate) => {
    const [first, ...others] = await record(rate, 4000, half);
    expect(first?.at).toBeGreaterThanOrEqual(1000);
    expect(first?.at).toBeLessThanOrEqual(2000);
    expect(first?.finding.message).toMatch(/^[45]\d\.\d % of the stacks are truncated/);
    expect(first?.finding.options).toEqual({ ...OPTIONS, rateHz: rate, callGraph: 'dwarf' });
    expect(others).toEqual([]);
  },
);

test('judges a target that sleeps at first by its first 20 samples', async () => {
  const text = new PushedText();
  const probe = createStackProbe(OPTIONS, text);
  expect(await probe.look(5000)).toBeNull();
  for (let sample = 0; sample < 19; sample++) text.push(new TextEncoder().encode(sampleText(sample, half(sample))));
  expect(await probe.look(5200)).toBeNull();
  for (let sample = 19; sample < 22; sample++) text.push(new TextEncoder().encode(sampleText(sample, half(sample))));
  expect(await probe.look(5400)).not.toBeNull();
});

test('reports nothing for complete stacks, or if no option of perf helps', async () => {
  expect(await record(99, 3000, () => WHOLE)).toEqual([]);
  expect(await record(99, 3000, half, { ...OPTIONS, callGraph: 'dwarf', stackBytes: 65_528 })).toEqual([]);
});
