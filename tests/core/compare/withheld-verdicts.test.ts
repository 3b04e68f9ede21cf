import { expect, test } from 'vitest';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import { verdictText } from '#core/compare/verdict-words.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { Profile } from '#core/model/profile.ts';
import { readPerfScript } from '../../support/perf-script-text.ts';
import { captureOf, compareRaw } from './captures.ts';

/** Three runs: `caller` calls `leaf`, and an unnamed function of a library beside; each count is of samples. */
function run(leaf: number, unnamed: number, cut: number): Profile {
  const sample = (frames: readonly string[]): string =>
    `app 12/34 10.000001: 1000000 cpu-clock: \n${frames.map((frame, at) => `\t 55a0${1000 + at} ${frame}\n`).join('')}\n`;
  return readPerfScript(
    [
      sample(['leaf+0x1 (/srv/app)', 'caller+0x1 (/srv/app)', 'main+0x1 (/srv/app)']).repeat(leaf),
      sample(['[unknown] (/lib/libx.so)', 'caller+0x1 (/srv/app)', 'main+0x1 (/srv/app)']).repeat(unnamed),
      sample(['leaf+0x1 (/srv/app)', 'caller+0x1 (/srv/app)']).repeat(cut),
    ].join(''),
  );
}
const facts = (profile: Profile): Partial<CaptureFacts> => {
  const quality = captureQuality(profile);
  return { host: 'here', durationSeconds: 10, ...(quality === null ? {} : { quality }) };
};
const side = (...profiles: Profile[]) => profiles.map((profile) => captureOf(profile, facts(profile)));

async function compared(unnamed: number, cut: number) {
  const before = side(run(500, unnamed, cut), run(505, unnamed + 1, cut), run(495, unnamed, cut));
  const after = side(run(900, unnamed * 2, cut), run(905, unnamed * 2 + 1, cut), run(895, unnamed * 2, cut));
  const comparison = await compareRaw(before, after);
  const { strings, functions } = comparison.matched.table;
  const of = (name: string, metric: 'self' | 'total') =>
    comparison[metric][Array.from(functions.name, (row) => strings[row]).indexOf(name)]!;
  return { of, warnings: comparison.warnings.map(({ code }) => code) };
}

test('whole captures are judged', async () => {
  const { of, warnings } = await compared(10, 0);
  expect(of('caller', 'total')).toMatchObject({ verdict: 'grew' });
  expect(of('leaf', 'self')).toMatchObject({ verdict: 'grew' });
  expect(warnings).not.toContain('withheld-totals');
});

test('totals above cut stacks are not judged, selves are', async () => {
  const { of, warnings } = await compared(10, 400);
  expect(of('caller', 'total')).toMatchObject({ verdict: 'unknown', withheld: 'truncated stacks' });
  expect(verdictText(of('caller', 'total'), null)).toBe('unknown (truncated stacks)');
  expect(of('leaf', 'self')).toMatchObject({ verdict: 'grew' });
  expect(warnings).toContain('withheld-totals');
});

test('functions without a symbol are not judged where they are many', async () => {
  const { of, warnings } = await compared(200, 0);
  expect(of('[libx.so]', 'self')).toMatchObject({ verdict: 'unknown', withheld: 'no symbol' });
  expect(of('caller', 'total')).toMatchObject({ verdict: 'grew' });
  expect(warnings).toContain('withheld-unresolved');
});
