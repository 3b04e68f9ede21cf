import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { LiveStore } from '#core/live/live-store.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { longStream } from '../../support/long-stream.ts';

const HOUR = 3600;
/** The bench replays eight times as many. */
const SAMPLES_PER_SECOND = 1000;

const selfByName = (profile: Profile): Map<string, number> => {
  const { func, self } = functionStats(buildStackView(profile));
  const byName = new Map<string, number>();
  func.forEach((at, row) => {
    const name = profile.strings[profile.functions.name[at]!]!;
    byName.set(name, (byName.get(name) ?? 0) + self[row]!);
  });
  return byName;
};

test(
  'an hour made from a real recording is kept in bounded rows, and every function’s sum is exact',
  { timeout: 300_000 },
  async () => {
    const [file] = globSync('samples/profiles/perf-script/page-server-after-1/raw.*');
    const recording = await importProfile(byteSource(readFileSync(file!)));
    const store = new LiveStore({ format: 'perf-script', rateHz: 99, tool: 'perf', toolVersion: null, hostName: 'vm' });
    const raw = new Map<string, number>();
    let rowsAfterLevels = 0;
    let at = 0;
    for (const second of longStream(recording, { seconds: HOUR, samplesPerSecond: SAMPLES_PER_SECOND })) {
      store.append(second, 0n);
      at += 1;
      for (const [name, self] of selfByName(second)) raw.set(name, (raw.get(name) ?? 0) + self);
      if (at === 900) rowsAfterLevels = store.rowCount;
      if (at % 600 === 0) expect(selfByName(store.snapshot(null).profile)).toEqual(raw);
    }
    expect(store.appended.samples).toBe(HOUR * SAMPLES_PER_SECOND);
    // The levels of single samples and seconds are full; older buckets take the same space however many there are.
    expect(store.rowCount).toBeLessThan(rowsAfterLevels * 1.15);
  },
);
