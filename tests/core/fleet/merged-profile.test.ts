import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { captureRows, type Hash } from '#core/fleet/capture-rows.ts';
import { areUnpaired, mergeCaptures, type WeighedFleetCapture } from '#core/fleet/merge-captures.ts';
import { profilesOver } from '#core/fleet/merged-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const hash: Hash = (text) => createHash('sha256').update(text).digest().readBigUInt64BE(0) || 1n;
const selection = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };

test('a profile and its rows have the same functions', () => {
  const profile = profileFromText('main;a;b;a 3\nmain;a 2\nmain;c 1\nmain;a;b;a 4\n');
  const rows = captureRows(profile, hash);
  expect(rows.samples.map(({ weight, samples }) => [weight, samples])).toEqual([
    [7, 7],
    [2, 2],
    [1, 1],
  ]);
  expect(rows.totals).toEqual([{ type: 'samples', unit: 'count', weight: 10, samples: 10, period: 1 }]);
  const merged = profilesOver(rows)(rows.samples, { type: 'samples', unit: 'count', period: 1, metadata: {} });
  checkProfile(merged);
  const table = (of: typeof profile) => {
    const stats = functionStats(buildStackView(of, selection, null));
    return new Map(
      Array.from(stats.func, (func, row) => [
        of.strings[of.functions.name[func]!],
        [stats.self[row], stats.total[row]],
      ]),
    );
  };
  expect(table(merged)).toEqual(table(profile));
});

test('equal functions and stacks of different captures have equal ids', () => {
  const [one, other] = ['x;a 1\nmain;a 2\n', 'main;a 5\n'].map((text) => captureRows(profileFromText(text), hash));
  const ids = new Set(one!.stacks.map(({ id }) => id));
  expect(other!.stacks.every(({ id }) => ids.has(id))).toBe(true);
  expect(one!.frames).toHaveLength(3);
});

const capture = (change: Partial<WeighedFleetCapture>): WeighedFleetCapture => ({
  id: 'id',
  name: 'name',
  time: 0,
  host: 'web-1',
  service: '',
  release: '',
  commit: '',
  labels: new Map(),
  event: 'cpu',
  unit: 'nanoseconds',
  format: 'pprof',
  program: null,
  buildId: null,
  kernel: '6.1',
  cpus: 4,
  rateHz: 100,
  seconds: 10,
  isSpan: false,
  cpuSeconds: 5,
  requests: 100,
  quality: 'good',
  weight: 1000,
  samples: 100,
  period: 10,
  ...change,
});

test('captures of a host add up, and facts that differ or lack are unknown', () => {
  const cpu = { type: 'cpu', unit: 'nanoseconds', isUnpaired: false };
  const merged = mergeCaptures(
    [capture({}), capture({ seconds: 20, weight: 3000, period: 30, rateHz: 50, kernel: '6.2' })],
    cpu,
  );
  expect(merged.facts).toMatchObject({
    name: 'web-1 (2 captures)',
    host: 'web-1',
    durationSeconds: 30,
    requests: 200,
    cpuSeconds: 10,
  });
  expect(merged.facts).toMatchObject({ kernel: null, cpuCount: 4, rateHz: null });
  // Variances add up: 1000 × 10 + 3000 × 30 = 4000 × 25.
  expect(merged).toMatchObject({ period: 25, divisor: 1 });
  expect(mergeCaptures([capture({}), capture({ seconds: null, requests: null, period: null })], cpu)).toMatchObject({
    period: null,
    facts: { durationSeconds: null, requests: null },
  });
});

test('what exists at one moment is averaged', () => {
  const memory = { type: 'inuse_space', unit: 'bytes', isUnpaired: true };
  const merged = mergeCaptures([capture({ period: null }), capture({ period: null })], memory);
  expect(merged).toMatchObject({ divisor: 2, facts: { host: null } });
});

test('hosts are compared in pairs if three of them are on both sides', () => {
  const side = (...hosts: (string | null)[]) => hosts.map((host) => capture({ host }));
  expect(areUnpaired(side('a', 'b', 'c'), side('a', 'b', 'c', 'd'))).toBe(false);
  expect(areUnpaired(side('a', 'b', 'c'), side('d', 'e', 'f'))).toBe(true);
  expect(areUnpaired(side('a', 'b', 'c'), side('a', 'b', 'f'))).toBe(true);
  expect(areUnpaired(side('a'), side('a'))).toBe(false);
  expect(areUnpaired(side(null), side(null))).toBe(false);
});
