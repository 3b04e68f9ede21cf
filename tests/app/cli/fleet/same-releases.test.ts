import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { generateFleet } from '../../../support/generated-fleet.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-same-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Pairs of releases that are the same, of fleets with different hosts. */
const PAIRS = 20;

/** A replicate is a capture: of each host, or of each minute of one host. */
const DESIGNS = [
  ['hosts', { hosts: 6, captures: 1 }],
  ['minutes', { hosts: 1, captures: 6 }],
] as const;

test.each(DESIGNS)(
  'at most 5 %% of comparisons of equal releases by %s call a function changed',
  async (what, size) => {
    const releases = Array.from({ length: PAIRS / 2 }, (_, place) => [`a${place}`, `b${place}`]).flat();
    let [changed, compared] = [0, 0];
    for (const seed of [7, 8]) {
      const file = path.join(folder, `${what}-${seed}.duckdb`);
      await generateFleet(file, { ...size, releases, samples: 800, seed });
      for (let place = 0; place < PAIRS / 2; place++) {
        const sides = ['--before', `release=a${place}`, '--after', `release=b${place}`];
        const run = await callCli([
          'fleet',
          'diff',
          '--in',
          file,
          ...sides,
          '--normalize',
          'share',
          '--replicates',
          what,
          '--json',
        ]);
        const { functions } = JSON.parse(run.stdout) as { functions: { verdict: { self: string; total: string } }[] };
        const verdicts = functions.flatMap(({ verdict }) => [verdict.self, verdict.total]);
        if (verdicts.some((one) => one === 'grew' || one === 'shrank')) changed++;
        compared++;
      }
    }
    expect(compared).toBe(PAIRS);
    expect(changed / compared).toBeLessThanOrEqual(0.05);
  },
);
